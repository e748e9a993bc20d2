// The tokens of an account with their balances.
import type { Address } from "../../../src/models/primitives.ts";
import { shortHex } from "../format/numbers.ts";
import { List } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import { ChainText } from "../parts/text.tsx";
import type { Pages } from "../parts/use-pages.ts";
import { Amount } from "../parts/values.tsx";
import { href } from "../router.ts";
import { explorer } from "../service/explorer.ts";

type Held =
  ReturnType<typeof explorer.accounts.tokens> extends AsyncIterable<infer One>
    ? Extract<One, { standard: "mrc20" }>
    : never;

const columns: readonly Column<Held>[] = [
  {
    title: "Token",
    kind: "wide",
    cell: ({ token_address, token_name }) => (
      <a class="named" data-row href={href("token", token_address)} title={token_address}>
        <ChainText text={token_name || shortHex(token_address)} length={48} />
      </a>
    ),
  },
  {
    title: "Balance",
    kind: "number",
    cell: ({ balance, token_decimals }) => <Amount value={balance} decimals={token_decimals} />,
  },
  {
    title: "Symbol",
    cell: ({ token_symbol }) => <ChainText text={token_symbol ?? ""} length={12} />,
  },
];

/** Of the list of both standards, the tokens; collectibles have a view of their own. */
function heldTokens(address: Address, limit: number): Pages<Held> & AsyncIterable<Held> {
  const list = explorer.accounts.tokens(address, { limit });
  const isToken = (one: { standard: string }): one is Held => one.standard === "mrc20";
  return {
    async *pages() {
      for await (const page of list.pages())
        yield {
          data: page.data.filter(isToken),
          count: page.mrc_20.count,
          hasNextPage: () => page.hasNextPage(),
        };
    },
    async *[Symbol.asyncIterator]() {
      for await (const one of list) if (isToken(one)) yield one;
    },
  };
}

export function Holdings({ address }: { address: Address }) {
  return (
    <List
      label="Tokens"
      open={(limit) => heldTokens(address, limit)}
      columns={columns}
      keyOf={({ token_address }) => token_address}
      empty="No tokens."
      file={`tokens-${address.slice(0, 10)}.csv`}
    />
  );
}

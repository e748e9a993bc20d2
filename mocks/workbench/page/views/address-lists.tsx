// The lists of an address as tabs: what it took part in, what it holds, and of a token its transfers and holders.
import type { ComponentChildren } from "preact";
import type { Address } from "../../../../src/models/primitives.ts";
import { grouped, shortHex } from "../format/values.ts";
import { hasIds, type InspectedHolding } from "../inspect/records.ts";
import type { AnswerOf } from "../inspect/views.ts";
import {
  accountTransfers,
  eventLogs,
  internalTransactions,
  minedBlocks,
  tokenTransferColumns,
  transactions,
} from "../parts/account-columns.tsx";
import { failedClass } from "../parts/columns.tsx";
import { filters } from "../parts/filters.tsx";
import { InspectList, type InspectListProps, type ListView } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import type { Tab } from "../parts/tabs.tsx";
import { AddressLink, Amount, ChainText } from "../parts/text.tsx";
import { href } from "../router.ts";
import { Collectibles, Inventory } from "./collectibles.tsx";

type Account = AnswerOf<"account">;
type Token = NonNullable<Account["token"]>;

const fileOf = (name: string, address: Address) => `${name}-${address.slice(0, 10)}`;

/** A list that has something; the transactions always. */
const tab = (
  id: string,
  title: string,
  count: number,
  content: () => ComponentChildren,
): readonly Tab[] =>
  count > 0 || id === "transactions" ? [{ id, title: `${title} ${grouped(count)}`, content }] : [];

/** A tab with a list in the order of the chain. */
const listTab = <Name extends ListView, Item extends object>(
  id: string,
  title: string,
  total: number,
  list: Omit<InspectListProps<Name, Item>, "label" | "empty">,
): readonly Tab[] =>
  tab(id, title, total, () => (
    <InspectList {...list} label={title} empty={`No such ${title.toLowerCase()}.`} />
  ));

const transferTabs = (account: Account): readonly Tab[] =>
  (["mrc20", "mrc721"] as const).flatMap((standard) => {
    const { address } = account;
    const areIds = standard === "mrc721";
    const title = areIds ? "Collectible transfers" : "Token transfers";
    return listTab(standard, title, account[`${standard}_transfer_count`], {
      view: "transfers",
      parameters: { account: address, standard },
      fields: areIds ? filters.collectibles : filters.transfers,
      rowsOf: ({ transfers }) => transfers,
      columns: accountTransfers(address, areIds),
      // One log may transfer several ids.
      keyOf: (one, index) => `${one.transaction_hash} ${one.log_index} ${index}`,
      file: fileOf(areIds ? "collectible-transfers" : "token-transfers", address),
    });
  });

const partTabs = (account: Account): readonly Tab[] => {
  const { address } = account;
  return [
    ...listTab("transactions", "Transactions", account.transaction_count, {
      view: "transactions",
      parameters: { account: address },
      fields: filters.ofAccount,
      rowsOf: ({ transactions }) => transactions,
      columns: transactions(address),
      keyOf: ({ transaction_hash }) => transaction_hash,
      classOf: failedClass,
      file: fileOf("transactions", address),
    }),
    ...listTab("internal", "Internal", account.internal_transaction_count, {
      view: "internal",
      parameters: { account: address },
      fields: filters.ofAccount,
      rowsOf: ({ internal }) => internal,
      columns: internalTransactions(address),
      keyOf: (one) => `${one.transaction_hash} ${one.trace_address}`,
      classOf: ({ undone }) => (undone ? "failed" : undefined),
      file: fileOf("internal-transactions", address),
    }),
  ];
};

/** The lists of what the address took part in. */
export const accountTabs = (account: Account): readonly Tab[] => {
  const { address } = account;
  return [
    ...partTabs(account),
    ...transferTabs(account),
    ...listTab("tokens", "Tokens", account.mrc20_count, {
      view: "holdings",
      parameters: { account: address },
      fields: filters.holdings,
      rowsOf: ({ holdings }) => holdings,
      columns: heldColumns,
      keyOf: ({ token_address }) => token_address,
      file: fileOf("tokens", address),
    }),
    ...tab("collectibles", "Collectibles", account.mrc721_count, () => (
      <Collectibles address={address} />
    )),
    ...listTab("mined", "Mined blocks", account.mined_block_count, {
      view: "blocks",
      parameters: { miner: address },
      fields: filters.blocks,
      rowsOf: ({ blocks }) => blocks,
      columns: minedBlocks,
      keyOf: ({ block_hash }) => block_hash,
      file: fileOf("mined-blocks", address),
    }),
    ...listTab("logs", "Event logs", account.log_count, {
      view: "logs",
      parameters: { address },
      fields: filters.logs,
      rowsOf: ({ logs }) => logs,
      columns: eventLogs.filter(({ title }) => title !== "Contract"),
      keyOf: (log) => `${log.block_number} ${log.log_index}`,
      file: fileOf("event-logs", address),
    }),
  ];
};

type Holder = AnswerOf<"token">["holders"][number];

/** Ten thousandths as "12.34 %", exact where a double is not. */
const share = (part: bigint, whole: bigint): string =>
  whole === 0n ? "" : `${Number((part * 10_000n) / whole) / 100} %`;

const holderColumns = ({
  standard,
  token_decimals,
  total_supply,
}: Token): readonly Column<Holder>[] => [
  { title: "Holder", kind: "wide", cell: ({ address }) => <AddressLink row to={address} /> },
  {
    title: hasIds(standard) ? "Tokens" : "Balance",
    kind: "number",
    cell: ({ balance }) => (
      <Amount value={balance} decimals={hasIds(standard) ? 0 : token_decimals} />
    ),
  },
  { title: "Share", kind: "number", cell: ({ balance }) => share(balance, total_supply) },
];

/** The service ranks so many. */
const MAX_HOLDERS = 1000;

/** The lists of a token; none where the address is none. */
export function tokenTabs({ address, token, transfer_count }: Account): readonly Tab[] {
  if (token === null) return [];
  const areIds = hasIds(token.standard);
  return [
    {
      id: "transfers",
      title: `Transfers ${grouped(transfer_count)}`,
      content: () => (
        <InspectList
          label="Transfers"
          view="transfers"
          parameters={{ token: address }}
          fields={areIds ? filters.ofCollection : filters.ofToken}
          rowsOf={({ transfers }) => transfers}
          columns={tokenTransferColumns(areIds)}
          keyOf={(one) => `${one.block_number} ${one.log_index}`}
          empty="No such transfers."
          file={fileOf("transfers", address)}
        />
      ),
    },
    {
      id: "holders",
      title: `Holders ${grouped(token.holder_count)}`,
      content: () => (
        <InspectList
          label={`Holders, the ${token.holder_count > MAX_HOLDERS ? "1,000 " : ""}largest first`}
          view="token"
          parameters={{ address }}
          rowsOf={({ holders }) => holders}
          fields={filters.holders}
          columns={holderColumns(token)}
          keyOf={(holder) => holder.address}
          empty="No such holders."
          file={fileOf("holders", address)}
        />
      ),
    },
    ...(areIds
      ? [{ id: "inventory", title: "Inventory", content: () => <Inventory address={address} /> }]
      : []),
  ];
}

const heldColumns: readonly Column<InspectedHolding>[] = [
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

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

/** Those that are there even if nothing is in them. */
const always: ReadonlySet<string> = new Set(["transactions", "transfers", "holders"]);

const tab = (
  id: string,
  title: string,
  count: number,
  content: () => ComponentChildren,
): readonly Tab[] =>
  count > 0 || always.has(id) ? [{ id, title: `${title} ${grouped(count)}`, content }] : [];

/** A tab with a list. */
const listTab = <Name extends ListView>(
  id: string,
  title: string,
  total: number,
  { label = title, ...list }: Omit<InspectListProps<Name>, "label"> & { readonly label?: string },
): readonly Tab[] =>
  // The types do not relate a list without its label to one that has it.
  tab(id, title, total, () => <InspectList<Name> {...list} label={label} />);

const transferTabs = (account: Account): readonly Tab[] =>
  (["mrc20", "mrc721"] as const).flatMap((standard) => {
    const { address } = account;
    const areIds = standard === "mrc721";
    const title = areIds ? "Collectible transfers" : "Token transfers";
    return listTab(standard, title, account[`${standard}_transfer_count`], {
      view: "transfers",
      parameters: { account: address, standard },
      fields: areIds ? filters.collectibles : filters.transfers,
      columns: accountTransfers(address, areIds),
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
      columns: transactions(address),
      file: fileOf("transactions", address),
    }),
    ...listTab("internal", "Internal", account.internal_transaction_count, {
      view: "internal",
      parameters: { account: address },
      fields: filters.ofAccount,
      columns: internalTransactions(address),
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
      columns: heldColumns,
      file: fileOf("tokens", address),
    }),
    ...tab("collectibles", "Collectibles", account.mrc721_count, () => (
      <Collectibles address={address} />
    )),
    ...listTab("mined", "Mined blocks", account.mined_block_count, {
      view: "blocks",
      parameters: { miner: address },
      fields: filters.blocks,
      columns: minedBlocks,
      file: fileOf("mined-blocks", address),
    }),
    ...listTab("logs", "Event logs", account.log_count, {
      view: "logs",
      parameters: { address },
      fields: filters.logs,
      columns: eventLogs.filter(({ title }) => title !== "Contract"),
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
    ...listTab("transfers", "Transfers", transfer_count ?? 0, {
      view: "transfers",
      parameters: { token: address },
      fields: areIds ? filters.ofCollection : filters.ofToken,
      columns: tokenTransferColumns(areIds),
      file: fileOf("transfers", address),
    }),
    ...listTab("holders", "Holders", token.holder_count, {
      view: "token",
      label: `Holders, the ${token.holder_count > MAX_HOLDERS ? "1,000 " : ""}largest first`,
      parameters: { address },
      fields: filters.holders,
      columns: holderColumns(token),
      file: fileOf("holders", address),
    }),
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

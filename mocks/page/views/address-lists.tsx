// The lists of an address as tabs: what it took part in, what it holds, and of a token its transfers and holders.

import { hasIds, type InspectedHolding, type standards } from "../../inspect/records.ts";
import type { AnswerOf } from "../../inspect/views.ts";
import { shortHex } from "../format/values.ts";
import {
  accountTransfers,
  eventLogs,
  internalTransactions,
  minedBlocks,
  tokenTransferColumns,
  transactions,
} from "../parts/account-columns.tsx";
import { type FilterField, filters } from "../parts/filters.tsx";
import { InspectList, type InspectListProps, type ListView } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import { type Tab, tab } from "../parts/tabs.tsx";
import { AddressLink, Amount, ChainText, NamedLink } from "../parts/text.tsx";
import { Collectibles, Inventory } from "./collectibles.tsx";

type Account = AnswerOf<"account">;
type Token = NonNullable<Account["token"]>;

/** Those that are there even if nothing is in them. */
const always: ReadonlySet<string> = new Set(["transactions", "transfers", "holders"]);

/** A tab with a list of an address; `label` where the title says too little. */
const listTab = <Name extends ListView>(
  id: string,
  title: string,
  count: number,
  list: Omit<InspectListProps<Name>, "label" | "file"> & { readonly label?: string },
): readonly Tab[] => {
  // The types do not relate a list without its label to one that has it.
  const content = () => (
    <InspectList<Name>
      {...list}
      label={list.label ?? title}
      file={title.toLowerCase().replaceAll(" ", "-")}
    />
  );
  return count === 0 && always.has(id)
    ? tab(id, `${title} 0`, content)
    : tab(id, title, content, count);
};

/** The lists of what the address took part in. */
export const accountTabs = (account: Account): readonly Tab[] => {
  const { address } = account;
  const parameters = { account: address };
  const transfers = (
    standard: (typeof standards)[number],
    title: string,
    fields: readonly FilterField[],
  ) =>
    listTab(standard, title, account[`${standard}_transfer_count`], {
      ...{ view: "transfers", parameters: { ...parameters, standard }, fields },
      columns: accountTransfers(address, hasIds(standard)),
    });
  return [
    ...listTab("transactions", "Transactions", account.transaction_count, {
      ...{ view: "transactions", parameters, fields: filters.ofAccount },
      columns: transactions(address),
    }),
    ...listTab("internal", "Internal", account.internal_transaction_count, {
      ...{ view: "internal", parameters, fields: filters.ofAccount },
      columns: internalTransactions(address),
    }),
    ...transfers("mrc20", "Token transfers", filters.transfers),
    ...transfers("mrc721", "Collectible transfers", filters.collectibles),
    ...listTab("tokens", "Tokens", account.mrc20_count, {
      ...{ view: "holdings", parameters, fields: filters.holdings, columns: heldColumns },
    }),
    ...tab(
      "collectibles",
      "Collectibles",
      () => <Collectibles address={address} />,
      account.mrc721_count,
    ),
    ...listTab("mined", "Mined blocks", account.mined_block_count, {
      ...{ view: "blocks", parameters: { miner: address }, fields: filters.blocks },
      columns: minedBlocks,
    }),
    ...listTab("logs", "Event logs", account.log_count, {
      ...{ view: "logs", parameters: { address }, fields: filters.logs },
      columns: eventLogs.filter(({ title }) => title !== "Contract"),
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
    }),
    ...listTab("holders", "Holders", token.holder_count, {
      view: "token",
      label: `Holders, the ${token.holder_count > MAX_HOLDERS ? "1,000 " : ""}largest first`,
      parameters: { address },
      fields: filters.holders,
      columns: holderColumns(token),
    }),
    ...(areIds ? tab("inventory", "Inventory", () => <Inventory address={address} />) : []),
  ];
}

const heldColumns: readonly Column<InspectedHolding>[] = [
  {
    title: "Token",
    kind: "wide",
    cell: ({ token_address, token_name }) => (
      <NamedLink row to={token_address} text={token_name || shortHex(token_address)} length={48} />
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

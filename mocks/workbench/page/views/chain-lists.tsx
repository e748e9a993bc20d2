// The lists of the whole chain: blocks, transactions, logs of an event, the busiest accounts, tokens, verified contracts.
import { eventLogs } from "../parts/account-columns.tsx";
import {
  accountColumns,
  blockColumns,
  contractColumns,
  failedClass,
  tokenColumns,
  transactionColumns,
} from "../parts/columns.tsx";
import { filters } from "../parts/filters.tsx";
import { InspectList, type InspectListProps, type ListView } from "../parts/list.tsx";
import type { ViewInput } from "../service/inspect.ts";

/** A list on a page of its own. */
const page =
  <Name extends ListView, Item extends object>(
    title: string,
    list: Omit<InspectListProps<Name, Item>, "parameters" | "file">,
  ) =>
  () => (
    <section class="card">
      <h1>{title}</h1>
      <InspectList {...list} parameters={{} as ViewInput<Name>} file={list.view} />
    </section>
  );

export const BlocksView = page("Blocks", {
  label: "Blocks",
  view: "blocks",
  fields: filters.blocks,
  rowsOf: ({ blocks }) => blocks,
  columns: blockColumns,
  keyOf: ({ block_hash }) => block_hash,
  empty: "No such blocks.",
});

export const TransactionsView = page("Transactions", {
  label: "Transactions",
  view: "transactions",
  fields: filters.transactions,
  rowsOf: ({ transactions }) => transactions,
  columns: transactionColumns,
  keyOf: ({ transaction_hash }) => transaction_hash,
  classOf: failedClass,
  empty: "No such transactions.",
});

export const LogsView = page("Logs of an event", {
  label: "Logs",
  view: "logs",
  fields: filters.logs,
  rowsOf: ({ logs }) => logs,
  columns: eventLogs,
  keyOf: (log) => `${log.block_number} ${log.log_index}`,
  empty: "No such logs.",
});

export const AccountsView = page("Busiest accounts", {
  label: "The busiest accounts",
  view: "accounts",
  fields: filters.accounts,
  rowsOf: ({ accounts }) => accounts,
  columns: accountColumns,
  keyOf: ({ address }) => address,
  empty: "No such accounts.",
});

export const TokensView = page("Tokens", {
  label: "Tokens by number of holders",
  view: "tokens",
  fields: filters.named,
  rowsOf: ({ tokens }) => tokens,
  columns: tokenColumns,
  keyOf: ({ token_address }) => token_address,
  empty: "No such tokens.",
});

export const ContractsView = page("Verified contracts", {
  label: "Verified contracts, newest first",
  view: "contracts",
  fields: filters.named,
  rowsOf: ({ contracts }) => contracts,
  columns: contractColumns,
  keyOf: ({ address }) => address,
  empty: "No such contract is verified.",
});

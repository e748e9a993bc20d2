// The lists of the whole chain: blocks, transactions, logs of an event, the busiest accounts, tokens, verified contracts.
import type { ViewName } from "../inspect/views.ts";
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
import { byOffset, InspectList, type InspectListProps, inChainOrder } from "../parts/list.tsx";
import type { ViewInput } from "../service/inspect.ts";

/** A list on a page of its own. */
const page =
  <Name extends ViewName, Item extends object>(
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
  label: "Blocks, newest first",
  view: "blocks",
  fields: filters.blocks,
  rowsOf: ({ blocks }) => blocks,
  nextOf: ({ next }) => (next === null ? undefined : { before: next }),
  columns: blockColumns,
  keyOf: ({ block_hash }) => block_hash,
  empty: "No blocks there.",
});

export const TransactionsView = page("Transactions", {
  label: "Transactions",
  view: "transactions",
  fields: filters.transactions,
  rowsOf: ({ transactions }) => transactions,
  ...inChainOrder,
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
  ...inChainOrder,
  columns: eventLogs,
  keyOf: (log) => `${log.block_number} ${log.log_index}`,
  empty: "No such logs.",
});

export const AccountsView = page("Busiest accounts", {
  label: "The busiest accounts",
  view: "accounts",
  rowsOf: ({ accounts }) => accounts,
  pageSize: 100,
  nextOf: () => undefined,
  columns: accountColumns,
  keyOf: ({ address }) => address,
  empty: "No accounts yet.",
});

export const TokensView = page("Tokens", {
  label: "Tokens by number of holders",
  view: "tokens",
  rowsOf: ({ tokens }) => tokens,
  totalOf: ({ count }) => count,
  nextOf: ({ count }, read) => byOffset(count, read),
  columns: tokenColumns,
  keyOf: ({ token_address }) => token_address,
  empty: "No tokens.",
});

export const ContractsView = page("Verified contracts", {
  label: "Verified contracts, newest first",
  view: "contracts",
  rowsOf: ({ contracts }) => contracts,
  totalOf: ({ count }) => count,
  nextOf: ({ count }, read) => byOffset(count, read),
  columns: contractColumns,
  keyOf: ({ address }) => address,
  empty: "No contract is verified.",
});

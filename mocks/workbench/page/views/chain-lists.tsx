// The lists of the whole chain: blocks, transactions, the busiest accounts, tokens, verified contracts.
import type { ViewName } from "../inspect/views.ts";
import {
  accountColumns,
  blockColumns,
  contractColumns,
  failedClass,
  tokenColumns,
  transactionColumns,
} from "../parts/columns.tsx";
import { InspectList, type InspectListProps } from "../parts/list.tsx";
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
      <InspectList {...list} parameters={{} as ViewInput<Name>} file={`${list.view}.csv`} />
    </section>
  );

export const BlocksView = page("Blocks", {
  label: "Blocks, newest first",
  view: "blocks",
  rowsOf: ({ blocks }) => blocks,
  columns: blockColumns,
  keyOf: ({ block_hash }) => block_hash,
  empty: "No blocks yet.",
});

export const TransactionsView = page("Transactions", {
  label: "Transactions, newest first",
  view: "transactions",
  rowsOf: ({ transactions }) => transactions,
  columns: transactionColumns,
  keyOf: ({ transaction_hash }) => transaction_hash,
  classOf: failedClass,
  empty: "No transactions yet.",
});

export const AccountsView = page("Busiest accounts", {
  label: "The busiest accounts",
  view: "accounts",
  rowsOf: ({ accounts }) => accounts,
  isWhole: true,
  columns: accountColumns,
  keyOf: ({ address }) => address,
  empty: "No accounts yet.",
});

export const TokensView = page("Tokens", {
  label: "Tokens by number of holders",
  view: "tokens",
  rowsOf: ({ tokens }) => tokens,
  countOf: ({ count }) => count,
  columns: tokenColumns,
  keyOf: ({ token_address }) => token_address,
  empty: "No tokens.",
});

export const ContractsView = page("Verified contracts", {
  label: "Verified contracts, newest first",
  view: "contracts",
  rowsOf: ({ contracts }) => contracts,
  countOf: ({ count }) => count,
  columns: contractColumns,
  keyOf: ({ address }) => address,
  empty: "No contract is verified.",
});

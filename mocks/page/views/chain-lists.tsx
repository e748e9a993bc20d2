// The lists of the whole chain: blocks, transactions, logs of an event, the busiest accounts, tokens, verified contracts.
import { eventLogs } from "../parts/account-columns.tsx";
import {
  accountColumns,
  blockColumns,
  contractColumns,
  tokenColumns,
  transactionColumns,
} from "../parts/columns.tsx";
import { type FilterField, filters } from "../parts/filters.tsx";
import { InspectList, type ListView, type RowOf } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import type { ViewInput } from "../service/inspect.ts";

/** A list on a page of its own. */
const page =
  <Name extends ListView>(
    view: Name,
    title: string,
    fields: readonly FilterField[],
    columns: readonly Column<RowOf<Name>>[],
    label = title,
  ) =>
  () => (
    <section class="card">
      <h1>{title}</h1>
      <InspectList
        {...{ view, fields, columns, label }}
        parameters={{} as ViewInput<Name>}
        file={view}
      />
    </section>
  );

export const BlocksView = page("blocks", "Blocks", filters.blocks, blockColumns);
export const TransactionsView = page(
  "transactions",
  "Transactions",
  filters.transactions,
  transactionColumns,
);
export const LogsView = page("logs", "Logs of an event", filters.logs, eventLogs, "Logs");
export const AccountsView = page(
  "accounts",
  "Busiest accounts",
  filters.accounts,
  accountColumns,
  "The busiest accounts",
);
export const TokensView = page(
  "tokens",
  "Tokens",
  filters.named,
  tokenColumns,
  "Tokens by number of holders",
);
export const ContractsView = page(
  "contracts",
  "Verified contracts",
  filters.named,
  contractColumns,
  "Verified contracts, newest first",
);

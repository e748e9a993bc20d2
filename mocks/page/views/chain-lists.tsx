// The lists of the whole chain, each a view.
import {
  accountColumns,
  blockColumns,
  contractColumns,
  logColumns,
  tokenColumns,
  transactionColumns,
} from "../parts/columns.tsx";
import { InspectList, type ListView, type RowOf } from "../parts/list.tsx";
import type { Column } from "../parts/table.tsx";
import type { ViewInput } from "../service/inspect.ts";

const page =
  <Name extends ListView>(view: Name, title: string, columns: readonly Column<RowOf<Name>>[]) =>
  () => (
    <section class="card">
      <h1>{title}</h1>
      <InspectList
        {...{ view, columns, label: title }}
        parameters={{} as ViewInput<Name>}
        // A direction is that of an account.
        hidden={["direction"]}
      />
    </section>
  );

export const BlocksView = page("blocks", "Blocks", blockColumns);
export const TransactionsView = page("transactions", "Transactions", transactionColumns);
export const LogsView = page("logs", "Logs of an event", logColumns);
export const AccountsView = page("accounts", "Busiest accounts", accountColumns);
export const TokensView = page("tokens", "Tokens", tokenColumns);
export const ContractsView = page("contracts", "Verified contracts", contractColumns);

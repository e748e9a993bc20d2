// The lists of the whole chain, each a view: blocks, transactions, logs of an event, the busiest accounts, tokens, verified contracts.
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

export const chainLists = {
  blocks: page("blocks", "Blocks", blockColumns),
  transactions: page("transactions", "Transactions", transactionColumns),
  logs: page("logs", "Logs of an event", logColumns),
  accounts: page("accounts", "Busiest accounts", accountColumns),
  tokens: page("tokens", "Tokens", tokenColumns),
  contracts: page("contracts", "Verified contracts", contractColumns),
};

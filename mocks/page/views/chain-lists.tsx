// The lists of the whole chain: blocks, transactions, the busiest accounts, tokens, verified contracts.
import type { ComponentChildren } from "preact";
import {
  accountColumns,
  blockColumns,
  contractColumns,
  failedClass,
  tokenColumns,
  transactionColumns,
} from "../parts/columns.tsx";
import { InspectList } from "../parts/list.tsx";

const ListPage = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="card">
    <h1>{title}</h1>
    {children}
  </section>
);

export const Blocks = () => (
  <ListPage title="Blocks">
    <InspectList
      label="Blocks, newest first"
      view="blocks"
      parameters={{}}
      rowsOf={({ blocks }) => blocks}
      columns={blockColumns}
      keyOf={({ block_hash }) => block_hash}
      empty="No blocks yet."
      file="blocks.csv"
    />
  </ListPage>
);

export const Transactions = () => (
  <ListPage title="Transactions">
    <InspectList
      label="Transactions, newest first"
      view="transactions"
      parameters={{}}
      rowsOf={({ transactions }) => transactions}
      columns={transactionColumns}
      keyOf={({ transaction_hash }) => transaction_hash}
      classOf={failedClass}
      empty="No transactions yet."
      file="transactions.csv"
    />
  </ListPage>
);

export const AccountsView = () => (
  <ListPage title="Busiest accounts">
    <InspectList
      label="The busiest accounts"
      view="accounts"
      parameters={{}}
      rowsOf={({ accounts }) => accounts}
      isWhole
      columns={accountColumns}
      keyOf={({ address }) => address}
      empty="No accounts yet."
      file="accounts.csv"
    />
  </ListPage>
);

export const TokensView = () => (
  <ListPage title="Tokens">
    <InspectList
      label="Tokens by number of holders"
      view="tokens"
      parameters={{}}
      rowsOf={({ tokens }) => tokens}
      countOf={({ count }) => count}
      columns={tokenColumns}
      keyOf={({ token_address }) => token_address}
      empty="No tokens."
      file="tokens.csv"
    />
  </ListPage>
);

export const ContractsView = () => (
  <ListPage title="Verified contracts">
    <InspectList
      label="Verified contracts, newest first"
      view="contracts"
      parameters={{}}
      rowsOf={({ contracts }) => contracts}
      countOf={({ count }) => count}
      columns={contractColumns}
      keyOf={({ address }) => address}
      empty="No contract is verified."
      file="contracts.csv"
    />
  </ListPage>
);

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

const Page = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="card">
    <h1>{title}</h1>
    {children}
  </section>
);

export const Blocks = () => (
  <Page title="Blocks">
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
  </Page>
);

export const Transactions = () => (
  <Page title="Transactions">
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
  </Page>
);

export const AccountsView = () => (
  <Page title="Busiest accounts">
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
  </Page>
);

export const TokensView = () => (
  <Page title="Tokens">
    <InspectList
      label="Tokens, those with most holders first"
      view="tokens"
      parameters={{}}
      rowsOf={({ tokens }) => tokens}
      countOf={({ count }) => count}
      columns={tokenColumns}
      keyOf={({ token_address }) => token_address}
      empty="No tokens."
      file="tokens.csv"
    />
  </Page>
);

export const ContractsView = () => (
  <Page title="Verified contracts">
    <InspectList
      label="Verified contracts, the last verified first"
      view="contracts"
      parameters={{}}
      rowsOf={({ contracts }) => contracts}
      countOf={({ count }) => count}
      columns={contractColumns}
      keyOf={({ address }) => address}
      empty="None is verified."
      file="contracts.csv"
    />
  </Page>
);

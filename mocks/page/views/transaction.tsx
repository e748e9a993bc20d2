// A transaction: its facts, fee, calls, transfers and logs.
import type { TransactionAnswer } from "../../inspect/schema.ts";
import { grouped } from "../format/numbers.ts";
import { exactTime } from "../format/time.ts";
import { Receiver } from "../parts/columns.tsx";
import { Facts } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { Table } from "../parts/table.tsx";
import { type Tab, Tabs } from "../parts/tabs.tsx";
import { AddressLink, BlockLink, ChainText, Copy } from "../parts/text.tsx";
import { transferColumns } from "../parts/transfer-columns.tsx";
import { useLoad } from "../parts/use-load.ts";
import { Amount, Status, Time } from "../parts/values.tsx";
import { headId } from "../service/head.ts";
import { inspect } from "../service/inspect.ts";
import { CallTree } from "./call-tree.tsx";
import { Input } from "./input.tsx";
import { Logs } from "./logs.tsx";

const transferColumnsHere = transferColumns.filter(
  ({ title }) => !["Transaction", "Block", "Time"].includes(title),
);

function Fees({ answer }: { answer: TransactionAnswer }) {
  const { max_fee_per_gas, max_priority_fee_per_gas, gas_price } = answer;
  return (
    <>
      <Amount value={gas_price} decimals={9} /> gwei
      {max_fee_per_gas !== null && (
        <span class="quiet">
          {" "}
          at most <Amount value={max_fee_per_gas} decimals={9} />, tip at most{" "}
          <Amount value={max_priority_fee_per_gas} decimals={9} />
        </span>
      )}
    </>
  );
}

function Summary({ answer }: { answer: TransactionAnswer }) {
  const { transaction, block, confirmations, reason, gas_used, gas_limit } = answer;
  return (
    <section class="card">
      <h1 class="small">
        Transaction <Status status={transaction.tx_status} />
      </h1>
      <p class="subject">
        <span class="hex">{transaction.transaction_hash}</span>{" "}
        <Copy text={transaction.transaction_hash} label="Copy the hash" />
      </p>
      {reason !== null && (
        <p class="reason">
          <strong>Why it failed:</strong> <ChainText text={reason} length={300} />
        </p>
      )}
      <Facts
        facts={[
          [
            "Block",
            <>
              <BlockLink to={block.block_number} />{" "}
              <span class="quiet">
                at index {transaction.transaction_index} · {grouped(confirmations)} on top
              </span>
            </>,
          ],
          [
            "Time",
            <>
              {exactTime(block.timestamp)} <span class="quiet">·</span>{" "}
              <span class="quiet">
                <Time at={block.timestamp} />
              </span>
            </>,
          ],
          ["From", <AddressLink to={transaction.sender} />],
          ["To", <Receiver transaction={transaction} />],
          [
            "Value",
            <>
              <Amount exact value={transaction.value} />{" "}
              <Copy text={`${transaction.value}`} label="Copy the value in the smallest unit" />
            </>,
          ],
          ["Fee", <Amount exact value={transaction.tx_fee} />],
          ["Gas price", <Fees answer={answer} />],
          [
            "Gas used",
            <>
              {grouped(gas_used)} <span class="quiet">of {grouped(gas_limit)}</span>
            </>,
          ],
          ["Nonce", grouped(answer.nonce)],
        ]}
      />
    </section>
  );
}

function tabsOf(answer: TransactionAnswer): readonly Tab[] {
  const { transaction, transfers, logs } = answer;
  const some = (count: number, tab: Tab) => (count > 0 ? [tab] : []);
  return [
    ...some(transfers.length, {
      id: "transfers",
      title: `Transfers ${grouped(transfers.length)}`,
      content: () => (
        <Table
          label="Token transfers"
          columns={transferColumnsHere}
          rows={transfers}
          keyOf={({ log_index }) => `${log_index}`}
        />
      ),
    }),
    ...some(answer.internal_transaction_count, {
      id: "calls",
      title: `Calls ${grouped(answer.internal_transaction_count)}`,
      content: () => <CallTree transaction={transaction} />,
    }),
    ...some(answer.log_count, {
      id: "logs",
      title: `Logs ${grouped(answer.log_count)}`,
      content: () => <Logs logs={logs} count={answer.log_count} />,
    }),
    {
      id: "input",
      title: transaction.receiver === null ? "Creation code" : "Input",
      content: () => <Input input={answer.input} contract={transaction.receiver} />,
    },
  ];
}

export function TransactionView({ subject }: { subject: string }) {
  const head = headId.use();
  const loading = useLoad(
    (signal) => inspect("transaction", { hash: subject }, { signal }),
    [head],
  );
  return (
    <Loaded of={loading} what="Could not load the transaction" lines={8}>
      {(answer) => (
        <>
          <Summary answer={answer} />
          <Tabs label="Parts of the transaction" tabs={tabsOf(answer)} />
        </>
      )}
    </Loaded>
  );
}

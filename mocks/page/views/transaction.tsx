// A transaction: what happened, why it failed, and its parts.
import type { ComponentChildren } from "preact";
import { isExplorerError } from "../../../src/errors/index.ts";
import type { CallFailure, InspectedLog } from "../../inspect/records.ts";
import type { AnswerOf } from "../../inspect/views.ts";
import { beginningOf, byteCount, grouped, inputText, share } from "../format/values.ts";
import { Arguments, CallWords, Code, NamedValues, Signature } from "../parts/code.tsx";
import { Receiver, transactionTransfers } from "../parts/columns.tsx";
import { Copy, type Fact, Facts, FullTime, Head, StatusBadge } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { FirstOf, Table } from "../parts/table.tsx";
import { type Tab, Tabs, tab } from "../parts/tabs.tsx";
import { AddressLink, Amount, BlockLink, ChainText, Time } from "../parts/text.tsx";
import { useInspect } from "../service/queries.ts";
import { CallTree, Reason } from "./calls.tsx";
import { Changes } from "./changes.tsx";
import { SourceFile, SourceLine } from "./source-file.tsx";

type Answer = AnswerOf<"transaction">;

const priceLimits = ({ max_fee_per_gas, max_priority_fee_per_gas }: Answer): ComponentChildren =>
  max_fee_per_gas !== null && [
    ...["at most ", <Amount value={max_fee_per_gas} decimals={9} />],
    ...[", tip at most ", <Amount value={max_priority_fee_per_gas} decimals={9} />],
  ];

/** Says in one sentence what happened. The head shows whether and why it failed. */
function Sentence({ answer: { transaction, call, input } }: { answer: Answer }) {
  const { sender, receiver, contract_address, value, method } = transaction;
  const to = receiver ?? contract_address;
  const isTransfer = receiver !== null && input === "0x";
  const verb = isTransfer ? "sent" : receiver === null ? "created" : "called";
  return (
    <p class="sentence">
      <AddressLink to={sender} /> {verb}{" "}
      {isTransfer ? (
        <>
          <Amount value={value} /> to{" "}
        </>
      ) : (
        <>
          {call ? <CallWords decoded={call} /> : <span class="hex">{method}</span>}
          {receiver === null ? " at " : " on "}
        </>
      )}
      {to !== null && <AddressLink to={to} />}
      {value > 0n && !isTransfer && (
        <>
          {" "}
          with <Amount value={value} />
        </>
      )}
    </p>
  );
}

type FailedCall = CallFailure["path"][number];

/** "Vault, withdraw(999)" */
function Place({ failed: { address, call } }: { failed: FailedCall }) {
  return (
    <>
      {address === null ? <span class="quiet">nothing</span> : <AddressLink to={address} />}
      {call && (
        <>
          {" in "}
          <CallWords decoded={call} />
        </>
      )}
    </>
  );
}

/** The reason, where the failure began, and which calls passed it on. */
function WhyItFailed({ failure, hash }: { failure: CallFailure; hash: string }) {
  const { kind, error, output, path } = failure;
  const began = path.findIndex(({ passed_on }) => !passed_on);
  const passed = path.slice(0, began + 1).toReversed();
  const cause = path.slice(began + 1);
  return (
    <div class="reason">
      <h2>Why it failed</h2>
      <p class="cause">
        <Reason of={failure} length={300} />
      </p>
      {path.length > 1 && (
        <ol class="failed-path" reversed>
          {passed.map((failed, index) => (
            <li key={failed.trace_address.join(".")}>
              {index === 0 ? "began at " : "passed on by "}
              <Place failed={failed} />
            </li>
          ))}
          {cause.map((failed) => (
            <li key={failed.trace_address.join(".")}>
              after <Place failed={failed} /> failed with <Reason of={failed} length={200} />
            </li>
          ))}
        </ol>
      )}
      <SourceLine hash={hash} />
      {output !== "0x" && (
        <details open={kind === "bytes"}>
          <summary>What it returned</summary>
          {error && <NamedValues values={error.arguments} />}
          <Code wrap label="What it returned">
            {beginningOf(output, 4000)}
          </Code>
        </details>
      )}
    </div>
  );
}

/** The parts of a fee that the miner does not get. */
const feeNote = ({ block, gas_used, l1_fee }: Answer): ComponentChildren => [
  ...(block.base_fee_per_gas !== null && gas_used !== null
    ? ["· burnt ", <Amount value={block.base_fee_per_gas * BigInt(gas_used)} />]
    : []),
  ...(l1_fee === null ? [] : [" · for data on the L1 ", <Amount value={l1_fee} />]),
];

const figuresOf = ({ transaction, block, gas_used, gas_limit }: Answer): readonly Fact[] => [
  ["Block", <BlockLink to={block.block_number} />, <Time at={block.timestamp} />],
  ["Value", <Amount value={transaction.value} />],
  ["Fee", <Amount value={transaction.tx_fee} />],
  ["Gas used", grouped(gas_used), share(gas_used, gas_limit)],
];

function detailsOf(answer: Answer): readonly Fact[] {
  const { transaction, block, confirmations, gas_used, gas_limit, fee_payer } = answer;
  return [
    ["From", <AddressLink to={transaction.sender} />],
    ["To", <Receiver of={transaction} />],
    [
      "Exact value",
      <Amount exact value={transaction.value} />,
      <Copy text={`${transaction.value}`} label="Copy the value in the smallest unit" />,
    ],
    ["Exact fee", <Amount exact value={transaction.tx_fee} />, feeNote(answer)],
    fee_payer !== null && ["Paid by", <AddressLink to={fee_payer} />],
    [
      "Gas price",
      <Amount exact value={answer.gas_price} decimals={9} symbol="gwei" />,
      priceLimits(answer),
    ],
    ["Gas", grouped(gas_used), `of ${grouped(gas_limit)}`],
    ["Mined at", <FullTime at={block.timestamp} />],
    [
      "Position",
      `${transaction.transaction_index} in its block; blocks on top: ${grouped(confirmations)}`,
    ],
    ["Nonce", grouped(answer.nonce)],
  ];
}

function Summary({ answer }: { answer: Answer }) {
  const { transaction, failure } = answer;
  const { transaction_hash: hash } = transaction;
  return (
    <Head
      title={
        <>
          Transaction <StatusBadge status={transaction.tx_status} />
        </>
      }
      id={hash}
      idLabel="hash"
      figures={figuresOf(answer)}
      details={detailsOf(answer)}
    >
      <Sentence answer={answer} />
      {failure !== null && <WhyItFailed failure={failure} hash={hash} />}
    </Head>
  );
}

function tabsOf(answer: Answer): readonly Tab[] {
  const { transaction, transfers, logs, failure, log_count } = answer;
  const { transaction_hash: hash, receiver } = transaction;
  const transferTable = () => (
    <Table label="Token transfers" columns={transactionTransfers(transfers)} rows={transfers} />
  );
  return [
    ...tab("transfers", "Transfers", transferTable, transfers.length),
    ...tab("changes", "Changes", () => <Changes hash={hash} />),
    ...(failure === null ? [] : tab("source", "Source", () => <SourceFile hash={hash} />)),
    ...tab("calls", "Calls", () => <CallTree hash={hash} />, answer.internal_transaction_count),
    ...tab("logs", "Logs", () => <Logs logs={logs} count={log_count} />, log_count),
    ...tab("input", receiver === null ? "Creation code" : "Input", () => <Input answer={answer} />),
  ];
}

/** A transaction that the followed node has not put into a block yet. */
const Pending = ({ hash }: { hash: string }) => (
  <section class="card head" role="status">
    <h1>
      Transaction <span class="badge warn">pending</span>
    </h1>
    <p class="hex">{hash}</p>
    <p>The node has accepted it. This page shows it once it is in a block.</p>
  </section>
);

export function TransactionView({ subject }: { subject: string }) {
  const loading = useInspect("transaction", { hash: subject });
  const { value, error } = loading;
  const isMissing = isExplorerError(error, "NOT_FOUND");
  if (isMissing && /\bpending\b/.test(error.message)) return <Pending hash={subject} />;
  const problem =
    value !== undefined && isMissing
      ? "A reorganisation undid this transaction"
      : "Could not load the transaction";
  return (
    <Loaded of={loading} what={problem} lines={8}>
      {(answer) => (
        <>
          <Summary answer={answer} />
          <Tabs label="Parts of the transaction" tabs={tabsOf(answer)} />
        </>
      )}
    </Loaded>
  );
}

/** The selector of a call and its 32-byte words, each on a line; other data as it is. */
function wordsOf(input: string, isCall: boolean): string {
  if (!isCall) return input;
  const words = input.slice(10).match(/.{1,64}/g) ?? [];
  return [input.slice(0, 10), ...words].join("\n");
}

function Input({ answer: { input, call, transaction } }: { answer: Answer }) {
  const size = (input.length - 2) / 2;
  const text = call ? undefined : inputText(input);
  if (size === 0) return <p class="empty">No input: a plain transfer.</p>;
  return (
    <>
      {call && <Arguments decoded={call} />}
      {text !== undefined && (
        <p>
          As text: <ChainText text={text} length={2000} />
        </p>
      )}
      <p class="quiet">
        Raw input, {byteCount(size)} <Copy text={input} label="Copy the input" />
      </p>
      <Code wrap label="Input">
        {beginningOf(wordsOf(input, call !== null && transaction.receiver !== null), 20_000)}
      </Code>
    </>
  );
}

function Log({ of: { log_index, address, topics, data, event } }: { of: InspectedLog }) {
  return (
    <li>
      <p class="log-head">
        <span class="badge">{log_index}</span> <AddressLink to={address} />
        {event && <Signature of={event} />}
      </p>
      {event && event.arguments.length > 0 && <NamedValues values={event.arguments} />}
      <details open={!event}>
        <summary>Topics and data</summary>
        <Facts
          facts={[
            ...topics.map(
              (topic, index): Fact => [`Topic ${index}`, <span class="hex">{topic}</span>],
            ),
            data !== "0x" && [
              "Data",
              <span class="hex">{beginningOf(data, 4000)}</span>,
              <Copy text={data} label={`Copy the data of log ${log_index}`} />,
            ],
          ]}
        />
      </details>
    </li>
  );
}

const Logs = ({ logs, count }: { logs: readonly InspectedLog[]; count: number }) => (
  <>
    <ol class="logs">
      {logs.map((log) => (
        <Log key={log.log_index} of={log} />
      ))}
    </ol>
    <FirstOf shown={logs.length} count={count} />
  </>
);

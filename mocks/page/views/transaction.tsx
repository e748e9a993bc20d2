// A transaction: its facts, fee, calls, transfers and logs, and the requests that returned it.

import { isExplorerError } from "../../../src/errors/index.ts";
import type { CallFailure, InspectedLog } from "../../inspect/records.ts";
import type { AnswerOf } from "../../inspect/views.ts";
import { beginningOf, byteCount, grouped, inputText, share } from "../format/values.ts";
import { transactionTransfers } from "../parts/account-columns.tsx";
import { Arguments, CallWords, Code } from "../parts/code.tsx";
import { Receiver } from "../parts/columns.tsx";
import { Copy, type Fact, Facts, FullTime, StatusBadge, withNote } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { formFields } from "../parts/field.tsx";
import { FirstOf, Table } from "../parts/table.tsx";
import { type Tab, Tabs, tab } from "../parts/tabs.tsx";
import { AddressLink, Amount, BlockLink, ChainText } from "../parts/text.tsx";
import { go, href } from "../router.ts";
import { admin } from "../service/admin.ts";
import { headId } from "../service/head.ts";
import { useInspect, useQuery } from "../service/queries.ts";
import { adminToken } from "../store.ts";
import { CallTree, Reason } from "./calls.tsx";
import { Changes } from "./changes.tsx";
import { SourceFile, SourceLine } from "./source-file.tsx";

function feesOf({ max_fee_per_gas, max_priority_fee_per_gas, gas_price }: AnswerOf<"transaction">) {
  return withNote(
    <>
      <Amount value={gas_price} decimals={9} /> gwei
    </>,
    ...(max_fee_per_gas === null
      ? []
      : [
          ...["at most ", <Amount value={max_fee_per_gas} decimals={9} />],
          ...[", tip at most ", <Amount value={max_priority_fee_per_gas} decimals={9} />],
        ]),
  );
}

/** What happened, in one sentence. */
function Sentence({
  answer: { transaction, call, failure, input },
}: {
  answer: AnswerOf<"transaction">;
}) {
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
      {failure !== null && (
        <>
          : <strong class="bad-text">failed</strong>, <Reason of={failure} length={200} />
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

/** The reason, where it began, and who passed it on. */
function WhyItFailed({ failure, hash }: { failure: CallFailure; hash: string }) {
  const { kind, error, output, path } = failure;
  const began = path.findIndex(({ passed_on }) => !passed_on);
  const cause = path.slice(began + 1);
  return (
    <div class="reason">
      <h2>Why it failed</h2>
      <p>
        <Reason of={failure} length={300} />
      </p>
      {path.length > 1 && (
        <ol class="failed-path" reversed>
          {path
            .slice(0, began + 1)
            .toReversed()
            .map((failed, index) => (
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
      {error && <Arguments decoded={error} />}
      {output !== "0x" && (
        <details open={kind === "bytes"}>
          <summary>What it returned</summary>
          <Code wrap label="What it returned">
            {beginningOf(output, 4000)}
          </Code>
        </details>
      )}
    </div>
  );
}

const feeOf = ({ transaction, block, gas_used, l1_fee }: AnswerOf<"transaction">) =>
  withNote(
    <Amount exact value={transaction.tx_fee} />,
    ...(block.base_fee_per_gas !== null && gas_used !== null
      ? ["· burnt ", <Amount value={block.base_fee_per_gas * BigInt(gas_used)} />]
      : []),
    ...(l1_fee === null ? [] : [" · for data on the L1 ", <Amount value={l1_fee} />]),
  );

function factsOf(answer: AnswerOf<"transaction">): readonly Fact[] {
  const { transaction, block, confirmations, gas_used, gas_limit, fee_payer } = answer;
  return [
    [
      "Block",
      withNote(
        <BlockLink to={block.block_number} />,
        `at index ${transaction.transaction_index} · ${grouped(confirmations)} on top`,
      ),
    ],
    ["Time", <FullTime at={block.timestamp} />],
    ["From", <AddressLink to={transaction.sender} />],
    ["To", <Receiver transaction={transaction} />],
    [
      "Value",
      <>
        <Amount exact value={transaction.value} />{" "}
        <Copy text={`${transaction.value}`} label="Copy the value in the smallest unit" />
      </>,
    ],
    ["Fee", feeOf(answer)],
    fee_payer !== null && ["Paid by", <AddressLink to={fee_payer} />],
    ["Gas price", feesOf(answer)],
    [
      "Gas used",
      withNote(grouped(gas_used), `of ${grouped(gas_limit)} · ${share(gas_used, gas_limit)}`),
    ],
    ["Nonce", grouped(answer.nonce)],
  ];
}

function Summary({ answer }: { answer: AnswerOf<"transaction"> }) {
  const { transaction, failure } = answer;
  return (
    <section class="card">
      <h1 class="small">
        Transaction <StatusBadge status={transaction.tx_status} />
      </h1>
      <p class="subject">
        <span class="hex">{transaction.transaction_hash}</span>{" "}
        <Copy text={transaction.transaction_hash} label="Copy the hash" />
      </p>
      <Sentence answer={answer} />
      {failure !== null && <WhyItFailed failure={failure} hash={transaction.transaction_hash} />}
      <h2 class="hidden">Details</h2>
      <Facts facts={factsOf(answer)} />
      <CompareForm hash={transaction.transaction_hash} />
    </section>
  );
}

/** Another transaction to put beside this one. */
function CompareForm({ hash }: { hash: string }) {
  const submit = (event: SubmitEvent) => {
    const other = formFields(event)("other");
    if (other !== "") go(href("compare", hash, { with: other }));
  };
  return (
    <form class="inline naming" onSubmit={submit}>
      <input
        name="other"
        aria-label="Hash of another transaction"
        placeholder="Hash of another transaction"
        autocomplete="off"
        spellcheck={false}
      />
      <button type="submit">Compare</button>
    </form>
  );
}

function tabsOf(answer: AnswerOf<"transaction">): readonly Tab[] {
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

export function TransactionView({ subject }: { subject: string }) {
  const loading = useInspect("transaction", { hash: subject });
  const isUndone = loading.value !== undefined && isExplorerError(loading.error, "NOT_FOUND");
  const what = isUndone
    ? "A reorganisation undid this transaction"
    : "Could not load the transaction";
  return (
    <Loaded of={loading} what={what} lines={8}>
      {(answer) => (
        <>
          <Summary answer={answer} />
          <Tabs label="Parts of the transaction" tabs={tabsOf(answer)} />
          <ReturnedBy hash={answer.transaction.transaction_hash} />
        </>
      )}
    </Loaded>
  );
}

function Input({ answer: { input, call } }: { answer: AnswerOf<"transaction"> }) {
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
        {byteCount(size)} <Copy text={input} label="Copy the input" />
      </p>
      <Code wrap label="Input">
        {beginningOf(input, 20_000)}
      </Code>
    </>
  );
}

function Logs({ logs, count }: { logs: readonly InspectedLog[]; count: number }) {
  return (
    <>
      <ol class="logs">
        {logs.map(({ log_index, address, topics, data, event }) => (
          <li key={log_index}>
            <p>
              <span class="badge">{log_index}</span> <AddressLink to={address} />
            </p>
            {event && <Arguments decoded={event} />}
            <details open={!event}>
              <summary>Topics and data</summary>
              <Code wrap label={`Topics and data of log ${log_index}`}>
                {[...topics, data.slice(0, 4000)].join("\n")}
              </Code>
            </details>
          </li>
        ))}
      </ol>
      <FirstOf shown={logs.length} count={count} />
    </>
  );
}

/** The newest are shown. */
const MAX_REQUESTS = 20;

/** The requests whose response contains a hash, newest first; nothing without the token, or where none did. */
function ReturnedBy({ hash }: { hash: string }) {
  const token = adminToken.use();
  const { value } = useQuery(
    ["returning", hash, token],
    async (signal) =>
      token === ""
        ? { entries: [] }
        : await admin("journal", { containing: hash, limit: MAX_REQUESTS }, { signal }),
    { version: headId.use() },
  );
  if (value === undefined || value.entries.length === 0) return null;
  return (
    <section class="card" aria-label="Requests that returned this">
      <h2>Requests that returned this</h2>
      <ul class="plain">
        {value.entries.toReversed().map(({ number, operation, method, target, status }) => (
          <li key={number}>
            <a href={href("requests", number)}>#{number}</a> {operation ?? method}{" "}
            <code>
              <ChainText text={target} length={100} />
            </code>{" "}
            <span class="quiet">{status}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

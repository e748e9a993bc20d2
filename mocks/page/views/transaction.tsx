// A transaction: its facts, fee, calls, transfers and logs.

import { isExplorerError } from "../../../src/errors/index.ts";
import type { InternalTransaction } from "../../../src/models/internal-transaction.ts";
import type { Address, Hex } from "../../../src/models/primitives.ts";
import { type Abi, toAbi } from "../../../src/resources/abi.ts";
import type { InspectedLog, InspectedTransaction } from "../../inspect/records.ts";
import type { TransactionAnswer } from "../../inspect/schema.ts";
import { bytes, exactTime, grouped } from "../format/values.ts";
import { Arguments, Code } from "../parts/code.tsx";
import { Receiver, transferColumns } from "../parts/columns.tsx";
import { Loaded } from "../parts/failure.tsx";
import { moveByArrows, Table } from "../parts/table.tsx";
import { type Tab, Tabs } from "../parts/tabs.tsx";
import { AddressLink, BlockLink, ChainText, Copy } from "../parts/text.tsx";
import { useLoad } from "../parts/use-load.ts";
import { Amount, Facts, Status, Time } from "../parts/values.tsx";
import { explorer } from "../service/explorer.ts";
import { headId } from "../service/head.ts";
import { inspect } from "../service/inspect.ts";

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

/** A loop of a contract may call without end. */
const MOST_FRAMES = 1000;

function Frame({ frame }: { frame: InternalTransaction }) {
  const { trace_type, sender, receiver, contract_address, value, status, message } = frame;
  const to = receiver ?? contract_address;
  const depth = Math.min(frame.trace_address.length, 12);
  return (
    <li style={{ "--depth": depth }} class={status === "0" ? "failed" : undefined}>
      <span class="badge">{trace_type ?? "call"}</span> <AddressLink to={sender} row />
      <span class="quiet"> → </span>
      {to === null ? <span class="quiet">nothing</span> : <AddressLink to={to} />}
      {value > 0n && (
        <>
          {" "}
          <Amount value={value} />
        </>
      )}
      {status === "0" && (
        <>
          {" "}
          <span class="badge bad">reverted</span> <ChainText text={message ?? ""} length={80} />
        </>
      )}
      {frame.gas_used !== null && <small class="quiet"> {grouped(frame.gas_used)} gas</small>}
    </li>
  );
}

const byPath = (one: InternalTransaction, other: InternalTransaction): number => {
  const [left, right] = [one.trace_address, other.trace_address];
  for (let depth = 0; depth < Math.min(left.length, right.length); depth++) {
    const difference = (left[depth] ?? 0) - (right[depth] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
};

export function CallTree({ transaction }: { transaction: InspectedTransaction }) {
  const { transaction_hash, receiver, contract_address } = transaction;
  const loading = useLoad(
    (signal) =>
      explorer.transactions
        .internalTransactions(transaction_hash, {}, { signal })
        .collect({ max: MOST_FRAMES }),
    [],
  );
  const to = receiver ?? contract_address;
  return (
    <Loaded of={loading} what="Could not load the internal transactions">
      {(frames) => (
        <>
          <ol class="calls" onKeyDown={moveByArrows}>
            <li>
              <span class="badge">transaction</span> <AddressLink to={transaction.sender} row />
              <span class="quiet"> → </span>
              {to !== null && <AddressLink to={to} />} <Amount value={transaction.value} />
            </li>
            {frames.toSorted(byPath).map((frame) => (
              <Frame key={frame.trace_address.join(".")} frame={frame} />
            ))}
          </ol>
          {frames.length === MOST_FRAMES && (
            <p class="quiet">The first {grouped(MOST_FRAMES)} are shown.</p>
          )}
        </>
      )}
    </Loaded>
  );
}

function Decoded({ contract, input }: { contract: Address; input: Hex }) {
  const loading = useLoad(
    async (signal) => {
      try {
        const abi = await explorer.contracts.abi(contract, { signal });
        const { decodeCall } = await import("../decode.ts");
        return { isVerified: true, decoded: decodeCall(abi, input) };
      } catch (error) {
        if (isExplorerError(error, "NOT_VERIFIED")) return { isVerified: false };
        throw error;
      }
    },
    [contract],
  );
  return (
    <Loaded of={loading} what="Could not decode the input">
      {({ isVerified, decoded }) =>
        decoded ? (
          <Arguments decoded={decoded} />
        ) : (
          isVerified && <p class="quiet">No function of the contract's ABI fits this input.</p>
        )
      }
    </Loaded>
  );
}

export function Input({ input, contract }: { input: Hex; contract: Address | null }) {
  const size = (input.length - 2) / 2;
  if (size === 0) return <p class="empty">No input: a plain transfer.</p>;
  return (
    <>
      {contract && size >= 4 && <Decoded contract={contract} input={input} />}
      <p class="quiet">
        {bytes(size)} <Copy text={input} label="Copy the input" />
      </p>
      <Code wrap label="Input">
        {input.slice(0, 20_000)}
        {input.length > 20_000 && "…"}
      </Code>
    </>
  );
}

/** The entry of the ABI that comes with a log. */
function abiOf({ log_abi }: InspectedLog): Abi {
  try {
    return log_abi === null ? [] : toAbi([JSON.parse(log_abi)].flat());
  } catch {
    return [];
  }
}

/** All decoded at once; undefined for those that cannot be. */
async function decodeAll(logs: readonly InspectedLog[]) {
  if (logs.every(({ log_abi }) => log_abi === null)) return [];
  const { decodeLog } = await import("../decode.ts");
  return logs.map((log) => decodeLog(abiOf(log), log.topics, log.data));
}

export function Logs({ logs, count }: { logs: readonly InspectedLog[]; count: number }) {
  // Until it is decoded, or where it cannot be, a log stands as it is.
  const { value: decoded = [] } = useLoad(() => decodeAll(logs), [logs[0]]);
  return (
    <>
      <ol class="logs">
        {logs.map((log, index) => {
          const event = decoded[index];
          return (
            <li key={log.log_index}>
              <p>
                <span class="badge">{log.log_index}</span> <AddressLink to={log.address} />{" "}
                {!event && log.log_name && <ChainText text={log.log_name} length={60} />}
              </p>
              {event && <Arguments decoded={event} />}
              <details open={!event}>
                <summary>Topics and data</summary>
                <Code wrap label={`Topics and data of log ${log.log_index}`}>
                  {[...log.topics, log.data.slice(0, 4000)].join("\n")}
                </Code>
              </details>
            </li>
          );
        })}
      </ol>
      {count > logs.length && (
        <p class="quiet">
          The first {grouped(logs.length)} of {grouped(count)} are shown.
        </p>
      )}
    </>
  );
}

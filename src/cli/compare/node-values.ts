// Compares what an explorer says with its node: blocks, transactions, logs, balances and supplies.
import { type OperationId, operations } from "../../contract/index.ts";
import { isoTime } from "../../models/primitives.ts";
import type { Row } from "../records.ts";
import { type Asker, type Raw, requestFor } from "./ask.ts";
import type { Judged } from "./compare.ts";
import { type Judgement, recordsOf, rule } from "./judge.ts";
import type { Sample } from "./sample.ts";

/** Calls a node. */
export interface Node {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** How many records of a list are compared. */
const RECORDS = 20;

const quantity = (number: bigint | number): string => `0x${number.toString(16)}`;

/** A value of a node in the form of the explorer: numbers in decimal digits, hexadecimal in lower case. */
const decimal = (hex: unknown): string | null =>
  typeof hex === "string" ? BigInt(hex).toString() : null;
const lower = (value: unknown): string | null =>
  typeof value === "string" ? value.toLowerCase() : null;
const time = (hex: unknown): string => isoTime(new Date(1000 * Number(hex)));

/** The judgements on a record that is to have these values; what the node does not say is not judged. */
function* values(record: Row, expected: Readonly<Record<string, string | null>>) {
  for (const [field, value] of Object.entries(expected)) {
    const received = record[field];
    if (value === null || received === null || received === undefined) continue;
    const kept = `${received}`.toLowerCase() === value.toLowerCase();
    yield rule("node", field, "the node's value", !kept && `${received}, the node has ${value}`);
  }
}

/** Asks both about the same. */
export async function* nodeQuestions(
  node: Node,
  asker: Asker,
  { subjects, head }: Sample,
): AsyncGenerator<Judged> {
  const at = quantity(head);
  const records = async (id: OperationId, more: Raw = {}): Promise<readonly Row[]> => {
    const subject = subjects.get(id);
    if (subject === undefined) return [];
    const answer = await asker.ask(requestFor(operations[id], { ...subject, ...more }));
    return recordsOf(answer).slice(0, RECORDS);
  };
  const object = async (method: string, ...params: readonly unknown[]): Promise<Row> =>
    Object(await node.call(method, params));
  const block = (number: unknown) =>
    object("eth_getBlockByNumber", quantity(BigInt(String(number))), false);
  const judged = async (
    id: OperationId,
    found: readonly Row[],
    expectedOf: (record: Row) => Promise<Readonly<Record<string, string | null>>>,
  ): Promise<Judged> => {
    const judgements: Judgement[] = [];
    for (const record of found) judgements.push(...values(record, await expectedOf(record)));
    return { id, asked: "values of the node", judgements };
  };

  yield await judged("B1", await records("B1"), async ({ block_number }) => {
    const { timestamp, miner } = await block(block_number);
    return { timestamp: time(timestamp), miner: lower(miner) };
  });
  yield await judged("A10", await records("A10"), async ({ block_number }) => {
    const { timestamp, miner, gasUsed, gasLimit, transactions } = await block(block_number);
    return {
      ...{ timestamp: time(timestamp), miner: lower(miner) },
      ...{ gas_used: decimal(gasUsed), gas_limit: decimal(gasLimit) },
      transaction_count: Array.isArray(transactions) ? `${transactions.length}` : null,
    };
  });
  yield await judged("A2", await records("A2"), async ({ transaction_hash }) => {
    const transaction = await object("eth_getTransactionByHash", transaction_hash);
    const receipt = await object("eth_getTransactionReceipt", transaction_hash);
    return {
      ...{ sender: lower(transaction.from), receiver: lower(transaction.to) },
      ...{ value: decimal(transaction.value), block_hash: lower(receipt.blockHash) },
      transaction_index: decimal(receipt.transactionIndex),
      block_number: decimal(receipt.blockNumber),
      tx_status: decimal(receipt.status),
      gas_price: decimal(receipt.effectiveGasPrice),
      gas_used: decimal(receipt.gasUsed),
      cumulative_gas_used: decimal(receipt.cumulativeGasUsed),
      max_fee_per_gas: decimal(transaction.maxFeePerGas),
      max_priority_fee_per_gas: decimal(transaction.maxPriorityFeePerGas),
    };
  });
  yield await judged("L1", await records("L1"), async ({ transaction_hash, log_index }) => {
    const { logs } = await object("eth_getTransactionReceipt", transaction_hash);
    const all = Array.isArray(logs) ? (logs as Row[]) : [];
    const log = all.find((one) => decimal(one.logIndex) === `${log_index}`) ?? {};
    const topics = Array.isArray(log.topics) ? log.topics.map(lower) : [];
    const named = Object.fromEntries(topics.map((topic, index) => [`topic_${index}`, topic]));
    return { address: lower(log.address), data: lower(log.data), ...named };
  });
  yield await judged("A1", await records("A1"), async ({ address }) => ({
    balance: decimal(await node.call("eth_getBalance", [address, at])),
  }));
  const called = (to: unknown, data: string) => node.call("eth_call", [{ to, data }, at]);
  const { contract_hash, address_hash } = subjects.get("T2") ?? {};
  yield await judged("T1", await records("T1"), async () => ({
    total_supply: decimal(await called(subjects.get("T1")?.contract_hash, "0x18160ddd")),
  }));
  yield await judged("T2", await records("T2"), async () => ({
    balance: decimal(
      await called(contract_hash, `0x70a08231${String(address_hash).slice(2).padStart(64, "0")}`),
    ),
  }));
}

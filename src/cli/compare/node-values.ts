// Compares what an explorer says with its node: blocks, transactions, logs, balances and supplies.
import { type OperationId, operations } from "../../contract/index.ts";
import { isoTime } from "../../models/primitives.ts";
import type { Row } from "../records.ts";
import type { Asker } from "./ask.ts";
import { type Judgement, recordsOf, rule } from "./judge.ts";
import type { Sample } from "./sample.ts";

/** A question that was asked, and the judgements on its answer. */
export interface Judged {
  readonly id: string;
  readonly asked: string;
  readonly judgements: readonly Judgement[];
}

/** Calls a node. */
export interface Node {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** How many records of a list are compared. */
const RECORDS = 20;

/** The node's names of fields that are not the explorer's in camel case. */
const NAMES: Readonly<Record<string, string>> = {
  sender: "from",
  receiver: "to",
  tx_status: "status",
  gas_price: "effectiveGasPrice",
};
const nameOf = (field: string): string =>
  NAMES[field] ?? field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const quantity = (number: unknown): string => `0x${BigInt(String(number)).toString(16)}`;

/** A node's hexadecimal value in the form that the explorer has: digits, a time, or as it is. */
function inFormOf(value: string, received: unknown): string {
  if (/^\d+$/.test(`${received}`) && value !== "0x") return BigInt(value).toString();
  return /T.*Z$/.test(`${received}`) ? isoTime(new Date(1000 * Number(value))) : value;
}

/** The judgements on the fields of a record that the node has, too: one at least. */
function* values(record: Row, node: Row): Generator<Judgement> {
  let isThere = false;
  for (const [field, received] of Object.entries(record)) {
    const value = node[nameOf(field)];
    if (typeof value !== "string" || received === null || received === undefined) continue;
    isThere = true;
    const own = inFormOf(value, received);
    const kept = `${received}`.toLowerCase() === own.toLowerCase();
    yield rule("node", field, "the node's value", !kept && `${received}, the node has ${own}`);
  }
  if (!isThere) yield rule("node", "record", "one that the node has", "none");
}

/** Asks both about the same. */
export async function* nodeQuestions(
  node: Node,
  asker: Asker,
  { subjects, head }: Sample,
): AsyncGenerator<Judged> {
  const at = quantity(head);
  const object = async (method: string, ...params: readonly unknown[]): Promise<Row> =>
    Object(await node.call(method, params));
  const called = (to: unknown, data: string) => node.call("eth_call", [{ to, data }, at]);
  const block = async ({ block_number }: Row) => {
    const found = await object("eth_getBlockByNumber", quantity(block_number), false);
    const { transactions } = found;
    return {
      ...found,
      transactionCount: Array.isArray(transactions) && quantity(transactions.length),
    };
  };
  const receipt = ({ transaction_hash }: Row) =>
    object("eth_getTransactionReceipt", transaction_hash);
  const { contract_hash, address_hash } = subjects.get("T2") ?? {};
  const holder = String(address_hash).slice(2).padStart(64, "0");
  const sources: { readonly [Id in OperationId]?: (record: Row) => Promise<Row> } = {
    B1: block,
    A10: block,
    A2: async (record) => ({
      ...(await object("eth_getTransactionByHash", record.transaction_hash)),
      ...(await receipt(record)),
    }),
    L1: async (record) => {
      const logs = [(await receipt(record)).logs].flat().map(Object) as Row[];
      const log = logs.find((one) => `${Number(one.logIndex)}` === `${record.log_index}`) ?? {};
      const topics = [log.topics].flat().map((topic, index) => [`topic_${index}`, topic]);
      return { ...log, ...Object.fromEntries(topics) };
    },
    A1: async ({ address }) => ({ balance: await node.call("eth_getBalance", [address, at]) }),
    T1: async () => ({
      totalSupply: await called(subjects.get("T1")?.contract_hash, "0x18160ddd"),
    }),
    T2: async () => ({ balance: await called(contract_hash, `0x70a08231${holder}`) }),
  };
  for (const [id, valuesOf] of Object.entries(sources)) {
    const subject = subjects.get(id);
    const operation = operations[id as OperationId];
    const answer = subject && (await asker.ask({ operation, raw: subject }));
    const records = answer ? recordsOf(answer).slice(0, RECORDS) : [];
    const judgements: Judgement[] = [];
    try {
      for (const record of records) judgements.push(...values(record, await valuesOf(record)));
    } catch (error) {
      // A node that answers, though not this: it has another chain, or less of it.
      if (!(error instanceof Error && error.name === "RpcError")) throw error;
      judgements.push(rule("node", "values", "the node's", error.message));
    }
    yield { id, asked: "values of the node", judgements };
  }
}

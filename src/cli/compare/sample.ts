// What there is to ask an explorer about, found from its own lists: accounts, tokens, transactions, contracts and its newest block.
import { type AnyOperation, type OperationId, operations } from "../../contract/index.ts";
import { findNewestBlock } from "../../lists/newest-block.ts";
import { isAddress } from "../../models/hex.ts";
import { isObject } from "../../models/issues.ts";
import type { Row } from "../records.ts";
import type { Asker, ExplorerResponse, Raw } from "./ask.ts";
import { answerLists, recordsOf, resultsOf } from "./judge.ts";

/** The address that every chain has: the sender of new tokens. */
const ZERO = "0x0000000000000000000000000000000000000000";

/** How many accounts are looked into, and how many candidates an operation tries. */
const ACCOUNTS = 8;
const TRIES = 4;

/** What the user says there is. */
export interface Given {
  readonly addresses: readonly string[];
  readonly tokens: readonly string[];
  readonly contracts: readonly string[];
}

const isSuccess = (answer: ExplorerResponse): boolean => {
  const results = resultsOf(answer);
  return answer.status === 200 && isObject(results) && Object.keys(results).length > 0;
};

/** Operations whose records are what others are asked about, in this order. */
const FIRST = "B1 A10 A3 L1 T2 T1 T4 T3 A9 A7 A8 A6".split(" ") as OperationId[];

/** What there is to ask about. */
export class Sample {
  readonly asker: Asker;
  readonly given: Given;
  /** Parameters for which an operation has something to answer: for lists, the longest that was found. */
  readonly subjects = new Map<string, Raw>();
  /** How an operation failed that never succeeded: status and request. */
  readonly failures = new Map<string, string>();
  /** The blocks of transactions. */
  readonly blocks = new Map<string, number>();
  /** The records of the longest list of an operation, and how long it is. */
  readonly #found = new Map<
    string,
    { readonly records: readonly Row[]; readonly length: number }
  >();
  /** How often an address was seen, by the field it was in. */
  readonly #seen = new Map<string, Map<string, number>>();
  head = -1;

  constructor(asker: Asker, given: Given) {
    this.asker = asker;
    this.given = given;
  }

  /** Asks an operation about each of some subjects; keeps the longest list, or the first success. */
  async look(id: OperationId, candidates: readonly Raw[]): Promise<void> {
    const operation: AnyOperation = operations[id];
    for (const raw of candidates.slice(0, TRIES)) {
      const answer = await this.asker.ask({ operation, raw });
      if (answer.status !== 200 && !this.subjects.has(id))
        this.failures.set(id, `${answer.status} (${answer.asked})`);
      const records = recordsOf(answer);
      for (const record of records) this.#note(record);
      const lengths = answerLists(answer).map(({ records: { length }, count }) =>
        Math.max(length, Number(count) || 0),
      );
      // Of several lists, the shortest says whether there is something in each.
      const length = Math.min(...lengths) * 1e6 + Math.max(...lengths);
      const isFound = id === "T3" ? records.length > 0 : isSuccess(answer);
      if (!(operation.list ? length > (this.#found.get(id)?.length ?? 0) : isFound)) continue;
      this.#found.set(id, { records, length });
      this.subjects.set(id, raw);
      this.failures.delete(id);
      if (!operation.list) return;
    }
  }

  #note(record: Row): void {
    for (const [field, value] of Object.entries(record)) {
      if (!isAddress(value) || value === ZERO) continue;
      const known = this.#seen.get(field) ?? new Map<string, number>();
      const address = value.toLowerCase();
      this.#seen.set(field, known.set(address, (known.get(address) ?? 0) + 1));
    }
    const { transaction_hash, block_number, confirmations } = record;
    const block = Number(block_number ?? Number.NaN);
    if (!(block >= 0)) return;
    if (typeof transaction_hash === "string") this.blocks.set(transaction_hash, block);
    if (confirmations != null) this.head = Math.max(this.head, block + Number(confirmations));
  }

  /** The addresses seen most often in these fields. */
  most(...fields: readonly string[]): string[] {
    const counts = new Map<string, number>();
    for (const field of fields)
      for (const [address, count] of this.#seen.get(field) ?? [])
        counts.set(address, (counts.get(address) ?? 0) + count);
    return [...counts].sort(([, one], [, other]) => other - one).map(([address]) => address);
  }

  /** What an operation is asked about: candidates from what was seen so far. */
  candidates(id: OperationId): readonly Raw[] {
    const tokens = [...this.given.tokens, ...this.most("token_address")];
    const busy = [...this.given.addresses, ...this.most("receiver", "sender")];
    const recordsOf = (of: string) => this.#found.get(of)?.records ?? [];
    if (id === "A1") return [{ addresses: [...new Set([...busy, ...tokens])].slice(0, 3) }];
    if (id === "T2" || id === "T3")
      return recordsOf(id === "T2" ? "A4" : "A5").map(({ token_address, receiver, sender }) => ({
        contract_hash: token_address,
        address_hash: receiver === ZERO ? sender : receiver,
      }));
    // Tokens first: those are the ones most often verified.
    const contracts = [...this.given.contracts, ...tokens, ...busy];
    const valuesOf = (of: string, field: string) => recordsOf(of).map((record) => record[field]);
    // Accounts that hold something: fewer have a token of a collection.
    const holders = [this.subjects.get("A8")?.address_hash, ...valuesOf("A5", "receiver")];
    const { places, resource } = operations[id];
    const values: Readonly<Record<string, readonly unknown[]>> = {
      block_number: [this.head],
      transaction_hash: id === "X3" ? valuesOf("A3", "transaction_hash") : [...this.blocks.keys()],
      contract_hash: resource === "contracts" ? contracts : tokens,
      contract_address: [...valuesOf("A5", "token_address"), ...tokens],
      address: contracts,
      address_hash: [...(id === "A3" ? tokens.slice(0, 2) : holders), ...busy],
    };
    const name = [...places.path, ...places.query].find((one) => one in values) ?? "";
    const found = new Set(id === "A10" ? this.most("miner") : values[name]);
    return [...found]
      .filter((value) => value !== undefined && value !== ZERO)
      .map((value) => ({ [name]: value }));
  }

  /** The newest block, by blocks alone. */
  async newestBlock(): Promise<number> {
    const newest = await findNewestBlock(async (block_number) => {
      const answer = await this.asker.ask({ operation: operations.B1, raw: { block_number } });
      return isSuccess(answer) ? [{ block_number }] : [];
    }, 0n);
    return Number(newest ?? 0n);
  }

  /** Looks into the accounts that are seen most often, from some that are known. */
  async lookInto(first: readonly string[]): Promise<void> {
    const known = new Set<string>();
    while (known.size < ACCOUNTS) {
      const next = [...first, ...this.most("sender", "receiver")];
      const address_hash = next.find((one) => !known.has(one));
      if (address_hash === undefined) return;
      known.add(address_hash);
      for (const id of ["A2", "A4", "A5"] as const) await this.look(id, [{ address_hash }]);
    }
  }
}

/** Looks around. @throws an Error if the first answer is none of an explorer */
export async function findSample(asker: Asker, given: Given): Promise<Sample> {
  const answer = await asker.ask({ operation: operations.B1, raw: { block_number: 1 } });
  const { status, json, headers, asked } = answer;
  // Every explorer has block 1, whatever it calls its fields.
  const isKnown =
    status !== 404 && (status !== 200 || Object.keys(recordsOf(answer)[0] ?? {}).length > 0);
  if (!isObject(json) || !isKnown) {
    const type = headers.get("content-type") ?? "without a content type";
    const expected = isObject(json) ? "block 1" : "JSON";
    throw new Error(
      `this is no explorer: ${asked} returned HTTP ${status}, ${type}; expected ${expected}`,
    );
  }
  if (status === 401 || status === 403)
    throw new Error(`the explorer refused the API key (HTTP ${status}): pass --api-key`);
  const sample = new Sample(asker, given);
  await sample.lookInto([...given.addresses, ZERO]);
  if (sample.head < 0) sample.head = await sample.newestBlock();
  // Where nobody is known, miners are.
  if (sample.subjects.size === 0) {
    for (let back = 0; back < TRIES; back++)
      await sample.look("B1", [{ block_number: Math.max(1, sample.head - back) }]);
    await sample.lookInto(sample.most("miner"));
  }
  for (const id of new Set([...FIRST, ...(Object.keys(operations) as OperationId[])]))
    if (operations[id].safe && !sample.subjects.has(id))
      await sample.look(id, sample.candidates(id));
  return sample;
}

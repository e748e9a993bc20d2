// What there is to ask an explorer about, found from its own lists: accounts, tokens, transactions, contracts and its newest block.
import { type AnyOperation, type OperationId, operations } from "../../contract/index.ts";
import { findNewestBlock } from "../../lists/newest-block.ts";
import { isAddress } from "../../models/hex.ts";
import { isObject } from "../../models/issues.ts";
import type { Row } from "../records.ts";
import { type Asker, type ExplorerResponse, type Raw, requestFor } from "./ask.ts";
import { answerLists, recordsOf, resultsOf } from "./judge.ts";

/** Addresses that busy chains have in common: the zero address (the sender of new tokens), Multicall3 and Permit2. */
const ZERO = "0x0000000000000000000000000000000000000000";
const EVERYWHERE = [
  "0xca11bde05977b3631167028862be2a173976ca11",
  "0x000000000022d473030f116ddee9f6b43ac78ba3",
];

/** How many accounts are looked into, and how many candidates an operation tries. */
const ACCOUNTS = 8;
const TRIES = 4;

/** What the user says there is. */
export interface Given {
  readonly addresses: readonly string[];
  readonly tokens: readonly string[];
  readonly contracts: readonly string[];
}

/** What there is to ask about. */
export interface Sample {
  readonly head: number;
  /** Parameters for which an operation has something to answer: for lists, the longest that was found. */
  readonly subjects: ReadonlyMap<string, Raw>;
  /** How an operation failed that never succeeded: status and request. */
  readonly failures: ReadonlyMap<string, string>;
  /** The blocks of transactions. */
  readonly blocks: ReadonlyMap<string, number>;
}

const isSuccess = (answer: ExplorerResponse): boolean => {
  const results = resultsOf(answer);
  return answer.status === 200 && isObject(results) && Object.keys(results).length > 0;
};

class Finder implements Sample {
  readonly asker: Asker;
  readonly given: Given;
  readonly subjects = new Map<string, Raw>();
  readonly failures = new Map<string, string>();
  readonly blocks = new Map<string, number>();
  /** The records of the longest list of an operation, and how long it is. */
  readonly #rows = new Map<string, readonly Row[]>();
  readonly #lengths = new Map<string, number>();
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
      const answer = await this.asker.ask(requestFor(operation, raw));
      if (answer.status !== 200 && !this.subjects.has(id))
        this.failures.set(id, `${answer.status} (${answer.asked})`);
      const lists = answerLists(answer);
      const records = recordsOf(answer);
      for (const record of records) this.#note(record);
      const lengths = lists.map((one) => Math.max(one.records.length, Number(one.count) || 0));
      // Of several lists, the shortest says whether there is something in each.
      const length = Math.min(...lengths) * 1e6 + Math.max(...lengths);
      const isFound = id === "T3" ? records.length > 0 : isSuccess(answer);
      if (!(operation.list ? length > (this.#lengths.get(id) ?? 0) : isFound)) continue;
      this.#lengths.set(id, length);
      this.subjects.set(id, raw);
      this.failures.delete(id);
      this.#rows.set(id, records);
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
    const { addresses, tokens: ours, contracts: known } = this.given;
    const tokens = [...ours, ...this.most("token_address")];
    const busy = [...addresses, ...this.most("receiver", "sender")];
    // Tokens first: those are the ones most often verified.
    const contracts = [this.subjects.get("C1")?.contract_hash, ...known, ...tokens, ...busy];
    // Accounts that hold something: those of known tokens first.
    const [all, one, two, last] = ["A6", "T3", "A5", "A4"].map(
      (of) => this.subjects.get(of)?.address_hash,
    );
    const holders = [all, one, two, ...busy, last];
    const rowsOf = (of: string) => this.#rows.get(of) ?? [];
    const collections = rowsOf("A5").map(({ token_address }) => token_address);
    const pairs = (of: string) =>
      rowsOf(of).map(({ token_address, receiver, sender }) => ({
        contract_hash: token_address,
        address_hash: receiver === ZERO ? sender : receiver,
      }));
    const values: { readonly [Id in OperationId]?: readonly unknown[] } = {
      B1: [this.head],
      A10: this.most("miner"),
      A3: [...tokens.slice(0, 2), ...busy],
      L1: contracts,
      T1: tokens,
      T4: tokens,
      A9: [...collections, ...tokens],
      A6: holders,
      A7: holders,
      A8: holders,
      X3: rowsOf("A3").map(({ transaction_hash }) => transaction_hash),
      X1: [...this.blocks.keys()],
      X2: [...this.blocks.keys()],
      C1: contracts,
      C2: contracts,
    };
    if (id === "A1") return [{ addresses: [...new Set([...busy, ...tokens])].slice(0, 3) }];
    if (id === "T2" || id === "T3") return pairs(id === "T2" ? "A4" : "A5");
    const { path, query } = operations[id].places;
    const name = path[0] ?? query.find((one) => one === "address") ?? "";
    const found = new Set(values[id]?.filter((one) => one !== undefined && one !== ZERO));
    return Array.from(found, (value) => ({ [name]: value }));
  }
}

/** The operations in the order in which one finds what the next is asked about. */
const STEPS = "B1 A10 A3 L1 T2 T1 T4 T3 A9 A6 A7 A8 X3 X1 X2 C1 C2 A1".split(" ") as OperationId[];

/** Looks around. @throws an Error if the first answer is none of an explorer */
export async function findSample(asker: Asker, given: Given): Promise<Sample> {
  const answer = await asker.ask(requestFor(operations.B1, { block_number: 1 }));
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
  const finder = new Finder(asker, given);
  await lookIntoAccounts(finder);
  if (finder.head < 0) finder.head = await newestBlock(asker);
  for (const id of STEPS) await finder.look(id, finder.candidates(id));
  return finder;
}

/** The accounts that are seen most often, from those given and those that every chain has; from miners, if those have sent nothing. */
async function lookIntoAccounts(finder: Finder): Promise<void> {
  const known = new Set<string>();
  const lookInto = async (first: readonly string[], last: readonly string[]) => {
    while (known.size < ACCOUNTS) {
      const next = [...first, ...finder.most("sender", "receiver"), ...last];
      const address_hash = next.find((one) => !known.has(one));
      if (address_hash === undefined) return;
      known.add(address_hash);
      for (const id of ["A2", "A4", "A5"] as const) await finder.look(id, [{ address_hash }]);
    }
  };
  await lookInto([...finder.given.addresses, ZERO], EVERYWHERE);
  if (finder.subjects.size > 0) return;
  finder.head = await newestBlock(finder.asker);
  for (let back = 0; back < TRIES; back++)
    await finder.look("B1", [{ block_number: Math.max(1, finder.head - back) }]);
  await lookInto(finder.most("miner"), []);
}

/** The newest block, by blocks alone. */
async function newestBlock(asker: Asker): Promise<number> {
  const newest = await findNewestBlock(async (block_number) => {
    const answer = await asker.ask(requestFor(operations.B1, { block_number }));
    return isSuccess(answer) ? [{ block_number }] : [];
  }, 0n);
  return Number(newest ?? 0n);
}

// What there is to ask an explorer about, found from its own lists: accounts, tokens, transactions, contracts and its newest block.
import { type AnyOperation, type OperationId, operations } from "../../contract/index.ts";
import { findNewestBlock } from "../../lists/newest-block.ts";
import { isAddress } from "../../models/hex.ts";
import { isObject } from "../../models/issues.ts";
import type { Row } from "../records.ts";
import { type Asker, type ExplorerResponse, type Raw, requestFor } from "./ask.ts";
import { answerLists, recordsOf, resultsOf } from "./judge.ts";

/** Addresses that busy chains have in common: the zero address (the sender of new tokens), and contracts deployed everywhere. */
const ZERO = "0x0000000000000000000000000000000000000000";
const EVERYWHERE = [
  "0xca11bde05977b3631167028862be2a173976ca11", // Multicall3
  "0x000000000022d473030f116ddee9f6b43ac78ba3", // Permit2
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

/** The service is not an explorer. */
class NotAnExplorer extends Error {}

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
  readonly rows = new Map<string, readonly Row[]>();
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
      const message = requestFor(operation, raw);
      const answer = await this.asker.ask(message);
      if (answer.status !== 200 && !this.subjects.has(id))
        this.failures.set(id, `${answer.status} (${message.method} ${answer.target})`);
      const lists = answerLists(answer);
      for (const { records } of lists) for (const record of records) this.#note(record);
      if (!operation.list && !(id === "T3" ? recordsOf(answer).length > 0 : isSuccess(answer)))
        continue;
      const lengths = lists.map(({ count, records }) =>
        Math.max(records.length, Number(count) || 0),
      );
      // Of several lists, the shortest says whether there is something in each.
      const length = Math.min(...lengths) * 1e6 + Math.max(...lengths);
      if (operation.list && !(length > (this.#lengths.get(id) ?? 0))) continue;
      this.#lengths.set(id, length);
      this.subjects.set(id, raw);
      this.failures.delete(id);
      this.rows.set(id, recordsOf(answer));
      if (!operation.list) return;
    }
  }

  #note(record: Row): void {
    for (const [field, value] of Object.entries(record)) {
      if (!isAddress(`${value}`) || value === ZERO) continue;
      const address = `${value}`.toLowerCase();
      const known = this.#seen.get(field) ?? new Map<string, number>();
      this.#seen.set(field, known.set(address, (known.get(address) ?? 0) + 1));
    }
    const { transaction_hash, block_number, confirmations } = record;
    const block = Number(block_number ?? Number.NaN);
    if (!(block >= 0)) return;
    if (typeof transaction_hash === "string") this.blocks.set(transaction_hash, block);
    if (confirmations !== undefined && confirmations !== null)
      this.head = Math.max(this.head, block + Number(confirmations));
  }

  /** The addresses seen most often in these fields. */
  most(...fields: readonly string[]): string[] {
    const counts = new Map<string, number>();
    for (const field of fields)
      for (const [address, count] of this.#seen.get(field) ?? [])
        counts.set(address, (counts.get(address) ?? 0) + count);
    return [...counts].sort(([, one], [, other]) => other - one).map(([address]) => address);
  }

  get tokens(): readonly string[] {
    return [...this.given.tokens, ...this.most("token_address")];
  }

  get busy(): readonly string[] {
    return [...this.given.addresses, ...this.most("receiver", "sender")];
  }

  /** Contracts, tokens first: those are the ones most often verified. */
  get contracts(): readonly string[] {
    return [...this.given.contracts, ...this.tokens, ...this.busy];
  }

  /** Accounts that hold something: those of known tokens first. */
  get holders(): readonly unknown[] {
    const known = ["T3", "A5", "A4"].map((id) => this.subjects.get(id)?.address_hash);
    return [known[0], known[1], ...this.busy, known[2]].filter((one) => one && one !== ZERO);
  }
}

/** Each value once as a parameter. */
const as = (name: string, values: Iterable<unknown>): Raw[] =>
  [...new Set(values)].map((value) => ({ [name]: value }));

/** What each operation is asked about: candidates from what the steps before have shown. */
const steps: readonly (readonly [OperationId, (found: Finder) => readonly Raw[]])[] = [
  ["B1", ({ head }) => [{ block_number: head }]],
  ["A10", (found) => as("address_hash", found.most("miner"))],
  ["A3", ({ tokens, busy }) => as("address_hash", [...tokens.slice(0, 2), ...busy])],
  ["L1", ({ contracts }) => as("address", contracts)],
  [
    "T2",
    ({ rows }) =>
      (rows.get("A4") ?? []).map(({ token_address, receiver, sender }) => ({
        contract_hash: token_address,
        address_hash: receiver === ZERO ? sender : receiver,
      })),
  ],
  ["T1", ({ tokens }) => as("contract_hash", tokens)],
  ["T4", ({ tokens }) => as("contract_hash", tokens)],
  [
    "T3",
    ({ rows }) =>
      (rows.get("A5") ?? []).map(({ token_address, receiver }) => ({
        contract_hash: token_address,
        address_hash: receiver,
      })),
  ],
  [
    "A9",
    ({ rows, tokens }) => {
      const collections = (rows.get("A5") ?? []).map(({ token_address }) => token_address);
      return as("contract_address", [...collections, ...tokens]);
    },
  ],
  ["A6", ({ holders }) => as("address_hash", holders)],
  [
    "A7",
    ({ subjects, holders }) =>
      as("address_hash", [subjects.get("A6")?.address_hash, ...holders].filter(Boolean)),
  ],
  [
    "A8",
    ({ subjects, holders }) =>
      as("address_hash", [subjects.get("A6")?.address_hash, ...holders].filter(Boolean)),
  ],
  [
    "X3",
    ({ rows }) =>
      as(
        "transaction_hash",
        (rows.get("A3") ?? []).map((one) => one.transaction_hash),
      ),
  ],
  ["X1", ({ blocks }) => as("transaction_hash", blocks.keys())],
  ["X2", ({ blocks }) => as("transaction_hash", blocks.keys())],
  ["C1", ({ contracts }) => as("contract_hash", contracts)],
  [
    "C2",
    ({ subjects, contracts }) =>
      [subjects.get("C1") ?? {}, ...as("contract_hash", contracts)].filter(
        (one) => "contract_hash" in one,
      ),
  ],
  ["A1", ({ busy, tokens }) => [{ addresses: [...new Set([...busy, ...tokens])].slice(0, 3) }]],
];

/** Looks around. @throws NotAnExplorer if the first answer is none of an explorer */
export async function findSample(asker: Asker, given: Given): Promise<Sample> {
  const first = requestFor(operations.B1, { block_number: 1 });
  const answer = await asker.ask(first);
  const { status, json, headers } = answer;
  // Every explorer has block 1, whatever it calls its fields.
  const isKnown =
    status !== 404 && (status !== 200 || Object.keys(recordsOf(answer)[0] ?? {}).length > 0);
  if (!isObject(json) || !isKnown) {
    const type = headers.get("content-type") ?? "without a content type";
    const expected = isObject(json) ? "block 1" : "JSON";
    throw new NotAnExplorer(
      `this is no explorer: GET ${first.target} returned HTTP ${status}, ${type}; expected ${expected}`,
    );
  }
  if (status === 401 || status === 403)
    throw new NotAnExplorer(`the explorer refused the API key (HTTP ${status}): pass --api-key`);
  const finder = new Finder(asker, given);
  await lookIntoAccounts(finder);
  if (finder.head < 0) finder.head = await newestBlock(asker);
  for (const [id, candidatesOf] of steps) await finder.look(id, candidatesOf(finder));
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
    const answer = await asker.ask(requestFor(operations.B1 as AnyOperation, { block_number }));
    return isSuccess(answer) ? [{ block_number }] : [];
  }, 0n);
  return Number(newest ?? 0n);
}

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

/** An address and a hash that no chain has. */
export const NO_ADDRESS = "0x00000000000000000000000000000000c0ffee01";
export const NO_HASH = `0x${"c0ffee".padStart(64, "0")}`;

/** What there is to ask about. */
export interface Sample {
  readonly head: number;
  /** Parameters for which an operation has something to answer: for lists, the longest that was found. */
  readonly subjects: ReadonlyMap<string, Raw>;
  /** The blocks of transactions. */
  readonly blocks: ReadonlyMap<string, number>;
}

/** The service is not an explorer. */
class NotAnExplorer extends Error {}

/** How many accounts are looked into, and how many candidates are tried for what is rare. */
const ACCOUNTS = 8;
const TRIES = 4;

class Finder {
  readonly asker: Asker;
  readonly subjects = new Map<string, Raw>();
  readonly blocks = new Map<string, number>();
  readonly lengths = new Map<string, number>();
  /** How often an address was seen, by the field it was in. */
  readonly seen = new Map<string, Map<string, number>>();
  head = -1;

  constructor(asker: Asker) {
    this.asker = asker;
  }

  /** Asks for a list, remembers the subject if its list is the longest so far, and notes who is in it. */
  async look(id: OperationId, raw: Raw): Promise<readonly Row[]> {
    const answer = await this.asker.ask(requestFor(operations[id], raw));
    const lists = answerLists(answer);
    const records = lists.flatMap((one) => one.records);
    const lengths = lists.map(({ count, records }) => Math.max(records.length, Number(count) || 0));
    // Of several lists, the shortest says whether there is something in each.
    const length = Math.min(...lengths) * 1e6 + Math.max(...lengths);
    if (records.length > 0 && length > (this.lengths.get(id) ?? 0)) {
      this.lengths.set(id, length);
      this.subjects.set(id, raw);
    }
    for (const record of records) this.#note(record);
    return records;
  }

  #note(record: Row): void {
    for (const [field, value] of Object.entries(record)) {
      if (!isAddress(`${value}`) || value === ZERO) continue;
      const address = `${value}`.toLowerCase();
      const known = this.seen.get(field) ?? new Map<string, number>();
      this.seen.set(field, known.set(address, (known.get(address) ?? 0) + 1));
    }
    const { transaction_hash, block_number, confirmations } = record;
    const block = Number(block_number);
    if (typeof transaction_hash === "string" && block_number !== undefined && block >= 0)
      this.blocks.set(transaction_hash, block);
    if (confirmations !== undefined && confirmations !== null && block >= 0)
      this.head = Math.max(this.head, block + Number(confirmations));
  }

  /** The addresses seen most often in these fields. */
  most(...fields: readonly string[]): string[] {
    const counts = new Map<string, number>();
    for (const field of fields)
      for (const [address, count] of this.seen.get(field) ?? [])
        counts.set(address, (counts.get(address) ?? 0) + count);
    return [...counts].sort(([, one], [, other]) => other - one).map(([address]) => address);
  }

  /** Keeps the first of some parameters that an operation answers with a success. */
  async first(id: OperationId, candidates: readonly Raw[], accept = isSuccess): Promise<void> {
    for (const raw of candidates.slice(0, TRIES)) {
      if (!accept(await this.asker.ask(requestFor(operations[id], raw)))) continue;
      this.subjects.set(id, raw);
      return;
    }
  }
}

const isSuccess = (answer: ExplorerResponse): boolean => {
  const results = resultsOf(answer);
  return answer.status === 200 && isObject(results) && Object.keys(results).length > 0;
};

const hasRecords = (answer: ExplorerResponse): boolean => recordsOf(answer).length > 0;

/** Looks around. @throws NotAnExplorer if the first answer is none of an explorer */
export async function findSample(asker: Asker, given: readonly string[]): Promise<Sample> {
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
  const finder = new Finder(asker);
  await lookIntoAccounts(finder, given);
  if (finder.subjects.size === 0)
    throw new NotAnExplorer(
      "the explorer has no transaction and no token of the addresses that most chains have: pass --address with a busy account",
    );
  if (finder.head < 0) finder.head = await newestBlock(asker);
  await lookIntoRare(finder);
  return finder;
}

async function lookIntoAccounts(finder: Finder, given: readonly string[]): Promise<void> {
  const known = new Set<string>();
  const next = () =>
    [...given, ZERO, ...finder.most("sender", "receiver"), ...EVERYWHERE].find(
      (one) => !known.has(one),
    );
  while (known.size < ACCOUNTS) {
    const address_hash = next();
    if (address_hash === undefined) break;
    known.add(address_hash);
    await finder.look("A2", { address_hash });
    await finder.look("A4", { address_hash });
    await finder.look("A5", { address_hash });
  }
}

/** The lists and records that few accounts have. */
async function lookIntoRare(finder: Finder): Promise<void> {
  const { subjects } = finder;
  const tokens = finder.most("token_address");
  const busy = finder.most("receiver", "sender");
  const subject = (id: OperationId) => Object.values(subjects.get(id) ?? {})[0];
  for (const address_hash of [...tokens.slice(0, 2), ...busy].slice(0, TRIES))
    await finder.look("A3", { address_hash });
  for (const address of [...tokens, ...busy].slice(0, TRIES)) await finder.look("L1", { address });
  await lookIntoTokens(finder);
  const owner = subjects.get("T3")?.address_hash;
  const holders = [...new Set([owner, subject("A5"), ...busy, subject("A4")])].filter(
    (one) => isAddress(`${one}`) && one !== ZERO,
  );
  for (const address_hash of holders.slice(0, TRIES)) await finder.look("A6", { address_hash });
  for (const id of ["A7", "A8"] as const)
    for (const address_hash of new Set([subject("A6"), ...holders.slice(0, 2)]))
      if (address_hash !== undefined) await finder.look(id, { address_hash });
  const frames = await finder.look("A3", subjects.get("A3") ?? { address_hash: ZERO });
  for (const transaction_hash of new Set(frames.map((one) => one.transaction_hash)))
    if (!subjects.has("X3")) await finder.look("X3", { transaction_hash });
  const hashes = [...finder.blocks.keys()].map((transaction_hash) => ({ transaction_hash }));
  await finder.first("X1", hashes);
  await finder.first("X2", hashes);
  const contracts = [...new Set([...tokens, ...busy])].map((contract_hash) => ({ contract_hash }));
  await finder.first("C1", contracts);
  const verified = subjects.get("C1");
  if (verified) subjects.set("C2", verified);
  subjects.set("A1", { addresses: [...new Set([...busy, ...tokens])].slice(0, 3) });
  const { head } = finder;
  subjects.set("B1", { block_number: head });
  const mined = await finder.asker.ask(requestFor(operations.B1, { block_number: head }));
  const { miner } = recordsOf(mined)[0] ?? {};
  if (isAddress(`${miner}`)) await finder.look("A10", { address_hash: miner });
}

/** A token of each standard, with somebody who holds some. */
async function lookIntoTokens(finder: Finder): Promise<void> {
  const { subjects } = finder;
  const transfersOf = async (id: "A4" | "A5") => {
    const subject = subjects.get(id);
    return subject ? await finder.look(id, subject) : [];
  };
  const held = (await transfersOf("A4")).map(({ token_address, receiver, sender }) => ({
    contract_hash: token_address,
    address_hash: receiver === ZERO ? sender : receiver,
  }));
  await finder.first("T2", held);
  const contract = subjects.get("T2")?.contract_hash;
  if (contract !== undefined)
    for (const id of ["T1", "T4"] as const) await finder.first(id, [{ contract_hash: contract }]);
  const items = await transfersOf("A5");
  const owners = items.map(({ token_address, receiver }) => ({
    contract_hash: token_address,
    address_hash: receiver,
  }));
  await finder.first("T3", owners, hasRecords);
  for (const contract_address of new Set(items.map((one) => one.token_address)))
    if ((finder.lengths.get("A9") ?? 0) < 3e6) await finder.look("A9", { contract_address });
}

/** The newest block, by blocks alone. */
async function newestBlock(asker: Asker): Promise<number> {
  const newest = await findNewestBlock(async (block_number) => {
    const answer = await asker.ask(requestFor(operations.B1 as AnyOperation, { block_number }));
    return isSuccess(answer) ? [{ block_number }] : [];
  }, 0n);
  return Number(newest ?? 0n);
}

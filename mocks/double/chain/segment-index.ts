// The indexes of a segment: which transactions, frames and logs belong to an address or a topic, by their numbers.
import type { PartiesOf } from "./block-effects.ts";
import { grown, Ids, lowerBound, room, type SomeIds, type SortedIds } from "./ids.ts";
import { PairIds } from "./interned.ts";
import type { Block, Hash, TokenStandard } from "./records.ts";

/** The addresses of a transaction or frame, as interned numbers. */
export type Parties = PartiesOf<number>;

export class SegmentIndex {
  readonly minedBy = new Postings();
  readonly transactionsOf = {
    all: new Postings(),
    from: new Postings(),
    to: new Postings(),
    contract: new Postings(),
  };
  /** The transactions that failed, under one key, and those of a selector, by its number. */
  readonly failed = new Postings();
  readonly calling = new Postings();
  readonly framesOf = new Postings();
  readonly logsOf = new Postings();
  /** By the first topic. */
  readonly logsOfEvent = new Postings();
  /** The logs of an address with a topic at a position, by the number of both. */
  readonly #logsWith = new Postings();
  readonly #topicsOf = new PairIds();
  /** Of each log, plus 1; 0 without topics. */
  readonly #firstTopicOfLog = new Ids();
  /** `notIndexed` has those in whose logs nothing is indexed: the contract says of which standard they are. */
  readonly transfersOf = {
    mrc20: new Postings(),
    mrc721: new Postings(),
    notIndexed: new Postings(),
  };
  /** The logs that transfer several token ids, with their number. */
  readonly consecutive = new Map<number, number>();

  addTransaction(parties: Parties, id: number): void {
    const { all, from, to, contract } = this.transactionsOf;
    from.add(parties.from, id);
    if (parties.to !== null) to.add(parties.to, id);
    if (parties.created !== null) contract.add(parties.created, id);
    addAll(all, parties, id);
  }

  addFrame(parties: Parties, id: number): void {
    addAll(this.framesOf, parties, id);
  }

  addLog(address: number, topics: readonly number[], id: number): void {
    this.logsOf.add(address, id);
    this.#firstTopicOfLog.push((topics[0] ?? -1) + 1);
    if (topics[0] !== undefined) this.logsOfEvent.add(topics[0], id);
    for (const [position, topic] of topics.entries())
      this.#logsWith.add(this.#topicsOf.intern(address, topicKey(topic, position)), id);
  }

  get logCount(): number {
    return this.#firstTopicOfLog.length;
  }

  /** The logs of an address with a topic at a position. */
  logsWith(address: number, topic: number, position: number): SortedIds {
    return this.#logsWith.of(this.#topicsOf.find(address, topicKey(topic, position)));
  }

  hasFirstTopic(id: number, topic: number): boolean {
    return this.#firstTopicOfLog.at(id) === topic + 1;
  }

  /** `count` is the number of token ids that the log transfers. */
  addTransfer(
    standard: TokenStandard | undefined,
    [from, to]: readonly [number, number],
    id: number,
    count: number,
  ): void {
    const postings = this.transfersOf[standard ?? "notIndexed"];
    postings.add(from, id);
    postings.add(to, id);
    if (count > 1) this.consecutive.set(id, count);
  }
}

function addAll(postings: Postings, { from, to, created }: Parties, id: number): void {
  postings.add(from, id);
  if (to !== null) postings.add(to, id);
  if (created !== null) postings.add(created, id);
}

/** Exact below 2^30 topics. */
export const topicKey = (topic: number, position: number): number => topic * 4 + position;

/** Number of entries kept. */
const KEPT = 128;

/** Keeps the keys of the longest lists of postings. Lists only grow, so those that did not are among the longest only if they were before. */
export class Busiest {
  readonly #postings: Postings;
  readonly #keysOf: (id: number) => readonly number[];
  /** The ids that are accounted for. */
  #seen = 0;
  #keys: readonly number[] = [];

  /** `keysOf` gives the keys whose lists have an id. */
  constructor(postings: Postings, keysOf: (id: number) => readonly number[]) {
    this.#postings = postings;
    this.#keysOf = keysOf;
  }

  /** The keys of the longest lists, when there are `count` ids. */
  keys(count: number): readonly number[] {
    const added = count - this.#seen;
    if (added > 0) {
      // Reading all lists costs less than reading many transactions.
      this.#keys = longest(
        this.#postings,
        added > this.#postings.size ? this.#postings.keys() : this.#candidates(count),
      );
      this.#seen = count;
    }
    return this.#keys;
  }

  #candidates(count: number): Set<number> {
    const candidates = new Set(this.#keys);
    for (let id = this.#seen; id < count; id++)
      for (const key of this.#keysOf(id)) candidates.add(key);
    return candidates;
  }
}

/** The keys of the longest lists, the longest first. */
function longest(postings: Postings, keys: Iterable<number>): readonly number[] {
  const length = (key: number) => postings.count(key);
  const cut = (some: readonly number[]) =>
    some.toSorted((one, other) => length(other) - length(one)).slice(0, KEPT);
  let best: number[] = [];
  let least = 0;
  for (const key of keys) {
    if (length(key) <= least) continue;
    best.push(key);
    if (best.length < 8 * KEPT) continue;
    best = cut(best);
    least = length(best.at(-1) ?? 0);
  }
  return cut(best);
}

export class BlockHashes {
  readonly #blocks: readonly Block[];
  readonly #indexes = new Map<Hash, number>();
  /** The blocks that are indexed. */
  #seen = 0;

  /** `blocks` may grow. */
  constructor(blocks: readonly Block[]) {
    this.#blocks = blocks;
  }

  /** The position of the block with a hash. */
  find(hash: Hash): number | undefined {
    for (; this.#seen < this.#blocks.length; this.#seen++) {
      const block = this.#blocks[this.#seen];
      if (block !== undefined) this.#indexes.set(block.hash, this.#seen);
    }
    return this.#indexes.get(hash);
  }
}

/** A list is a chain of chunks, each half as long as those before it together. By chunk: how many ids are in those before it. */
const BEFORE: number[] = [0, 3];
for (let total = 3; total < 2 ** 32; BEFORE.push(total))
  total += Math.max(3, Math.floor(total / 2));

const NONE = new Uint32Array(0);

export class Postings {
  /** By key: the number of ids. */
  #counts = NONE;
  /** By key: where its last chunk starts, or its only id. */
  #tails = NONE;
  /** By key: the number of its last chunk. */
  #chunks = new Uint8Array(0);
  /** The chunks of all lists; before each but the first of a list, where the one before it starts. */
  #items = NONE;
  #used = 0;
  /** The number of keys. */
  size = 0;

  /** Adds an id, once: ids come in order, so a duplicate is always the last one. */
  add(key: number, id: number): void {
    if (key >= this.#counts.length) this.#growKeys(key + 1);
    const count = this.#counts[key] as number;
    if (count === 0) {
      this.#tails[key] = id;
      this.size++;
    } else if (count === 1) {
      const only = this.#tails[key] as number;
      if (only === id) return;
      const start = this.#reserve(BEFORE[1] as number);
      this.#items[start] = only;
      this.#items[start + 1] = id;
      this.#tails[key] = start;
    } else {
      const chunk = this.#chunks[key] as number;
      const tail = this.#tails[key] as number;
      const end = tail + count - (BEFORE[chunk] as number);
      if (this.#items[end - 1] === id) return;
      if (count === BEFORE[chunk + 1]) this.#addChunk(key, chunk + 1, id);
      else this.#items[end] = id;
    }
    this.#counts[key] = count + 1;
  }

  *keys(): Generator<number> {
    for (const [key, count] of this.#counts.entries()) if (count > 0) yield key;
  }

  /** The number of ids of a key. */
  count(key: number): number {
    return this.#counts[key] ?? 0;
  }

  of(key: number): SortedIds {
    return new PostingList(this, key);
  }

  /** The id at a position of a key's list. */
  at(key: number, position: number): number {
    if (this.count(key) === 1) return this.#tails[key] as number;
    let chunk = this.#chunks[key] as number;
    let start = this.#tails[key] as number;
    for (; position < (BEFORE[chunk] as number); chunk--) start = this.#items[start - 1] as number;
    return this.#items[start + position - (BEFORE[chunk] as number)] as number;
  }

  /** The number of a key's ids below `id`. */
  countBelow(key: number, id: number): number {
    const count = this.count(key);
    if (count < 2) return count === 1 && (this.#tails[key] as number) < id ? 1 : 0;
    let chunk = this.#chunks[key] as number;
    let start = this.#tails[key] as number;
    for (; chunk > 0 && (this.#items[start] as number) >= id; chunk--)
      start = this.#items[start - 1] as number;
    const before = BEFORE[chunk] as number;
    const end = start + Math.min(count, BEFORE[chunk + 1] as number) - before;
    return before + lowerBound(this.#items, id, end, start) - start;
  }

  /** A key's ids at the positions from `start` up to, not including, `end`. */
  slice(key: number, start: number, end: number): readonly number[] {
    const length = Math.min(end, this.count(key)) - start;
    if (length <= 0) return [];
    if (this.count(key) === 1) return [this.#tails[key] as number];
    const ids: number[] = new Array(length);
    let chunk = this.#chunks[key] as number;
    let tail = this.#tails[key] as number;
    let before = BEFORE[chunk] as number;
    for (let at = start + length - 1; at >= start; at--) {
      while (at < before) {
        tail = this.#items[tail - 1] as number;
        before = BEFORE[--chunk] as number;
      }
      ids[at - start] = this.#items[tail + at - before] as number;
    }
    return ids;
  }

  #addChunk(key: number, chunk: number, id: number): void {
    const start = this.#reserve(1 + (BEFORE[chunk + 1] as number) - (BEFORE[chunk] as number)) + 1;
    this.#items[start - 1] = this.#tails[key] as number;
    this.#items[start] = id;
    this.#tails[key] = start;
    this.#chunks[key] = chunk;
  }

  /** The start of this many free items. */
  #reserve(size: number): number {
    const start = this.#used;
    this.#used += size;
    if (this.#used > this.#items.length) this.#items = grown(this.#items, this.#used);
    return start;
  }

  #growKeys(size: number): void {
    this.#counts = grown(this.#counts, size);
    this.#tails = grown(this.#tails, size);
    const chunks = new Uint8Array(room(size));
    chunks.set(this.#chunks);
    this.#chunks = chunks;
  }
}

/** A list of an index, which grows with it. */
class PostingList implements SortedIds {
  readonly #postings: Postings;
  readonly #key: number;

  constructor(postings: Postings, key: number) {
    this.#postings = postings;
    this.#key = key;
  }

  get length(): number {
    return this.#postings.count(this.#key);
  }

  at(position: number): number {
    return this.#postings.at(this.#key, position);
  }

  countBelow(id: number): number {
    return this.#postings.countBelow(this.#key, id);
  }

  slice(start: number, end: number): readonly number[] {
    return this.#postings.slice(this.#key, start, end);
  }
}

/** The ids that matched among the first `checked` logs. A segment only grows, so they stay matches. */
interface Matches {
  readonly ids: number[];
  checked: number;
}

/** The ids kept in all: 16 MB. An entry without ids counts too. */
const MAX_SIZE = 2 ** 21;
const sizeOf = ({ ids }: Matches): number => 32 + ids.length;

export class LogMatches {
  /** The least recently used first. */
  readonly #kept = new Map<string, Matches>();
  readonly #limit: number;
  #size = 0;

  constructor(limit = MAX_SIZE) {
    this.#limit = limit;
  }

  /** At most the limit. */
  get size(): number {
    return this.#size;
  }

  /** All matches of a filter among the first `count` logs; `matchesFrom` finds those whose id is not below its argument. */
  of(filter: string, count: number, matchesFrom: (start: number) => SomeIds): readonly number[] {
    const kept = this.#kept.get(filter);
    const matches = kept ?? { ids: [], checked: 0 };
    if (kept !== undefined) this.#drop(filter, kept);
    if (matches.checked < count) {
      for (const id of matchesFrom(matches.checked)) matches.ids.push(id);
      matches.checked = count;
    }
    this.#kept.set(filter, matches);
    this.#size += sizeOf(matches);
    for (const [oldest, other] of this.#kept) {
      if (this.#size <= this.#limit) break;
      this.#drop(oldest, other);
    }
    return matches.ids;
  }

  #drop(filter: string, matches: Matches): void {
    this.#kept.delete(filter);
    this.#size -= sizeOf(matches);
  }
}

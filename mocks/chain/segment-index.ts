// The indexes of a segment: which transactions, frames and logs belong to an address or a topic, by their numbers.
import type { PartiesOf } from "./coin-moves.ts";
import { Ids, type SortedIds } from "./ids.ts";
import { PairIds } from "./pair-ids.ts";
import { Postings } from "./postings.ts";
import type { TokenStandard } from "./records.ts";

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
  readonly framesOf = new Postings();
  readonly logsOf = new Postings();
  /** The logs of an address with a topic at a position, by the number of both. */
  readonly #logsWith = new Postings();
  readonly #topicsOf = new PairIds();
  /** Of each log, plus 1; 0 without topics. */
  readonly #firstTopicOfLog = new Ids();
  readonly transfersOf = { mrc20: new Postings(), mrc721: new Postings() };
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
    standard: TokenStandard,
    [from, to]: readonly [number, number],
    id: number,
    count: number,
  ): void {
    this.transfersOf[standard].add(from, id);
    this.transfersOf[standard].add(to, id);
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

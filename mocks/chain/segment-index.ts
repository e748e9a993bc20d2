// The indexes of a segment: which transactions, frames and logs belong to an address or a topic, by their numbers.
import { Ids } from "./ids.ts";
import { Postings } from "./postings.ts";
import type { TokenStandard } from "./records.ts";

/** The addresses of a transaction or frame, as interned numbers. */
export interface Parties {
  readonly from: number;
  readonly to: number | null;
  readonly created: number | null;
}

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
  /** The logs of an address with a first topic, by both. */
  readonly logsWithFirstTopic = new Postings();
  /** The logs with a later topic, by the topic and its position. */
  readonly logsWithTopic = new Postings();
  /** Of each log. */
  readonly #addressOfLog = new Ids();
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
    this.#addressOfLog.push(address);
    this.#firstTopicOfLog.push((topics[0] ?? -1) + 1);
    for (const [position, topic] of topics.entries()) {
      if (position === 0) this.logsWithFirstTopic.add(pairKey(address, topic), id);
      else this.logsWithTopic.add(topicKey(topic, position), id);
    }
  }

  get logCount(): number {
    return this.#addressOfLog.length;
  }

  /** Whether a log is of an address, and has a first topic if one is given. */
  isLogOf(id: number, address: number, firstTopic: number | undefined): boolean {
    return (
      this.#addressOfLog.at(id) === address &&
      (firstTopic === undefined || this.#firstTopicOfLog.at(id) === firstTopic + 1)
    );
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

/** Two ids as one key: exact, as each stays below 2^26. */
export const pairKey = (address: number, topic: number): number => address * 2 ** 26 + topic;

export const topicKey = (topic: number, position: number): number => topic * 4 + position;

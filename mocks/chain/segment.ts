// Consecutive blocks and their indexes. A segment only grows; forks share segments. Ids are positions in it.
import { idsIn, type SortedIds } from "./ids.ts";
import {
  type Address,
  type Block,
  type BlockInput,
  type ChainTransaction,
  type Execution,
  type Frame,
  type Hash,
  type Log,
  selectorOf,
  type TokenStandard,
} from "./records.ts";
import { type TransferEvent, type TransferredLog, transferIn } from "./transfer-event.ts";

/** Ids by key, each list ascending. */
class Postings {
  readonly #lists = new Map<string, number[]>();

  /** Adds an id once: ids come in order, so a duplicate is always the last one. */
  add(key: string, id: number): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [id]);
    else if (list.at(-1) !== id) list.push(id);
  }

  of(key: string): SortedIds {
    return idsIn(this.#lists.get(key) ?? []);
  }

  keys(): Iterable<string> {
    return this.#lists.keys();
  }
}

/** A log that moves tokens, and which of its transfers this is. */
export interface TransferPlace {
  readonly log: number;
  readonly nth: number;
}

const MAX_BUSIEST = 128;

export class Segment {
  readonly inputs: BlockInput[] = [];
  readonly blocks: Block[] = [];
  /** The ids of the first record of each block; the last entry is for the next block. */
  readonly firstOf = { transactions: [0], frames: [0], logs: [0], transfers: [0] };

  readonly executions: Execution[] = [];
  readonly transactions: ChainTransaction[] = [];
  readonly frames: Frame[] = [];
  readonly logs: Log[] = [];
  readonly transfers: TransferPlace[] = [];
  /** By transaction: its first frame. */
  readonly #firstFrames: number[] = [];
  readonly #ids = new Map<Hash, number>();
  readonly #blocksByHash = new Map<Hash, number>();

  readonly minedBy = new Postings();
  readonly transactionsOf = {
    all: new Postings(),
    from: new Postings(),
    to: new Postings(),
    contract: new Postings(),
  };
  /** The transactions that failed (""), and those that call a selector. */
  readonly failed = new Postings();
  readonly calling = new Postings();
  readonly framesOf = new Postings();
  readonly logsOf = new Postings();
  readonly logsOfEvent = new Postings();
  readonly #logsWith = new Postings();
  /** Transfers by standard and holder; `unsure`: only the contract can say which standard. */
  readonly transfersOf = { mrc20: new Postings(), mrc721: new Postings(), unsure: new Postings() };

  /** Returns the transfers in its logs. */
  append(input: BlockInput): readonly TransferredLog[] {
    const { block, executions } = input;
    this.#addHashes(block, executions);
    this.#blocksByHash.set(block.hash, this.blocks.length);
    this.minedBy.add(block.miner, this.blocks.length);
    this.blocks.push(block);
    this.inputs.push(input);
    const transfers = executions.flatMap((execution) => this.#addExecution(execution));
    this.firstOf.transactions.push(this.transactions.length);
    this.firstOf.frames.push(this.frames.length);
    this.firstOf.logs.push(this.logs.length);
    this.firstOf.transfers.push(this.transfers.length);
    return transfers;
  }

  /** The id of a transaction, or -1. */
  find(hash: Hash): number {
    return this.#ids.get(hash) ?? -1;
  }

  blockOfHash(hash: Hash): number | undefined {
    return this.#blocksByHash.get(hash);
  }

  framesOfTransaction(id: number): SortedIds {
    const first = this.#firstFrames[id] as number;
    const end = this.#firstFrames[id + 1] ?? this.frames.length;
    return idsIn(Array.from({ length: end - first }, (_, nth) => first + nth));
  }

  /** The logs of an address with a topic at a position. */
  logsWith(address: Address, topic: Hash, position: number): SortedIds {
    return this.#logsWith.of(`${address} ${position} ${topic}`);
  }

  /** The addresses with most transactions, the busiest first. */
  busiestAddresses(): readonly Address[] {
    const { all } = this.transactionsOf;
    const counts = Array.from(all.keys(), (key) => [key as Address, all.of(key).length] as const);
    counts.sort(([, one], [, other]) => other - one);
    return counts.slice(0, MAX_BUSIEST).map(([address]) => address);
  }

  /** Adds the hashes of all transactions, or throws and adds none. */
  #addHashes(block: Block, executions: readonly Execution[]): void {
    const before = this.transactions.length;
    for (const [index, { transaction }] of executions.entries()) {
      if (this.#ids.has(transaction.hash)) {
        for (const { transaction: added } of executions.slice(0, index))
          this.#ids.delete(added.hash);
        throwKnown(block, transaction.hash);
      }
      this.#ids.set(transaction.hash, before + index);
    }
  }

  #addExecution(execution: Execution): TransferredLog[] {
    const { transaction, frames, logs } = execution;
    const id = this.transactions.length;
    const { all, from, to, contract } = this.transactionsOf;
    from.add(transaction.from, id);
    if (transaction.to !== null) to.add(transaction.to, id);
    if (transaction.created !== null) contract.add(transaction.created, id);
    addParties(all, transaction, id);
    if (transaction.succeeded === false) this.failed.add("", id);
    const selector = selectorOf(transaction);
    if (selector !== null) this.calling.add(selector, id);
    this.#firstFrames.push(this.frames.length);
    this.executions.push(execution);
    this.transactions.push(transaction);
    for (const frame of frames) {
      addParties(this.framesOf, frame, this.frames.length);
      this.frames.push(frame);
    }
    return logs.flatMap((log) => this.#addLog(log));
  }

  #addLog(log: Log): TransferredLog[] {
    const id = this.logs.push(log) - 1;
    this.logsOf.add(log.address, id);
    if (log.topics[0] !== undefined) this.logsOfEvent.add(log.topics[0], id);
    for (const [position, topic] of log.topics.entries())
      this.#logsWith.add(`${log.address} ${position} ${topic}`, id);
    const event = transferIn(log);
    if (event === undefined) return [];
    this.#addTransfer(id, event);
    return [{ log, event }];
  }

  #addTransfer(log: number, { standard, from, to, count }: TransferEvent): void {
    const postings = this.transfersOf[standard ?? "unsure"];
    for (let nth = 0; nth < count; nth++) {
      const id = this.transfers.push({ log, nth }) - 1;
      postings.add(from, id);
      postings.add(to, id);
    }
  }

  /** The transfers of a holder that are of a standard, or may be. */
  transfersFor(holder: Address, standard: TokenStandard): SortedIds {
    const sure = this.transfersOf[standard].of(holder);
    const unsure = this.transfersOf.unsure.of(holder);
    if (unsure.length === 0) return sure;
    const all = [...sure.slice(0, sure.length), ...unsure.slice(0, unsure.length)];
    return idsIn(all.sort((one, other) => one - other));
  }
}

function addParties(
  postings: Postings,
  { from, to, created }: Pick<Frame, "from" | "to" | "created">,
  id: number,
): void {
  postings.add(from, id);
  if (to !== null) postings.add(to, id);
  if (created !== null) postings.add(created, id);
}

/** Throws for a transaction that the chain already has. */
export function throwKnown(block: Block, hash: Hash): never {
  throw new Error(
    `Cannot append block ${block.number}: the chain already has its transaction ${hash}`,
  );
}

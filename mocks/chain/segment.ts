// Consecutive blocks with posting lists of their records. A segment only grows, so that forks of a
// chain can share it.
import type { LogFilter } from "./reader.ts";
import {
  type Address,
  type Block,
  type BlockInput,
  type ChainTransaction,
  compareLogs,
  type Execution,
  type Frame,
  type Hash,
  type Log,
  perStandard,
  type TokenStandard,
} from "./records.ts";
import { type TransferEvent, type TransferredLog, transferIn } from "./transfer-event.ts";

/**
 * A list of fewer records is copied when it grows, because `push` would reserve memory for 17
 * records.
 */
const FEW = 8;

/** Posting lists: the records of each key, in chain order. */
class Postings<Key, Item> {
  readonly #lists = new Map<Key, Item[]>();

  /** Adds a record, unless it already is the key's last record. */
  add(key: Key, item: Item): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [item]);
    else if (list.at(-1) === item) return;
    else if (list.length < FEW) this.#lists.set(key, [...list, item]);
    else list.push(item);
  }

  of(key: Key): readonly Item[] {
    return this.#lists.get(key) ?? [];
  }

  entries(): Iterable<readonly [Key, readonly Item[]]> {
    return this.#lists;
  }
}

export interface LoggedTransfer {
  readonly log: Log;
  /** The transfer's position among the transfers of its log. */
  readonly nth: number;
}

export class Segment {
  readonly inputs: BlockInput[] = [];
  readonly transactions: ChainTransaction[] = [];
  readonly blocksMinedBy = new Postings<Address, Block>();
  readonly transactionsOf = {
    all: new Postings<Address, ChainTransaction>(),
    from: new Postings<Address, ChainTransaction>(),
    to: new Postings<Address, ChainTransaction>(),
    contract: new Postings<Address, ChainTransaction>(),
  };
  readonly framesOf = new Postings<Address, Frame>();
  readonly #executions = new Map<Hash, Execution>();
  readonly #logsOf = new Postings<Address, Log>();
  /** The logs of a contract by topic, for each of the four positions. */
  readonly #topicsOf = new Map<Address, readonly Postings<Hash, Log>[]>();
  /**
   * Transfers by standard and holder. The log of an unsure transfer does not tell its standard;
   * only the contract does.
   */
  readonly #transfersOf = {
    ...perStandard("", () => new Postings<Address, LoggedTransfer>()),
    unsure: new Postings<Address, LoggedTransfer>(),
  };

  /** Appends a block and returns the transfers in its logs. */
  append(input: BlockInput): readonly TransferredLog[] {
    const { block, executions } = input;
    this.blocksMinedBy.add(block.miner, block);
    this.inputs.push(input);
    return executions.flatMap((execution) => this.#addExecution(execution));
  }

  execution(hash: Hash): Execution | undefined {
    return this.#executions.get(hash);
  }

  /** Returns the logs of an address that have all of the topics (`and`) or any of them (`or`). */
  logs({ address, topics, operand }: LogFilter): readonly Log[] {
    const byTopic = this.#topicsOf.get(address);
    const conditions = topics.flatMap((topic, position) => {
      if (topic === undefined) return [];
      return [{ topic, position, logs: byTopic?.[position]?.of(topic) ?? [] }];
    });
    const [shortest] = conditions.toSorted((left, right) => left.logs.length - right.logs.length);
    if (shortest === undefined) return this.#logsOf.of(address);
    if (conditions.length === 1) return shortest.logs;
    if (operand === "or")
      return [...new Set(conditions.flatMap(({ logs }) => logs))].sort(compareLogs);
    return shortest.logs.filter((log) =>
      conditions.every(({ topic, position }) => log.topics[position] === topic),
    );
  }

  /** Returns the transfers of a holder that are of this standard, or may be. */
  transfersOf(holder: Address, standard: TokenStandard): readonly LoggedTransfer[] {
    const sure = this.#transfersOf[standard].of(holder);
    const unsure = this.#transfersOf.unsure.of(holder);
    if (unsure.length === 0) return sure;
    return [...sure, ...unsure].sort(
      (left, right) => compareLogs(left.log, right.log) || left.nth - right.nth,
    );
  }

  #addExecution(execution: Execution): TransferredLog[] {
    const { transaction, frames, logs } = execution;
    const { all, from, to, contract } = this.transactionsOf;
    this.#executions.set(transaction.hash, execution);
    this.transactions.push(transaction);
    from.add(transaction.from, transaction);
    if (transaction.to !== null) to.add(transaction.to, transaction);
    if (transaction.created !== null) contract.add(transaction.created, transaction);
    addParties(all, transaction);
    for (const frame of frames) addParties(this.framesOf, frame);
    return logs.flatMap((log) => this.#addLog(log));
  }

  #addLog(log: Log): readonly TransferredLog[] {
    let topics = this.#topicsOf.get(log.address);
    if (topics === undefined) {
      topics = Array.from({ length: 4 }, () => new Postings<Hash, Log>());
      this.#topicsOf.set(log.address, topics);
    }
    this.#logsOf.add(log.address, log);
    for (const [position, topic] of log.topics.entries()) topics[position]?.add(topic, log);
    const event = transferIn(log);
    if (event === undefined) return [];
    this.#addTransfers(log, event);
    return [{ log, event }];
  }

  #addTransfers(log: Log, { standard, from, to, count }: TransferEvent): void {
    const postings = this.#transfersOf[standard ?? "unsure"];
    for (let nth = 0; nth < count; nth++) {
      const transfer = { log, nth };
      postings.add(from, transfer);
      postings.add(to, transfer);
    }
  }
}

function addParties<Item extends Pick<Frame, "from" | "to" | "created">>(
  postings: Postings<Address, Item>,
  item: Item,
): void {
  postings.add(item.from, item);
  if (item.to !== null) postings.add(item.to, item);
  if (item.created !== null) postings.add(item.created, item);
}

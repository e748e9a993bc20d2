// Consecutive blocks, packed and indexed. A segment only grows; ids are positions in it.

import type {
  AddressBook,
  BlockEffects,
  CoinExecution,
  CoinFrame,
  CoinTransaction,
  PackedTransfer,
} from "./block-effects.ts";
import { frameFields, logFields, transactionFields } from "./fields.ts";
import { addressInWord } from "./hex.ts";
import { grown, Ids } from "./ids.ts";
import { Bytes32Table, Interned } from "./interned.ts";
import { RecentRecords } from "./listing.ts";
import { PackedBuffer } from "./packed-buffer.ts";
import { RecordCodec } from "./record-codec.ts";
import type {
  Address,
  Block,
  BlockInput,
  ChainTransaction,
  Execution,
  Frame,
  Hash,
  Hex,
  Log,
} from "./records.ts";
import { selectorOf } from "./records.ts";
import { BlockHashes, Busiest, LogMatches, type Parties, SegmentIndex } from "./segment-index.ts";
import {
  standardOf,
  TRANSFER_TOPIC,
  type TransferEvent,
  type TransferredLog,
  transferIn,
  transferTopics,
} from "./transfer-event.ts";

export class Segment {
  readonly blocks: Block[] = [];
  readonly blockHashes = new BlockHashes(this.blocks);
  readonly credits = new Map<Block, NonNullable<BlockInput["credits"]>>();
  /** The ids of the first transaction, frame and log of each block; the last entry is for the next block. */
  readonly firstOf = { transactions: [0], frames: [0], logs: [0] };

  readonly hashes = new Bytes32Table();
  readonly #records = new PackedRecords();
  readonly addressBook: AddressBook = this.#records;
  readonly addresses = this.#records.addresses;
  readonly topics = this.#records.topics;

  readonly selectors = new Interned<Hex>();
  readonly index = new SegmentIndex();
  readonly logMatches = new LogMatches();
  /** Transactions by id, shared by all chains that share the segment. */
  readonly recentTransactions = new RecentRecords((id) => this.transaction(id));
  /** Logs by id, likewise. */
  readonly recentLogs = new RecentRecords(
    (id) => this.log(id, this.recentTransactions.at(ownerOf(this.#firstLogs, id))),
    ({ data }) => data.length <= LONG_DATA,
  );

  readonly #busiest = new Busiest(this.index.transactionsOf.all, (id) =>
    this.#partiesOf(this.transaction(id)),
  );

  readonly #transactions = new Ids();
  readonly #frames = new Ids();
  readonly #logs = new Ids();
  /** By transaction: its first frame and its first log, or those of a later one. */
  readonly #firstFrames = new Ids();
  readonly #firstLogs = new Ids();

  /** Returns the transfers in its logs, the addresses in them as they are in the segment: the same string each time. */
  append({ block, executions, credits }: BlockInput): readonly TransferredLog[] {
    const known = this.hashes.addNew(executions.map(({ transaction }) => transaction.hash));
    if (known !== undefined) throwKnown(block, known);
    this.index.minedBy.add(this.addresses.intern(block.miner), this.blocks.length);
    this.blocks.push(block);
    if (credits !== undefined && credits.length > 0) this.credits.set(block, credits);
    const transfers: TransferredLog[] = [];
    for (const execution of executions) this.#addExecution(execution, transfers);
    this.firstOf.transactions.push(this.#transactions.length);
    this.firstOf.frames.push(this.#frames.length);
    this.firstOf.logs.push(this.#logs.length);
    return transfers;
  }

  /** The size of its packed records, in bytes. */
  get size(): number {
    return this.#records.size;
  }

  transaction(id: number): ChainTransaction {
    const blockIndex = this.blockOf(id);
    return this.#records.transaction(this.#transactions.at(id), {
      hash: this.hashes.at(id),
      block: this.blocks[blockIndex] as Block,
      index: id - (this.firstOf.transactions[blockIndex] as number),
    });
  }

  frame(id: number, transaction?: ChainTransaction): Frame {
    const owner = transaction ?? this.transaction(ownerOf(this.#firstFrames, id));
    return this.#records.frame(this.#frames.at(id), owner);
  }

  log(id: number, transaction?: ChainTransaction): Log {
    const owner = transaction ?? this.transaction(ownerOf(this.#firstLogs, id));
    return this.#records.log(this.#logs.at(id), owner);
  }

  transfer(id: number): PackedTransfer | undefined {
    return this.#records.transfer(this.#logs.at(id));
  }

  execution(id: number): Execution {
    const transaction = this.transaction(id);
    const frames = this.framesOfTransaction(id).map((frame) => this.frame(frame, transaction));
    const logs = ownedBy(this.#firstLogs, id, this.#logs.length).map((log) =>
      this.log(log, transaction),
    );
    return { transaction, frames, logs };
  }

  blockInput(index: number): BlockInput {
    const block = this.blocks[index] as Block;
    const executions: Execution[] = [];
    const end = this.firstOf.transactions[index + 1] as number;
    for (let id = this.firstOf.transactions[index] as number; id < end; id++) {
      executions.push(this.execution(id));
    }
    const credits = this.credits.get(block);
    return credits === undefined ? { block, executions } : { block, executions, credits };
  }

  /** The addresses with most transactions, the busiest first. */
  busiestAddresses(): readonly Address[] {
    const keys = this.#busiest.keys(this.#transactions.length);
    return keys.map((key) => this.addresses.at(key));
  }

  /** What the block at a position changed, by the numbers of accounts. */
  effects(index: number): BlockEffects {
    const block = this.blocks[index] as Block;
    const { transactions, frames, logs } = this.firstOf;
    const executions: CoinExecution<number>[] = [];
    let frame = frames[index] as number;
    for (let id = transactions[index] as number; id < (transactions[index + 1] as number); id++) {
      const transaction = this.#records.coinTransaction(this.#transactions.at(id));
      const coinFrames: CoinFrame<number>[] = [];
      const end = endOf(this.#firstFrames, id, this.#frames.length);
      for (; frame < end; frame++) coinFrames.push(this.#records.coinFrame(this.#frames.at(frame)));
      executions.push({ transaction, frames: coinFrames });
    }
    const transfers: PackedTransfer[] = [];
    for (let id = logs[index] as number; id < (logs[index + 1] as number); id++) {
      const transfer = this.transfer(id);
      if (transfer !== undefined) transfers.push(transfer);
    }
    const credits = this.credits.get(block) ?? [];
    return { addressBook: this.addressBook, block, executions, transfers, credits };
  }

  framesOfTransaction(id: number): readonly number[] {
    return ownedBy(this.#firstFrames, id, this.#frames.length);
  }

  /** The position of the block that a transaction is in. */
  blockOf(id: number): number {
    const starts = this.firstOf.transactions;
    let low = 0;
    let high = starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= id) low = middle;
      else high = middle;
    }
    return low;
  }

  #addExecution({ transaction, frames, logs }: Execution, transfers: TransferredLog[]): void {
    const id = this.#transactions.length;
    this.#addTransaction(transaction, id);
    for (const frame of frames) this.#addFrame(frame);
    for (const log of logs) {
      const event = this.#addLog(log);
      if (event !== undefined) transfers.push({ log, event });
    }
  }

  #addTransaction(transaction: ChainTransaction, id: number): void {
    this.#transactions.push(this.#records.length);
    this.#firstFrames.push(this.#frames.length);
    this.#firstLogs.push(this.#logs.length);
    this.index.addTransaction(this.#records.writeTransaction(transaction), id);
    if (transaction.succeeded === false) this.index.failed.add(0, id);
    const selector = selectorOf(transaction);
    if (selector !== null) this.index.calling.add(this.selectors.intern(selector), id);
  }

  #addFrame(frame: Frame): void {
    const id = this.#frames.length;
    this.#frames.push(this.#records.length);
    this.index.addFrame(this.#records.writeFrame(frame), id);
  }

  #addLog(log: Log): TransferEvent | undefined {
    const id = this.#logs.length;
    this.#logs.push(this.#records.length);
    const keys = this.#records.writeLog(log);
    this.index.addLog(keys.address, keys.topics, id);
    const event = this.#records.transferIn(keys)?.event;
    if (event === undefined) return undefined;
    const from = this.#records.holderNumber(event.from);
    const to = this.#records.holderNumber(event.to);
    this.index.addTransfer(event.standard, [from, to], id, event.count);
    return { ...event, from: this.addresses.at(from), to: this.addresses.at(to) };
  }

  #partiesOf({ from, to, created }: ChainTransaction): readonly number[] {
    return [from, to, created].flatMap((party) =>
      party === null ? [] : this.addresses.find(party),
    );
  }
}

/** The transaction that has a frame or log; `firsts` has the first one of each. */
const ownerOf = (firsts: Ids, id: number): number => firsts.lowerBound(id + 1) - 1;

/** Where the frames or logs of a transaction end, of `all`. */
const endOf = (firsts: Ids, transaction: number, all: number): number =>
  transaction + 1 < firsts.length ? firsts.at(transaction + 1) : all;

/** The frames or logs of a transaction. */
function ownedBy(firsts: Ids, transaction: number, all: number): readonly number[] {
  const first = firsts.at(transaction);
  return Array.from({ length: endOf(firsts, transaction, all) - first }, (_, nth) => first + nth);
}

const transactions = new RecordCodec(transactionFields);
const frames = new RecordCodec(frameFields);
const logs = new RecordCodec(logFields);

/** What an index, a rewind and a transfer need of a record is read in half the time. */
const PARTIES = ["from", "to", "created"] as const;
const transactionParties = transactions.reader(PARTIES);
const frameParties = frames.reader(PARTIES);
const coinTransaction = transactions.reader([
  ...PARTIES,
  ...([
    "value",
    "succeeded",
    "error",
    "gasUsed",
    "gasPrice",
    "feePayer",
    "feeCurrency",
    "mint",
    "l1Fee",
  ] as const),
]);
const coinFrame = frames.reader([...PARTIES, "type", "value", "undone"]);
const logKeys = logs.reader(["address", "topics", "data"]);
/** What says whom a log belongs to: numbers, and the position of its data. */
type LogKeys = ReturnType<typeof logKeys>;

/** Records are found by the position that `length` was when they were written. */
class PackedRecords implements AddressBook {
  readonly #packed = new PackedBuffer();
  readonly addresses = this.#packed.addresses;
  readonly topics = this.#packed.topics;
  /** By topic: the number of the address in it, plus 1; read once, because most transfers are between the same holders. */
  #holders = new Uint32Array(0);
  readonly #transferTopic = this.topics.intern(TRANSFER_TOPIC);
  readonly #transferTopics = new Set(transferTopics.map((topic) => this.topics.intern(topic)));

  get length(): number {
    return this.#packed.length;
  }

  /** The size of everything packed, in bytes. */
  get size(): number {
    return this.#packed.size;
  }

  account(number: number): Address {
    return this.addresses.at(number);
  }

  holder(topic: number): Address {
    return addressInWord(this.topics.at(topic));
  }

  /** Returns the numbers of its addresses. */
  writeTransaction(transaction: ChainTransaction): Parties {
    const at = this.length;
    transactions.write(this.#packed, transaction);
    return transactionParties(this.#packed, at);
  }

  /** A transaction, with what is not packed: where it is. */
  transaction(
    at: number,
    { hash, block, index }: Pick<ChainTransaction, "hash" | "block" | "index">,
  ): ChainTransaction {
    return Object.assign(transactions.read(this.#packed, at), { hash, block, index });
  }

  /** Of a transaction only what moves coins. */
  coinTransaction(at: number): CoinTransaction<number> {
    return coinTransaction(this.#packed, at);
  }

  /** Returns the numbers of its addresses. */
  writeFrame(frame: Frame): Parties {
    const at = this.length;
    frames.write(this.#packed, frame);
    return frameParties(this.#packed, at);
  }

  frame(at: number, transaction: ChainTransaction): Frame {
    return Object.assign(frames.read(this.#packed, at), { transaction });
  }

  /** Of a frame only what moves coins. */
  coinFrame(at: number): CoinFrame<number> {
    return coinFrame(this.#packed, at);
  }

  writeLog(log: Log): LogKeys {
    const at = this.length;
    logs.write(this.#packed, log);
    return logKeys(this.#packed, at);
  }

  log(at: number, transaction: ChainTransaction): Log {
    return Object.assign(logs.read(this.#packed, at), { transaction });
  }

  /** The transfer that the log at a position records, if any. */
  transfer(at: number): PackedTransfer | undefined {
    return this.transferIn(logKeys(this.#packed, at));
  }

  /** The transfer that a log records, if any, with the numbers of its holders if they are topics. */
  transferIn({ address, topics, data }: LogKeys): PackedTransfer | undefined {
    const packed = this.#packed;
    const [first, from, to, id] = topics;
    if (first === undefined || !this.#transferTopics.has(first)) return undefined;
    packed.at = data;
    const isPlain = first === this.#transferTopic;
    const standard = isPlain ? standardOf(topics.length, packed.readSize() / 32) : null;
    if (standard === undefined) return undefined;
    const token = this.addresses.at(address);
    if (standard !== null && from !== undefined && to !== undefined) {
      const value = id === undefined ? packed.readWord() : this.topics.number(id);
      return { token, event: { standard, from, to, value, count: 1 } };
    }
    packed.at = data;
    const words = topics.map((topic) => this.topics.at(topic));
    const event = transferIn({ topics: words, data: packed.readHex() });
    return event && { token, event };
  }

  /** The number of a holder in a transfer. */
  holderNumber(holder: number | Address): number {
    if (typeof holder !== "number") return this.addresses.intern(holder);
    const known = this.#holders[holder];
    if (known !== undefined && known !== 0) return known - 1;
    if (holder >= this.#holders.length) this.#holders = grown(this.#holders, holder);
    const number = this.addresses.intern(this.holder(holder));
    this.#holders[holder] = number + 1;
    return number;
  }
}

/** Throws for a transaction that the chain already has. */
export function throwKnown(block: Block, hash: Hash): never {
  throw new Error(
    `Cannot append block ${block.number}: the chain already has its transaction ${hash}`,
  );
} /** Logs with more characters of data are read anew each time: thousands of them would take much memory. */
const LONG_DATA = 1024;

// Consecutive blocks, packed and indexed. A segment only grows; ids are positions in it.
import type { BlockInput, Execution } from "./block-input.ts";
import { Busiest } from "./busiest.ts";
import { Bytes32Table } from "./bytes32-table.ts";
import { FRAME_TYPES, type FrameType } from "./frame-type.ts";
import { Ids } from "./ids.ts";
import { Interned } from "./interned.ts";
import { LogMatches } from "./log-matches.ts";
import { type Cursor, PackedBuffer } from "./packed-buffer.ts";
import { RecentRecords } from "./recent-records.ts";
import type { Address, Block, ChainTransaction, Frame, Log } from "./records.ts";
import { type Parties, SegmentIndex } from "./segment-index.ts";
import { transferIn } from "./transfer-event.ts";

const SUCCEEDED = 1;
const STATUS_UNKNOWN = 2;
const PRICED_1559 = 4;
const UNDONE = 1;

/** Decodes a number that may be null: 0 is null, others are stored plus 1. */
const orNull = (number: number): number | null => (number === 0 ? null : number - 1);

export class Segment {
  readonly blocks: Block[] = [];
  readonly credits = new Map<Block, NonNullable<BlockInput["credits"]>>();
  /** The ids of the first transaction, frame and log of each block; the last entry is for the next block. */
  readonly firstOf = { transactions: [0], frames: [0], logs: [0] };

  readonly hashes = new Bytes32Table();
  readonly addresses = new Interned<Address>();
  readonly topics = new Bytes32Table();

  readonly index = new SegmentIndex();
  readonly logMatches = new LogMatches();
  /** Transactions by id, shared by all chains that share the segment. */
  readonly recentTransactions = new RecentRecords((id) => this.transaction(id));

  readonly #busiest = new Busiest(this.index.transactionsOf.all, (id) =>
    this.#partiesOf(this.transaction(id)),
  );

  readonly #errors = new Interned<string>();
  readonly #transactions = new Ids();
  readonly #frames = new Ids();
  readonly #logs = new Ids();
  readonly #transactionOfFrame = new Ids();
  readonly #transactionOfLog = new Ids();
  readonly #packed = new PackedBuffer();
  readonly #cursor: Cursor = { at: 0 };

  append({ block, executions, credits }: BlockInput): void {
    this.index.minedBy.add(this.addresses.intern(block.miner), this.blocks.length);
    this.blocks.push(block);
    if (credits !== undefined && credits.length > 0) this.credits.set(block, credits);
    for (const execution of executions) this.#addExecution(execution);
    this.firstOf.transactions.push(this.#transactions.length);
    this.firstOf.frames.push(this.#frames.length);
    this.firstOf.logs.push(this.#logs.length);
  }

  transaction(id: number): ChainTransaction {
    const packed = this.#packed;
    const cursor = this.#startAt(this.#transactions.at(id));
    const blockIndex = this.blockOf(id);
    const flags = packed.readNumber(cursor);
    return {
      hash: this.hashes.at(id),
      block: this.blocks[blockIndex] as Block,
      index: id - (this.firstOf.transactions[blockIndex] as number),
      from: this.#readAddress(cursor),
      to: this.#readOptionalAddress(cursor),
      created: this.#readOptionalAddress(cursor),
      value: packed.readAmount(cursor),
      nonce: packed.readNumber(cursor),
      succeeded: flags & STATUS_UNKNOWN ? null : (flags & SUCCEEDED) !== 0,
      error: this.#readError(cursor),
      gasLimit: packed.readNumber(cursor),
      gasUsed: packed.readNumber(cursor),
      cumulativeGasUsed: packed.readNumber(cursor),
      gasPrice: packed.readAmount(cursor),
      maxFeePerGas: flags & PRICED_1559 ? packed.readAmount(cursor) : null,
      maxPriorityFeePerGas: flags & PRICED_1559 ? packed.readAmount(cursor) : null,
      input: packed.readHex(cursor),
    };
  }

  frame(id: number, transaction?: ChainTransaction): Frame {
    const packed = this.#packed;
    const of = transaction ?? this.transaction(this.#transactionOfFrame.at(id));
    const cursor = this.#startAt(this.#frames.at(id));
    const flags = packed.readNumber(cursor);
    return {
      transaction: of,
      traceAddress: this.#readNumbers(cursor),
      type: FRAME_TYPES[flags >> 1] as FrameType,
      from: this.#readAddress(cursor),
      to: this.#readOptionalAddress(cursor),
      created: this.#readOptionalAddress(cursor),
      value: packed.readAmount(cursor),
      gasLimit: orNull(packed.readNumber(cursor)),
      gasUsed: orNull(packed.readNumber(cursor)),
      error: this.#readError(cursor),
      undone: (flags & UNDONE) !== 0,
      subTraces: packed.readNumber(cursor),
      input: packed.readHex(cursor),
    };
  }

  log(id: number, transaction?: ChainTransaction): Log {
    const of = transaction ?? this.transaction(this.#transactionOfLog.at(id));
    const cursor = this.#startAt(this.#logs.at(id));
    return {
      transaction: of,
      address: this.#readAddress(cursor),
      topics: this.#readNumbers(cursor).map((topic) => this.topics.at(topic)),
      index: this.#packed.readNumber(cursor),
      data: this.#packed.readHex(cursor),
    };
  }

  execution(id: number): Execution {
    const transaction = this.transaction(id);
    const frames = this.framesOfTransaction(id).map((frame) => this.frame(frame, transaction));
    const logs = this.#ofTransaction(this.#transactionOfLog, id).map((log) =>
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

  framesOfTransaction(id: number): readonly number[] {
    return this.#ofTransaction(this.#transactionOfFrame, id);
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

  #ofTransaction(transactionOf: Ids, id: number): readonly number[] {
    const ids: number[] = [];
    for (let at = transactionOf.lowerBound(id); at < transactionOf.length; at++) {
      if (transactionOf.at(at) !== id) break;
      ids.push(at);
    }
    return ids;
  }

  #addExecution({ transaction, frames, logs }: Execution): void {
    const id = this.#transactions.length;
    this.hashes.intern(transaction.hash);
    this.#addTransaction(transaction, id);
    for (const frame of frames) this.#addFrame(frame, id);
    for (const log of logs) this.#addLog(log, id);
  }

  #addTransaction(transaction: ChainTransaction, id: number): void {
    const packed = this.#packed;
    this.#transactions.push(packed.length);
    const priced1559 =
      transaction.maxFeePerGas !== null && transaction.maxPriorityFeePerGas !== null;
    packed.writeNumber(
      (transaction.succeeded ? SUCCEEDED : 0) |
        (transaction.succeeded === null ? STATUS_UNKNOWN : 0) |
        (priced1559 ? PRICED_1559 : 0),
    );
    const parties = this.#writeParties(transaction);
    packed.writeAmount(transaction.value);
    packed.writeNumber(transaction.nonce);
    this.#writeError(transaction.error);
    packed.writeNumber(transaction.gasLimit);
    packed.writeNumber(transaction.gasUsed);
    packed.writeNumber(transaction.cumulativeGasUsed);
    packed.writeAmount(transaction.gasPrice);
    if (priced1559) {
      packed.writeAmount(transaction.maxFeePerGas);
      packed.writeAmount(transaction.maxPriorityFeePerGas);
    }
    packed.writeHex(transaction.input);
    this.index.addTransaction(parties, id);
  }

  #addFrame(frame: Frame, transaction: number): void {
    const packed = this.#packed;
    const id = this.#frames.length;
    this.#frames.push(packed.length);
    this.#transactionOfFrame.push(transaction);
    packed.writeNumber((FRAME_TYPES.indexOf(frame.type) << 1) | (frame.undone ? UNDONE : 0));
    this.#writeNumbers(frame.traceAddress);
    const parties = this.#writeParties(frame);
    packed.writeAmount(frame.value);
    packed.writeNumber(frame.gasLimit === null ? 0 : frame.gasLimit + 1);
    packed.writeNumber(frame.gasUsed === null ? 0 : frame.gasUsed + 1);
    this.#writeError(frame.error);
    packed.writeNumber(frame.subTraces);
    packed.writeHex(frame.input);
    this.index.addFrame(parties, id);
  }

  #addLog(log: Log, transaction: number): void {
    const id = this.#logs.length;
    this.#logs.push(this.#packed.length);
    this.#transactionOfLog.push(transaction);
    const address = this.addresses.intern(log.address);
    const topics = log.topics.map((topic) => this.topics.intern(topic));
    this.#packed.writeNumber(address);
    this.#writeNumbers(topics);
    this.#packed.writeNumber(log.index);
    this.#packed.writeHex(log.data);

    this.index.addLog(address, topics, id);
    const transfer = transferIn(log);
    if (transfer?.standard === undefined) return;
    const from = this.addresses.intern(transfer.from);
    this.index.addTransfer(transfer.standard, from, this.addresses.intern(transfer.to), id);
  }

  #writeParties(of: Pick<ChainTransaction, "from" | "to" | "created">): Parties {
    const from = this.addresses.intern(of.from);
    const to = of.to === null ? null : this.addresses.intern(of.to);
    const created = of.created === null ? null : this.addresses.intern(of.created);
    this.#packed.writeNumber(from);
    this.#packed.writeNumber(to === null ? 0 : to + 1);
    this.#packed.writeNumber(created === null ? 0 : created + 1);
    return { from, to, created };
  }

  #partiesOf({ from, to, created }: ChainTransaction): readonly number[] {
    return [from, to, created].flatMap((party) =>
      party === null ? [] : this.addresses.find(party),
    );
  }

  #readAddress(cursor: Cursor): Address {
    return this.addresses.at(this.#packed.readNumber(cursor));
  }

  #readOptionalAddress(cursor: Cursor): Address | null {
    const id = this.#packed.readNumber(cursor);
    return id === 0 ? null : this.addresses.at(id - 1);
  }

  #writeError(error: string | null): void {
    this.#packed.writeNumber(error === null ? 0 : this.#errors.intern(error) + 1);
  }

  #readError(cursor: Cursor): string | null {
    const id = this.#packed.readNumber(cursor);
    return id === 0 ? null : this.#errors.at(id - 1);
  }

  #writeNumbers(numbers: readonly number[]): void {
    this.#packed.writeNumber(numbers.length);
    for (const number of numbers) this.#packed.writeNumber(number);
  }

  #readNumbers(cursor: Cursor): readonly number[] {
    const numbers: number[] = [];
    for (let left = this.#packed.readNumber(cursor); left > 0; left--) {
      numbers.push(this.#packed.readNumber(cursor));
    }
    return numbers;
  }

  /** Reuses one cursor: nothing reads two records at a time. */
  #startAt(at: number): Cursor {
    this.#cursor.at = at;
    return this.#cursor;
  }
}

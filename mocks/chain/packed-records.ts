// How transactions, frames and logs are packed: each after another, with its addresses, topics and errors by their numbers.
import { Bytes32Table } from "./bytes32-table.ts";
import type { CoinFrame, CoinTransaction } from "./coin-moves.ts";
import type { AddressBook, PackedTransfer } from "./effects.ts";
import { FRAME_TYPES, type FrameType } from "./frame-type.ts";
import { addressInWord } from "./hex.ts";
import { Interned } from "./interned.ts";
import { type Cursor, PackedBuffer } from "./packed-buffer.ts";
import type { Address, ChainTransaction, Frame, Log } from "./records.ts";
import type { Parties } from "./segment-index.ts";
import {
  CONSECUTIVE_TOPIC,
  standardOf,
  TRANSFER_TOPIC,
  type TransferLog,
  transferIn,
} from "./transfer-event.ts";

const SUCCEEDED = 1;
const STATUS_UNKNOWN = 2;
const PRICED_1559 = 4;
const UNDONE = 1;

/** Decodes a number that may be null: 0 is null, others are stored plus 1. */
const orNull = (number: number): number | null => (number === 0 ? null : number - 1);

const statusIn = (flags: number): boolean | null =>
  flags & STATUS_UNKNOWN ? null : (flags & SUCCEEDED) !== 0;

/** Records are found by the position that `length` was when they were written. */
export class PackedRecords implements AddressBook {
  readonly addresses = new Interned<Address>();
  readonly topics = new Bytes32Table();
  readonly #transferTopic = this.topics.intern(TRANSFER_TOPIC);
  readonly #consecutiveTopic = this.topics.intern(CONSECUTIVE_TOPIC);
  readonly #errors = new Interned<string>();
  readonly #packed = new PackedBuffer();
  readonly #cursor: Cursor = { at: 0 };

  get length(): number {
    return this.#packed.length;
  }

  account(number: number): Address {
    return this.addresses.at(number);
  }

  holder(topic: number): Address {
    return addressInWord(this.topics.at(topic));
  }

  writeTransaction(transaction: ChainTransaction): Parties {
    const packed = this.#packed;
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
    return parties;
  }

  /** A transaction, with what is not packed: where it is. */
  transaction(
    at: number,
    { hash, block, index }: Pick<ChainTransaction, "hash" | "block" | "index">,
  ): ChainTransaction {
    const packed = this.#packed;
    const cursor = this.#startAt(at);
    const flags = packed.readNumber(cursor);
    return {
      hash,
      block,
      index,
      from: this.#readAddress(cursor),
      to: this.#readOptionalAddress(cursor),
      created: this.#readOptionalAddress(cursor),
      value: packed.readAmount(cursor),
      nonce: packed.readNumber(cursor),
      succeeded: statusIn(flags),
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

  /** Of a transaction only what moves coins, which is read in half the time. */
  coinTransaction(at: number): CoinTransaction<number> {
    const packed = this.#packed;
    const cursor = this.#startAt(at);
    const flags = packed.readNumber(cursor);
    const from = packed.readNumber(cursor);
    const to = orNull(packed.readNumber(cursor));
    const created = orNull(packed.readNumber(cursor));
    const value = packed.readAmount(cursor);
    packed.skipNumber(cursor); // its nonce
    const error = this.#readError(cursor);
    packed.skipNumber(cursor); // its gas limit
    const gasUsed = packed.readNumber(cursor);
    packed.skipNumber(cursor); // its cumulative gas used
    const gasPrice = packed.readAmount(cursor);
    return { from, to, created, value, succeeded: statusIn(flags), error, gasUsed, gasPrice };
  }

  writeFrame(frame: Frame): Parties {
    const packed = this.#packed;
    packed.writeNumber((FRAME_TYPES.indexOf(frame.type) << 1) | (frame.undone ? UNDONE : 0));
    this.#writeNumbers(frame.traceAddress);
    const parties = this.#writeParties(frame);
    packed.writeAmount(frame.value);
    packed.writeNumber(frame.gasLimit === null ? 0 : frame.gasLimit + 1);
    packed.writeNumber(frame.gasUsed === null ? 0 : frame.gasUsed + 1);
    this.#writeError(frame.error);
    packed.writeNumber(frame.subTraces);
    packed.writeHex(frame.input);
    return parties;
  }

  frame(at: number, transaction: ChainTransaction): Frame {
    const packed = this.#packed;
    const cursor = this.#startAt(at);
    const flags = packed.readNumber(cursor);
    return {
      transaction,
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

  /** Of a frame only what moves coins. */
  coinFrame(at: number): CoinFrame<number> {
    const packed = this.#packed;
    const cursor = this.#startAt(at);
    const flags = packed.readNumber(cursor);
    for (let left = packed.readNumber(cursor); left > 0; left--) packed.skipNumber(cursor);
    return {
      type: FRAME_TYPES[flags >> 1] as FrameType,
      from: packed.readNumber(cursor),
      to: orNull(packed.readNumber(cursor)),
      created: orNull(packed.readNumber(cursor)),
      value: packed.readAmount(cursor),
      undone: (flags & UNDONE) !== 0,
    };
  }

  /** Returns the numbers of its address and topics. */
  writeLog(log: Log): { readonly address: number; readonly topics: readonly number[] } {
    const address = this.addresses.intern(log.address);
    const topics = log.topics.map((topic) => this.topics.intern(topic));
    this.#packed.writeNumber(address);
    this.#writeNumbers(topics);
    this.#packed.writeNumber(log.index);
    this.#packed.writeHex(log.data);
    return { address, topics };
  }

  log(at: number, transaction: ChainTransaction): Log {
    const cursor = this.#startAt(at);
    return {
      transaction,
      address: this.#readAddress(cursor),
      topics: this.#readNumbers(cursor).map((topic) => this.topics.at(topic)),
      index: this.#packed.readNumber(cursor),
      data: this.#packed.readHex(cursor),
    };
  }

  /** The transfer that a log records, if any, with the numbers of its holders if they are topics. */
  transfer(at: number): PackedTransfer | undefined {
    const packed = this.#packed;
    const cursor = this.#startAt(at);
    const token = this.#readAddress(cursor);
    const topics = this.#readNumbers(cursor);
    const [first, from, to, id] = topics;
    if (first === undefined) return undefined;
    const isTransfer = first === this.#transferTopic;
    if (!isTransfer && first !== this.#consecutiveTopic) return undefined;
    packed.skipNumber(cursor); // its index
    const standard = isTransfer ? standardOf(topics.length, packed.readSize(cursor) / 32) : null;
    if (standard === undefined) return undefined;
    if (standard !== null && from !== undefined && to !== undefined) {
      const value = id === undefined ? packed.readWord(cursor) : this.topics.number(id);
      return { token, event: { standard, from, to, value, count: 1 } };
    }
    const event = transferIn(this.#transferLog(at));
    return event && { token, event };
  }

  #transferLog(at: number): Pick<TransferLog, "topics" | "data"> {
    const cursor = this.#startAt(at);
    this.#packed.skipNumber(cursor); // its address
    const topics = this.#readNumbers(cursor).map((topic) => this.topics.at(topic));
    this.#packed.skipNumber(cursor); // its index
    return { topics, data: this.#packed.readHex(cursor) };
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

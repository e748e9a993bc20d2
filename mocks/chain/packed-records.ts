// The packed transactions, frames and logs of a segment: each after another, as their fields say.
import type { CoinFrame, CoinTransaction } from "./coin-moves.ts";
import type { AddressBook, PackedTransfer } from "./effects.ts";
import { frameFields, logFields, transactionFields } from "./fields.ts";
import { addressInWord } from "./hex.ts";
import { PackedBuffer } from "./packed-buffer.ts";
import { RecordCodec } from "./record-codec.ts";
import type { Address, ChainTransaction, Frame, Log } from "./records.ts";
import type { Parties } from "./segment-index.ts";
import { CONSECUTIVE_TOPIC, standardOf, TRANSFER_TOPIC, transferIn } from "./transfer-event.ts";

const transactions = new RecordCodec(transactionFields);
const frames = new RecordCodec(frameFields);
const logs = new RecordCodec(logFields);

/** What an index, a rewind and a transfer need of a record is read in half the time. */
const PARTIES = ["from", "to", "created"] as const;
const transactionParties = transactions.reader(PARTIES);
const frameParties = frames.reader(PARTIES);
const coinTransaction = transactions.reader([
  ...PARTIES,
  ...(["value", "succeeded", "error", "gasUsed", "gasPrice"] as const),
]);
const coinFrame = frames.reader([...PARTIES, "type", "value", "undone"]);
const logKeys = logs.reader(["address", "topics"]);
const transferLog = logs.reader(["address", "topics", "data"]);

/** Records are found by the position that `length` was when they were written. */
export class PackedRecords implements AddressBook {
  readonly #packed = new PackedBuffer();
  readonly addresses = this.#packed.addresses;
  readonly topics = this.#packed.topics;
  readonly #transferTopic = this.topics.intern(TRANSFER_TOPIC);
  readonly #consecutiveTopic = this.topics.intern(CONSECUTIVE_TOPIC);

  get length(): number {
    return this.#packed.length;
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

  /** Returns the numbers of its address and topics. */
  writeLog(log: Log): { readonly address: number; readonly topics: readonly number[] } {
    const at = this.length;
    logs.write(this.#packed, log);
    return logKeys(this.#packed, at);
  }

  log(at: number, transaction: ChainTransaction): Log {
    return Object.assign(logs.read(this.#packed, at), { transaction });
  }

  /** The transfer that a log records, if any, with the numbers of its holders if they are topics. */
  transfer(at: number): PackedTransfer | undefined {
    const packed = this.#packed;
    const { address, topics, data } = transferLog(packed, at);
    const token = this.addresses.at(address);
    const [first, from, to, id] = topics;
    const isTransfer = first === this.#transferTopic;
    if (!isTransfer && first !== this.#consecutiveTopic) return undefined;
    packed.at = data;
    const standard = isTransfer ? standardOf(topics.length, packed.readSize() / 32) : null;
    if (standard === undefined) return undefined;
    if (standard !== null && from !== undefined && to !== undefined) {
      const value = id === undefined ? packed.readWord() : this.topics.number(id);
      return { token, event: { standard, from, to, value, count: 1 } };
    }
    const event = transferIn(logs.read(packed, at));
    return event && { token, event };
  }
}

// Consecutive blocks, packed and indexed. A segment only grows; ids are positions in it.
import { BlockHashes } from "./block-hashes.ts";
import type { BlockInput, Execution } from "./block-input.ts";
import { Busiest } from "./busiest.ts";
import { Bytes32Table } from "./bytes32-table.ts";
import { throwKnown } from "./check-appended.ts";
import type { CoinExecution, CoinFrame } from "./coin-moves.ts";
import type { AddressBook, BlockEffects, PackedTransfer } from "./effects.ts";
import { Ids } from "./ids.ts";
import { LogMatches } from "./log-matches.ts";
import { PackedRecords } from "./packed-records.ts";
import { RecentRecords } from "./recent-records.ts";
import type { Address, Block, ChainTransaction, Frame, Log } from "./records.ts";
import { SegmentIndex } from "./segment-index.ts";
import { type TransferEvent, type TransferredLog, transferIn } from "./transfer-event.ts";

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

  readonly index = new SegmentIndex();
  readonly logMatches = new LogMatches();
  /** Transactions by id, shared by all chains that share the segment. */
  readonly recentTransactions = new RecentRecords((id) => this.transaction(id));

  readonly #busiest = new Busiest(this.index.transactionsOf.all, (id) =>
    this.#partiesOf(this.transaction(id)),
  );

  readonly #transactions = new Ids();
  readonly #frames = new Ids();
  readonly #logs = new Ids();
  readonly #transactionOfFrame = new Ids();
  readonly #transactionOfLog = new Ids();

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
    return this.#records.length;
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
    const of = transaction ?? this.transaction(this.#transactionOfFrame.at(id));
    return this.#records.frame(this.#frames.at(id), of);
  }

  log(id: number, transaction?: ChainTransaction): Log {
    const of = transaction ?? this.transaction(this.#transactionOfLog.at(id));
    return this.#records.log(this.#logs.at(id), of);
  }

  transfer(id: number): PackedTransfer | undefined {
    return this.#records.transfer(this.#logs.at(id));
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

  /** What the block at a position changed, by the numbers of accounts. */
  effects(index: number): BlockEffects {
    const block = this.blocks[index] as Block;
    const { transactions, frames, logs } = this.firstOf;
    const executions: CoinExecution<number>[] = [];
    let frame = frames[index] as number;
    const end = frames[index + 1] as number;
    for (let id = transactions[index] as number; id < (transactions[index + 1] as number); id++) {
      const transaction = this.#records.coinTransaction(this.#transactions.at(id));
      const coinFrames: CoinFrame<number>[] = [];
      for (; frame < end && this.#transactionOfFrame.at(frame) === id; frame++)
        coinFrames.push(this.#records.coinFrame(this.#frames.at(frame)));
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

  #addExecution({ transaction, frames, logs }: Execution, transfers: TransferredLog[]): void {
    const id = this.#transactions.length;
    this.#addTransaction(transaction, id);
    for (const frame of frames) this.#addFrame(frame, id);
    for (const log of logs) {
      const event = this.#addLog(log, id);
      if (event !== undefined) transfers.push({ log, event });
    }
  }

  #addTransaction(transaction: ChainTransaction, id: number): void {
    this.#transactions.push(this.#records.length);
    this.index.addTransaction(this.#records.writeTransaction(transaction), id);
  }

  #addFrame(frame: Frame, transaction: number): void {
    const id = this.#frames.length;
    this.#frames.push(this.#records.length);
    this.#transactionOfFrame.push(transaction);
    this.index.addFrame(this.#records.writeFrame(frame), id);
  }

  #addLog(log: Log, transaction: number): TransferEvent | undefined {
    const id = this.#logs.length;
    this.#logs.push(this.#records.length);
    this.#transactionOfLog.push(transaction);
    const { address, topics } = this.#records.writeLog(log);
    this.index.addLog(address, topics, id);
    const event = transferIn(log);
    if (event?.standard === undefined) return event;
    const { standard, value, count } = event;
    const from = this.addresses.intern(event.from);
    const to = this.addresses.intern(event.to);
    this.index.addTransfer(standard, [from, to], id, count);
    return { standard, from: this.addresses.at(from), to: this.addresses.at(to), value, count };
  }

  #partiesOf({ from, to, created }: ChainTransaction): readonly number[] {
    return [from, to, created].flatMap((party) =>
      party === null ? [] : this.addresses.find(party),
    );
  }
}

// The blocks of a chain: frozen segments that forks share, and one segment of its own that grows.

import { compact } from "./fork-map.ts";
import { type IdList, idsIn, idsUpTo } from "./ids.ts";
import { type ListPart, listParts } from "./listing.ts";
import { type Accepts, type LogQuery, lastTransferIn, logIds } from "./log-filter.ts";
import type { BlockRange, BusyAccount, Credit, Listing, LogFilter, Role } from "./reader.ts";
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
  TokenStandard,
} from "./records.ts";
import { Segment, type TransferPlace, throwKnown } from "./segment.ts";
import type { TransferEvent, TransferredLog } from "./transfer-event.ts";

/** A fork merges segments of up to this many blocks and transactions, to stay fast. */
const MERGED_BY_FORK = 64;

/** An append merges larger ones, but only above this number of segments. */
const MERGED_BY_APPEND = 5_000;
const MANY_SEGMENTS = 32;

/** The first blocks of a segment, at their place in the chain. */
interface Slice {
  readonly segment: Segment;
  readonly blocks: number;
  /** The number of blocks before it. */
  readonly before: number;
}

type Kind = keyof Segment["firstOf"];
type Found<Result> = (segment: Segment, id: number) => Result;

/** One of the transfers that a log records. */
export interface LoggedTransfer {
  readonly log: Log;
  /** Its position among them. */
  readonly nth: number;
}

export class History {
  #frozen: readonly Slice[];
  #top = new Segment();

  constructor(frozen: readonly Slice[] = []) {
    this.#frozen = frozen;
  }

  /** The number of blocks. */
  get length(): number {
    return this.#before + this.#top.blocks.length;
  }

  /** The number of transactions. */
  get transactionCount(): number {
    return this.#slices().reduce((sum, slice) => sum + transactionsIn(slice), 0);
  }

  /** Returns the transfers in its logs, or throws for a transaction that is there already. */
  append(input: BlockInput): readonly TransferredLog[] {
    if (this.#top.blocks.length === 0 && this.#frozen.length > MANY_SEGMENTS) {
      this.#frozen = merged(this.#frozen, MERGED_BY_APPEND);
    }
    checkNew(input, (hash) => this.#find(hash, () => true, this.#frozen) ?? false);
    return this.#top.append(input);
  }

  /** A copy; neither history sees later appends of the other. */
  fork(): History {
    this.#freeze();
    return new History(this.#frozen);
  }

  /** Keeps the first `length` blocks. */
  truncate(length: number): void {
    this.#freeze();
    this.#frozen = this.#frozen
      .filter(({ before }) => before < length)
      .map((slice) => ({ ...slice, blocks: Math.min(slice.blocks, length - slice.before) }));
  }

  /** The block at a position, counted from the chain's first block. */
  block(index: number): Block | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) return undefined;
    const { segment, before } = this.#sliceAt(index);
    return segment.blocks[index - before];
  }

  blockInput(index: number): BlockInput {
    const { segment, before } = this.#sliceAt(index);
    return segment.inputs[index - before] as BlockInput;
  }

  blockOfHash(hash: Hash): Block | undefined {
    for (const { segment, blocks } of this.#slices().toReversed()) {
      const index = segment.blockOfHash(hash);
      if (index !== undefined && index < blocks) return segment.blocks[index];
    }
    return undefined;
  }

  transaction(hash: Hash): ChainTransaction | undefined {
    return this.#find(hash, (segment, id) => segment.transactions[id] as ChainTransaction);
  }

  execution(hash: Hash): Execution | undefined {
    return this.#find(hash, (segment, id) => segment.executions[id] as Execution);
  }

  framesOf(transaction: ChainTransaction): Listing<Frame> {
    const parts = this.#find(transaction.hash, (segment, id): ListPart<Frame>[] => {
      const ids = segment.framesOfTransaction(id);
      const make = (frame: number) => segment.frames[frame] as Frame;
      return [{ ids, start: 0, end: ids.length, make }];
    });
    return listParts(parts ?? []);
  }

  blocksMinedBy(miner: Address): Listing<Block> {
    return listParts(
      this.#slices().map(({ segment, blocks }) => {
        const ids = segment.minedBy.of(miner);
        const end = ids.countBelow(blocks);
        return { ids, start: 0, end, make: (id) => segment.blocks[id] as Block };
      }),
    );
  }

  transactions(address: Address, role: Role, range: BlockRange): Listing<ChainTransaction> {
    return this.#list(
      "transactions",
      range,
      (segment) => segment.transactionsOf[role].of(address),
      (segment, id) => segment.transactions[id] as ChainTransaction,
    );
  }

  allTransactions(range: BlockRange, only?: "failed" | Hex): Listing<ChainTransaction> {
    return this.#list(
      "transactions",
      range,
      ({ calling, failed, transactions }) => {
        if (only === undefined) return idsUpTo(transactions.length);
        return only === "failed" ? failed.of("") : calling.of(only);
      },
      (segment, id) => segment.transactions[id] as ChainTransaction,
    );
  }

  logsOfEvent(topic: Hash, range: BlockRange): Listing<Log> {
    return this.#list(
      "logs",
      range,
      ({ logsOfEvent }) => logsOfEvent.of(topic),
      (segment, id) => segment.logs[id] as Log,
    );
  }

  busiestAccounts(count: number): readonly BusyAccount[] {
    const candidates = new Set(this.#slices().flatMap(({ segment }) => segment.busiestAddresses()));
    return Array.from(candidates, (address) => ({
      address,
      transactions: this.transactions(address, "all", {}).count,
    }))
      .filter(({ transactions }) => transactions > 0)
      .sort(
        (one, other) =>
          other.transactions - one.transactions || (one.address < other.address ? -1 : 1),
      )
      .slice(0, count);
  }

  creditsOf(account: Address, startBlock: number): readonly Credit[] {
    const first = this.block(0)?.number ?? 0;
    const found: Credit[] = [];
    for (const { segment, blocks, before } of this.#slices()) {
      for (const { block, credits = [] } of segment.inputs) {
        if (block.number < startBlock || block.number - first >= before + blocks) continue;
        for (const [to, value] of credits) if (to === account) found.push({ block, value });
      }
    }
    return found;
  }

  frames(address: Address, range: BlockRange): Listing<Frame> {
    return this.#list(
      "frames",
      range,
      (segment) => segment.framesOf.of(address),
      (segment, id) => segment.frames[id] as Frame,
    );
  }

  /** The logs of transfers, each with the position among its log's transfers. Those that index nothing are of any standard. */
  transfers(address: Address, standard: TokenStandard, range: BlockRange): Listing<LoggedTransfer> {
    return this.#list(
      "transfers",
      range,
      (segment) => segment.transfersFor(address, standard),
      (segment, id) => {
        const { log, nth } = segment.transfers[id] as TransferPlace;
        return { log: segment.logs[log] as Log, nth };
      },
    );
  }

  logs(filter: LogFilter): Listing<Log> {
    return this.#list(
      "logs",
      filter,
      (segment) => logIds(segment, filter),
      (segment, id) => segment.logs[id] as Log,
    );
  }

  /** The last transfer in the logs that any of the queries finds that is accepted. */
  lastTransfer(queries: readonly LogQuery[], accepts: Accepts): TransferEvent | undefined {
    for (const { segment, blocks } of this.#slices().toReversed()) {
      const end = segment.firstOf.logs[blocks] as number;
      const event = lastTransferIn(segment, end, queries, accepts);
      if (event !== undefined) return event;
    }
    return undefined;
  }

  #list<Item>(
    kind: Kind,
    range: BlockRange,
    find: (segment: Segment) => IdList,
    make: (segment: Segment, id: number) => Item,
  ): Listing<Item> {
    const firstNumber = this.block(0)?.number ?? 0;
    const parts = this.#slices().map((slice): ListPart<Item> => {
      const { segment, before, blocks } = slice;
      const clamp = (index: number) => Math.max(0, Math.min(blocks, index - before));
      const from = clamp((range.startBlock ?? firstNumber) - firstNumber);
      const to = clamp((range.endBlock ?? Number.POSITIVE_INFINITY) - firstNumber + 1);
      const firstOf = segment.firstOf[kind];
      const ids = from < to ? find(segment) : idsIn([]);
      const start = ids.countBelow(firstOf[from] as number);
      const end = from < to ? ids.countBelow(firstOf[to] as number) : start;
      return { ids, start, end, make: (id) => make(segment, id) };
    });
    return listParts(parts);
  }

  #find<Result>(hash: Hash, found: Found<Result>, slices = this.#slices()): Result | undefined {
    for (let index = slices.length - 1; index >= 0; index--) {
      const slice = slices[index] as Slice;
      const id = slice.segment.find(hash);
      if (id !== -1 && id < transactionsIn(slice)) return found(slice.segment, id);
    }
    return undefined;
  }

  get #before(): number {
    const last = this.#frozen.at(-1);
    return last === undefined ? 0 : last.before + last.blocks;
  }

  #slices(): readonly Slice[] {
    const own = { segment: this.#top, blocks: this.#top.blocks.length, before: this.#before };
    return own.blocks === 0 ? this.#frozen : [...this.#frozen, own];
  }

  #sliceAt(index: number): Slice {
    const slice = this.#slices().find(({ before, blocks }) => index < before + blocks);
    if (slice === undefined)
      throw new RangeError(`Index ${index} is out of range: the chain has ${this.length} blocks`);
    return slice;
  }

  #freeze(): void {
    if (this.#top.blocks.length === 0) return;
    this.#frozen = merged(this.#slices(), MERGED_BY_FORK);
    this.#top = new Segment();
  }
}

const transactionsIn = ({ segment, blocks }: Slice): number =>
  segment.firstOf.transactions[blocks] as number;

const weight = (slice: Slice): number => slice.blocks + transactionsIn(slice);

const merged = (slices: readonly Slice[], upTo: number): readonly Slice[] =>
  compact(slices, { upTo, size: weight, merge });

function merge(lower: Slice, upper: Slice): Slice {
  const segment = new Segment();
  for (const slice of [lower, upper]) {
    for (let index = 0; index < slice.blocks; index++)
      segment.append(slice.segment.inputs[index] as BlockInput);
  }
  return { segment, blocks: lower.blocks + upper.blocks, before: lower.before };
}

/** Throws if the chain already has one of the block's transactions; `has` checks one. */
function checkNew({ block, executions }: BlockInput, has: (hash: Hash) => boolean): void {
  for (const { transaction } of executions)
    if (has(transaction.hash)) throwKnown(block, transaction.hash);
}

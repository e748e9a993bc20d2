// The blocks of a chain and the queries on them. Forks share frozen segments, and each fork appends
// to a segment of its own.

import { describe } from "../../src/models/issues.ts";
import { compact } from "./fork-map.ts";
import { countBefore, listOf, listParts, type Part } from "./listing.ts";
import type { BlockRange, BusyAccount, Listing, LogFilter, Role } from "./reader.ts";
import type {
  Address,
  Block,
  BlockInput,
  ChainTransaction,
  Execution,
  Frame,
  Hash,
  Log,
  TokenStandard,
} from "./records.ts";
import { type LoggedTransfer, Segment } from "./segment.ts";
import type { TransferredLog } from "./transfer-event.ts";

/**
 * A fork merges segments into segments of up to this many blocks and transactions, because many
 * segments make queries slow.
 */
const MERGED_BY_FORK = 64;

/**
 * An append merges into segments of up to this size, but only if there are more than
 * `MANY_SEGMENTS`.
 */
const MERGED_BY_APPEND = 5_000;
const MANY_SEGMENTS = 32;

/** How many accounts each segment nominates for the chain's list of busiest accounts. */
const NOMINATED = 128;

/** The first `blocks` blocks of a segment, which follow `before` earlier blocks of the chain. */
interface Slice {
  readonly segment: Segment;
  readonly blocks: number;
  readonly before: number;
}

const blockOfTransaction = ({ block }: ChainTransaction) => block;
const blockOfRecord = ({ transaction }: Frame | Log) => transaction.block;

export class History {
  #frozen: readonly Slice[] = [];
  #top = new Segment();

  get length(): number {
    return this.#before + this.#top.inputs.length;
  }

  /**
   * Appends a block and returns the transfers in its logs. Throws if the chain already has one of
   * its transactions.
   */
  protected appendBlock(input: BlockInput): readonly TransferredLog[] {
    if (this.#top.inputs.length === 0 && this.#frozen.length > MANY_SEGMENTS)
      this.#frozen = merged(this.#frozen, MERGED_BY_APPEND);
    const slices = this.#slices();
    const hashes = new Set<Hash>();
    for (const { transaction } of input.executions) {
      const { hash } = transaction;
      if (hashes.has(hash) || findExecution(slices, hash))
        throw new Error(
          `Cannot append block ${input.block.number}: the chain already has its transaction ${hash}`,
        );
      hashes.add(hash);
    }
    return this.#top.append(input);
  }

  /** Takes over the blocks of another history; neither sees later appends of the other. */
  protected copyBlocks(from: History): void {
    from.#freeze();
    this.#frozen = from.#frozen;
    this.#top = new Segment();
  }

  protected truncate(length: number): void {
    this.#freeze();
    this.#frozen = this.#frozen
      .filter(({ before }) => before < length)
      .map((slice) => ({ ...slice, blocks: Math.min(slice.blocks, length - slice.before) }));
  }

  /** The block at a position, counted from the chain's first block, as it was appended. */
  protected inputAt(index: number): BlockInput | undefined {
    const slice = this.#slices().find(({ before, blocks }) => index < before + blocks);
    return slice?.segment.inputs[index - slice.before];
  }

  execution(hash: Hash): Execution | undefined {
    return findExecution(this.#slices(), hash);
  }

  blocksMinedBy(miner: Address): Listing<Block> {
    return this.#list(
      {},
      ({ blocksMinedBy }) => blocksMinedBy.of(miner),
      (block) => block,
    );
  }

  allTransactions(range: BlockRange = {}): Listing<ChainTransaction> {
    return this.#list(range, ({ transactions }) => transactions, blockOfTransaction);
  }

  transactions(
    address: Address,
    role: Role = "all",
    range: BlockRange = {},
  ): Listing<ChainTransaction> {
    if (!/^(all|to|from|contract)$/.test(role))
      throw new TypeError(
        `chain.transactions: role: expected one of all, to, from, contract, received ${describe(role)}`,
      );
    return this.#list(
      range,
      ({ transactionsOf }) => transactionsOf[role].of(address),
      blockOfTransaction,
    );
  }

  frames(address: Address, range: BlockRange = {}): Listing<Frame> {
    return this.#list(range, ({ framesOf }) => framesOf.of(address), blockOfRecord);
  }

  framesOf({ hash }: ChainTransaction): Listing<Frame> {
    return listOf(this.execution(hash)?.frames ?? []);
  }

  logs(filter: LogFilter): Listing<Log> {
    return this.#list(filter, (segment) => segment.logs(filter), blockOfRecord);
  }

  /**
   * The transfers of a holder that have this standard, or may have it. The caller must check the
   * doubtful ones, because their logs do not tell the standard.
   */
  protected loggedTransfers(
    holder: Address,
    standard: TokenStandard,
    range: BlockRange,
  ): Listing<LoggedTransfer> {
    return this.#list(
      range,
      (segment) => segment.transfersOf(holder, standard),
      ({ log }) => blockOfRecord(log),
    );
  }

  /**
   * The accounts with most transactions, the busiest first. Approximate, because it considers only
   * the accounts that a segment nominates.
   */
  busiestAccounts(count: number): readonly BusyAccount[] {
    const nominated = new Set(this.#slices().flatMap(({ segment }) => busiestIn(segment)));
    return Array.from(nominated, (address) => ({
      address,
      transactions: this.transactions(address, "all", {}).count,
    }))
      .filter(({ transactions }) => transactions > 0)
      .sort(
        (left, right) =>
          right.transactions - left.transactions || (left.address < right.address ? -1 : 1),
      )
      .slice(0, count);
  }

  /** Lists the records of each segment whose blocks are in the range and in this history. */
  #list<Item>(
    { startBlock = 0, endBlock = Number.POSITIVE_INFINITY }: BlockRange,
    find: (segment: Segment) => readonly Item[],
    blockOf: (item: Item) => Block,
  ): Listing<Item> {
    const parts = this.#slices().flatMap((slice): Part<Item>[] => {
      const last = Math.min(endBlock, lastBlock(slice));
      if (last < startBlock) return [];
      const { inputs } = slice.segment;
      const list = find(slice.segment);
      const before = (number: number) =>
        countBefore(listOf(list), (item) => blockOf(item).number < number);
      const isFromFirst = startBlock <= (inputs[0]?.block.number ?? 0);
      const isToLast = last === inputs.at(-1)?.block.number;
      return [
        {
          list,
          start: isFromFirst ? 0 : before(startBlock),
          end: isToLast ? list.length : before(last + 1),
        },
      ];
    });
    return listParts(parts);
  }

  get #before(): number {
    const last = this.#frozen.at(-1);
    return last === undefined ? 0 : last.before + last.blocks;
  }

  #slices(): readonly Slice[] {
    const topSlice = { segment: this.#top, blocks: this.#top.inputs.length, before: this.#before };
    return topSlice.blocks === 0 ? this.#frozen : [...this.#frozen, topSlice];
  }

  #freeze(): void {
    if (this.#top.inputs.length === 0) return;
    this.#frozen = merged(this.#slices(), MERGED_BY_FORK);
    this.#top = new Segment();
  }
}

const lastBlock = ({ segment, blocks }: Slice): number =>
  segment.inputs[blocks - 1]?.block.number ?? -1;

/**
 * Finds a transaction by its hash. Also checks the block number, because a shared segment may hold
 * blocks that this history has removed.
 */
function findExecution(slices: readonly Slice[], hash: Hash): Execution | undefined {
  for (const slice of slices) {
    const execution = slice.segment.execution(hash);
    if (execution && execution.transaction.block.number <= lastBlock(slice)) return execution;
  }
  return undefined;
}

const busiestIn = ({ transactionsOf }: Segment): readonly Address[] =>
  [...transactionsOf.all.entries()]
    .sort(([, left], [, right]) => right.length - left.length)
    .slice(0, NOMINATED)
    .map(([address]) => address);

function weight(slice: Slice): number {
  const last = lastBlock(slice);
  const { transactions } = slice.segment;
  return slice.blocks + countBefore(listOf(transactions), ({ block }) => block.number <= last);
}

const merged = (slices: readonly Slice[], upTo: number): readonly Slice[] =>
  compact(slices, { upTo, size: weight, merge });

function merge(lower: Slice, upper: Slice): Slice {
  const segment = new Segment();
  for (const { segment: part, blocks } of [lower, upper])
    for (const input of part.inputs.slice(0, blocks)) segment.append(input);
  return { segment, blocks: lower.blocks + upper.blocks, before: lower.before };
}

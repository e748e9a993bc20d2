// The chain in memory: what happened, packed and indexed, and the state it leads to.
import type { BlockInput, Execution, HeadState } from "./block-input.ts";
import { History } from "./history.ts";
import { filterListing, listOf, mapListing } from "./listing.ts";
import type { BlockRange, ChainReader, Listing, LogFilter, Role } from "./reader.ts";
import type {
  Address,
  Block,
  Frame,
  Hash,
  Hex,
  Holding,
  Log,
  Nft,
  Token,
  TokenStandard,
  Transaction,
  Transfer,
  VerifiedContract,
} from "./records.ts";
import type { Shortfall } from "./shortfall.ts";
import { State } from "./state.ts";
import { transferIn } from "./transfer-event.ts";

export interface ChainOptions {
  readonly chainId: number;
}

/** A point to come back to: `chain.restore(snapshot)`. */
export interface Snapshot {
  readonly chain: Chain;
}

/**
 * A chain of blocks in memory. It starts with whatever block is appended first.
 *
 * @example
 * const chain = generateChain({ blocks: 3 });
 * const snapshot = chain.snapshot();
 * chain.rewind(1);
 * chain.head.number; // 2
 * chain.restore(snapshot);
 * chain.head.number; // 3
 */
export class Chain implements ChainReader {
  readonly chainId: number;
  #history = new History();
  #state: State;
  #returns = 0;

  constructor({ chainId }: ChainOptions) {
    this.chainId = chainId;
    this.#state = new State();
  }

  /** Adds a block on top. Nothing is added if it does not fit. */
  append(body: BlockInput): void {
    this.appendWatched(body);
  }

  /** @internal Appends a block; `onShortfall` hears of whoever gives in it what they do not have. */
  appendWatched(body: BlockInput, onShortfall?: (shortfall: Shortfall) => void): void {
    this.#check(body);
    this.#history.append(body);
    this.#state.apply(body, onShortfall);
  }

  /** Takes over what a node said about the head. */
  applyHeadState(facts: HeadState): void {
    this.#state.applyHeadState(facts, this.#history);
  }

  /** @internal What was told of these contracts, to be told again after a rewind forgot it. */
  headStateOf(contracts: Iterable<Address>): HeadState {
    return this.#state.headStateOf(contracts);
  }

  /** Takes the last `count` blocks away: the chain is as if they never were. What was told of contracts they created is forgotten. */
  rewind(count: number): void {
    const { length } = this.#history;
    if (!Number.isInteger(count) || count < 0 || count > length) {
      throw new RangeError(`Cannot rewind ${count} blocks of a chain that has ${length}.`);
    }
    for (let index = length - 1; index >= length - count; index--) {
      const body = this.#history.body(index);
      this.#history.truncate(index);
      this.#state.undo(body, this.#history);
    }
    this.#returns += 1;
  }

  /** A chain that starts as a copy of this one; neither sees what the other does from now on. Costs what changed since the last fork. */
  fork(): Chain {
    const fork = new Chain({ chainId: this.chainId });
    fork.#take(this);
    return fork;
  }

  /** Remembers the chain as it is now. */
  snapshot(): Snapshot {
    return { chain: this.fork() };
  }

  /** Goes back to a snapshot, as often as wanted. */
  restore({ chain }: Snapshot): void {
    this.#take(chain);
    this.#returns += 1;
  }

  /** How often the chain went back, by `rewind` or `restore`: what was planned on top of it before may not fit any more. */
  get returns(): number {
    return this.#returns;
  }

  /** The number of blocks. */
  get length(): number {
    return this.#history.length;
  }

  /** The number of transactions. */
  get transactionCount(): number {
    return this.#history.transactionCount;
  }

  get head(): Block {
    const head = this.#history.block(this.length - 1);
    if (head === undefined) throw new Error("The chain has no block yet: append one first.");
    return head;
  }

  block(number: number): Block | undefined {
    return this.#history.block(this.#indexOf(number));
  }

  /** A block with all that happened in it, as it was appended. */
  body(number: number): BlockInput | undefined {
    const index = this.#indexOf(number);
    return this.#history.block(index) && this.#history.body(index);
  }

  blocksMinedBy(miner: Address): Listing<Block> {
    return this.#history.blocksMinedBy(miner);
  }

  transaction(hash: Hash): Transaction | undefined {
    return this.#history.transaction(hash);
  }

  /** A transaction with all that happened in it. */
  execution(hash: Hash): Execution | undefined {
    return this.#history.execution(hash);
  }

  transactions(address: Address, role: Role, range: BlockRange): Listing<Transaction> {
    return this.#history.transactions(address, role, range);
  }

  frames(address: Address, range: BlockRange): Listing<Frame> {
    return this.#history.frames(address, range);
  }

  framesOf(transaction: Transaction): Listing<Frame> {
    return this.#history.framesOf(transaction);
  }

  logs(filter: LogFilter): Listing<Log> {
    return this.#history.logs(filter);
  }

  transfers(address: Address, standard: TokenStandard, range: BlockRange): Listing<Transfer> {
    const logs = this.#history.transfers(address, standard, range);
    const real = this.#state.hasStrays(address)
      ? filterListing(logs, (log) => this.token(log.address)?.standard === standard)
      : logs;
    return mapListing(real, (log) => this.#transfer(log));
  }

  balance(address: Address): bigint {
    return this.#state.balance(address);
  }

  code(address: Address): Hex {
    return this.#state.codes.get(address) ?? "0x";
  }

  token(address: Address): Token | undefined {
    return this.#state.token(address)?.record;
  }

  tokenBalance(token: Address, holder: Address): bigint {
    return this.#state.token(token)?.balance(holder) ?? 0n;
  }

  holdings(holder: Address, standard: TokenStandard): Listing<Holding> {
    return listOf(this.#state.holdings(holder, standard));
  }

  nfts(token: Address, holder?: Address): Listing<Nft> {
    const ledger = this.#state.token(token);
    const record = ledger?.record;
    if (ledger === undefined || record?.standard !== "mrc721") return listOf([]);
    return mapListing(listOf(ledger.ids(holder)), (tokenId) => ({
      token: record,
      tokenId,
      owner: ledger.owner(tokenId) as Address,
      uri: ledger.uri(tokenId),
    }));
  }

  verified(address: Address): VerifiedContract | undefined {
    return this.#state.verified.get(address);
  }

  #take(from: Chain): void {
    this.#history = from.#history.fork();
    this.#state = from.#state.fork();
  }

  #indexOf(number: number): number {
    return number - (this.#history.block(0)?.number ?? 0);
  }

  #transfer(log: Log): Transfer {
    const transfer = transferIn(log);
    const token = this.token(log.address);
    if (transfer === undefined || token === undefined) {
      throw new Error(
        `The log ${log.index} of block ${log.transaction.block.number} is no transfer of a token.`,
      );
    }
    return { log, token, from: transfer.from, to: transfer.to, value: transfer.value };
  }

  #check({ block, executions }: BlockInput): void {
    if (block.transactionCount !== executions.length) {
      throw new Error(
        `Block ${block.number} says it has ${block.transactionCount} transactions, but ${executions.length} came with it.`,
      );
    }
    const head = this.#history.block(this.length - 1);
    if (head !== undefined) checkParent(block, head);
    const brought = new Set<Hash>();
    for (const { transaction } of executions) {
      if (brought.has(transaction.hash) || this.#history.has(transaction.hash)) {
        throw new Error(
          `Block ${block.number} brings transaction ${transaction.hash}, which the chain has already.`,
        );
      }
      brought.add(transaction.hash);
    }
  }
}

function checkParent(block: Block, head: Block): void {
  if (block.number !== head.number + 1) {
    throw new Error(
      `Block ${head.number + 1} was expected after the head, but block ${block.number} came.`,
    );
  }
  if (block.parentHash !== head.hash) {
    throw new Error(
      `Block ${block.number} names ${block.parentHash} as its parent, but block ${head.number} has the hash ${head.hash}.`,
    );
  }
}

// The chain in memory: its indexed blocks, and the state at the head.

import { classOf } from "../input/options.ts";
import { History } from "./history.ts";
import { filterListing, listOf, mapListing } from "./listing.ts";
import { type BlockRange, builtOrigin, type ChainOrigin, type Listing } from "./reader.ts";
import {
  type Address,
  type Block,
  type BlockInput,
  type ChainTransaction,
  type ContractVerification,
  type Hash,
  type HeadState,
  type Hex,
  type Holding,
  hasIds,
  type Nft,
  type Token,
  type TokenStandard,
  type Transfer,
} from "./records.ts";
import type { LoggedTransfer } from "./segment.ts";
import { ChainState } from "./state.ts";
import { type TransferEvent, transferIn, transferOf } from "./transfer-event.ts";
import type { ChainSnapshot, ChainWriter, Overdraft } from "./writer.ts";

export interface ChainOptions {
  readonly chainId: number;
  /** The origin of the chain. @default built by this program */
  readonly origin?: ChainOrigin | undefined;
}

/**
 * A chain of blocks in memory. It starts with the first block you append.
 *
 * @example
 * const chain = generateChain({ blocks: 3 });
 * const snapshot = chain.snapshot();
 * chain.rewind(1);
 * chain.head.number; // 2
 * chain.restore(snapshot);
 * chain.head.number; // 3
 */
export class Chain extends History implements ChainWriter {
  /** @internal */
  guard: (() => void) | undefined;
  #chainId: number;
  #state: ChainState;
  #rewindCount = 0;
  #revision = 0;
  #origin: ChainOrigin;

  constructor({ chainId, origin = builtOrigin }: ChainOptions) {
    super();
    if (!Number.isSafeInteger(chainId))
      throw new TypeError(
        `new Chain: chainId: expected a whole number, received ${classOf(chainId)}`,
      );
    this.#chainId = chainId;
    this.#origin = origin;
    this.#state = new ChainState();
  }

  append(input: BlockInput, onOverdraft?: (overdraft: Overdraft) => void): void {
    this.guard?.();
    if (!Object(input).block || !Object(input).executions)
      throw new TypeError(
        `chain.append: expected a block and its executions, received ${classOf(input)}`,
      );
    checkAppended(input, this.inputAt(this.length - 1)?.block);
    const transfers = this.appendBlock(input);
    this.#revision += 1;
    this.#state.apply(input, transfers, onOverdraft);
  }

  applyHeadState(state: HeadState): void {
    this.guard?.();
    this.#revision += 1;
    this.#state.applyHeadState(state, this);
  }

  headStateOf(contracts: Iterable<Address>): HeadState {
    return this.#state.headStateOf(contracts);
  }

  rewind(count: number): void {
    this.guard?.();
    const { length } = this;
    if (!Number.isInteger(count) || count < 0 || count > length) {
      throw new RangeError(`Cannot rewind ${count} blocks: the chain has ${length}`);
    }
    const undone = Array.from({ length: count }, (_, ago) => this.inputAt(length - 1 - ago));
    this.truncate(length - count);
    this.#state.undo(undone as BlockInput[], this);
    this.#rewindCount += 1;
    this.#revision += 1;
  }

  reset(chainId: number): void {
    this.guard?.();
    this.#chainId = chainId;
    this.copyBlocks(new History());
    this.#state = new ChainState();
    this.#rewindCount += 1;
    this.#revision += 1;
  }

  fork(): Chain {
    const fork = new Chain({ chainId: this.chainId });
    fork.#copy(this);
    return fork;
  }

  snapshot(): ChainSnapshot {
    return { chain: this.fork() };
  }

  restore(snapshot: ChainSnapshot): void {
    this.guard?.();
    const { chain } = Object(snapshot);
    if (!(chain instanceof Chain)) {
      throw new TypeError("Invalid snapshot: expected one that a chain's snapshot() returned");
    }
    this.#copy(chain);
    this.#rewindCount += 1;
    this.#revision += 1;
  }

  get chainId(): number {
    return this.#chainId;
  }

  get origin(): ChainOrigin {
    return this.#origin;
  }

  get revision(): number {
    return this.#revision;
  }

  get rewindCount(): number {
    return this.#rewindCount;
  }

  get transactionCount(): number {
    return this.allTransactions({}).count;
  }

  get head(): Block {
    const head = this.inputAt(this.length - 1)?.block;
    if (head === undefined) throw new Error("The chain is empty: append a block first");
    return head;
  }

  block(number: number): Block | undefined {
    return this.blockInput(number)?.block;
  }

  blockInput(number: number): BlockInput | undefined {
    return this.inputAt(number - (this.inputAt(0)?.block.number ?? 0));
  }

  transaction(hash: Hash): ChainTransaction | undefined {
    return this.execution(hash)?.transaction;
  }

  transfers(address: Address, standard: TokenStandard, range: BlockRange = {}): Listing<Transfer> {
    const logged = this.loggedTransfers(address, standard, range);
    const listed = this.#state.hasUnsureTransfers(address)
      ? filterListing(logged, ({ log }) => this.token(log.address)?.standard === standard)
      : logged;
    return mapListing(listed, (transfer) => this.#transfer(transfer));
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

  tokens(): Token[] {
    return this.#state.tokens();
  }

  tokenBalance(token: Address, holder: Address): bigint {
    return this.#state.token(token)?.balance(holder) ?? 0n;
  }

  holdings(holder: Address, standard: TokenStandard): Listing<Holding> {
    const tokens = listOf(this.#state.heldTokens(holder, standard));
    return mapListing(tokens, (token) => ({
      token: token.record as Token,
      holder,
      balance: token.balance(holder),
    }));
  }

  knownTokens(): Iterable<Address> {
    return this.#state.knownTokens();
  }

  knownHolders(token: Address): Iterable<Address> {
    return this.#state.token(token)?.knownHolders() ?? [];
  }

  knownIds(token: Address): Iterable<bigint> {
    return this.#state.token(token)?.knownIds() ?? [];
  }

  nfts(token: Address, holder?: Address): Listing<Nft> {
    const ledger = this.#state.token(token);
    const record = ledger?.record;
    if (ledger === undefined || record === undefined || !hasIds(record.standard)) return listOf([]);
    return mapListing(listOf(ledger.ids(holder)), (id) => this.nft(token, id) as Nft);
  }

  nft(token: Address, tokenId: bigint): Nft | undefined {
    const ledger = this.#state.token(token);
    const record = ledger?.record;
    const owner = ledger?.owner(tokenId);
    if (ledger === undefined || record === undefined || owner === undefined) return undefined;
    return { token: record, tokenId, owner, uri: ledger.uri(tokenId) };
  }

  verified(address: Address): ContractVerification | undefined {
    const contract = this.#state.verified.get(address);
    // A verification holds for the code it was checked against. `hardhat_setCode` can replace that
    // code.
    return contract?.code === this.code(address) ? contract : undefined;
  }

  verifiedContracts(): ContractVerification[] {
    return Array.from(this.#state.verified.entries(), ([address]) => this.verified(address)).filter(
      (contract) => contract !== undefined,
    );
  }

  #copy(from: Chain): void {
    this.#origin = from.origin;
    this.#chainId = from.chainId;
    this.copyBlocks(from);
    this.#state = from.#state.fork();
  }

  #transfer({ log, nth }: LoggedTransfer): Transfer {
    const { from, to, value } = transferOf(transferIn(log) as TransferEvent, nth);
    return { log, token: this.token(log.address) as Token, from, to, value };
  }
}

/** The end of the year 9999, because times in responses have four digits for the year. */
const LAST_SECOND = 253_402_300_799;

/** Throws for a block that cannot follow the head. */
function checkAppended({ block, executions }: BlockInput, head: Block | undefined): void {
  if (block.transactionCount !== executions.length) {
    throw new Error(
      `Cannot append block ${block.number}: its transactionCount is ${block.transactionCount}, but it has ${executions.length} transactions`,
    );
  }
  if (block.timestamp > LAST_SECOND) {
    throw new Error(
      `Cannot append block ${block.number}: its timestamp ${block.timestamp} is after the year 9999; expected seconds since 1970, up to ${LAST_SECOND}`,
    );
  }
  if (head === undefined) return;
  if (block.number !== head.number + 1) {
    throw new Error(
      `Cannot append block ${block.number}: expected block ${head.number + 1}, the one after the head`,
    );
  }
  if (block.parentHash !== head.hash) {
    throw new Error(
      `Cannot append block ${block.number}: expected the parent hash ${head.hash} (that of block ${head.number}), received ${block.parentHash}`,
    );
  }
}

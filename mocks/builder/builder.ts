// The chain builder: mines transactions into blocks, and replaces blocks by others.
import { describe } from "../../src/models/issues.ts";
import { blockFields, optionalIn } from "../chain/fields.ts";
import type { Block, Hash } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import {
  type BlockHeader,
  type BlockOptions,
  GENESIS_GAS_LIMIT,
  makeBlock,
  secondsOf,
} from "./block.ts";
import { refuse } from "./evm.ts";
import { nextBaseFee } from "./gas.ts";
import { hashOfReference, type TransactionReference } from "./options.ts";
import type { PendingPool } from "./pending-pool.ts";
import { atOnce, type ReorgResult, reorganiseInSlices } from "./reorganisation.ts";
import { checked } from "./schemas.ts";
import { applyTransaction, type PendingTransaction, type SentTransaction } from "./transaction.ts";
import { type NamesState, type Rules, TransactionSender } from "./transaction-sender.ts";

/** The state of a builder besides its chain. */
export interface BuilderState {
  readonly rules: Rules;
  readonly waited: number;
  readonly branch: number;
  readonly names: NamesState;
  readonly pending: readonly PendingTransaction[];
}

/** Which transactions a reorganisation drops. */
interface ReorgOptions {
  /** The transactions to leave out of the new blocks. Default none. */
  readonly drop?: "all" | readonly TransactionReference[];
}

/**
 * Builds a chain; create one with {@link buildChain} or {@link continueChain}. Each call takes
 * effect immediately and returns what it created. {@link mine} puts the pending transactions into a
 * block, where readers of the chain see them. A call that no real chain allows throws an {@link
 * ImpossibleError} and changes nothing. A wrong option, a malformed address or malformed bytes
 * throw a TypeError. Amounts are in the smallest unit.
 */
export class ChainBuilder extends TransactionSender {
  /** Seconds to add to the next block's timestamp. */
  #waited = 0;
  /** Counts reorganisations, so that each gives its blocks different hashes. */
  #branch = 0;

  /** The transactions that have not been mined yet. */
  get pending(): readonly SentTransaction[] {
    return this.pool.transactions.map(({ sent }) => sent);
  }

  /** Adds whole seconds to the next block's timestamp. */
  wait(seconds: number): void {
    this.assertWritable();
    if (!Number.isSafeInteger(seconds) || seconds < 0)
      throw new TypeError(
        `builder.wait: expected a whole number of seconds from 0 up, received ${describe(seconds)}`,
      );
    this.#waited += seconds;
  }

  /** @internal The state of the builder besides its chain. */
  state(): BuilderState {
    const { rules, names, pool } = this;
    const [waited, branch] = [this.#waited, this.#branch];
    return { rules, waited, branch, names: names.state(), pending: pool.transactions };
  }

  /**
   * @internal Returns to a state; without one, to that of a new builder. Restore the chain first.
   */
  restore(state: Partial<BuilderState> = {}): void {
    const { rules = this.rules, waited = 0, branch = 0, names, pending = [] } = state;
    this.rules = rules;
    this.#waited = waited;
    this.#branch = branch;
    this.names.restore(names);
    this.pool.reset(pending);
  }

  /** @internal A builder in the same state, on a fork of the chain. */
  fork(): ChainBuilder {
    const fork = new ChainBuilder(this.chain.fork());
    fork.restore(this.state());
    return fork;
  }

  /**
   * Mines the pending transactions into one block.
   *
   * @example
   * ```ts
   * const first = builder.transfer(alice, bob, 1n);
   * const second = builder.transfer(bob, alice, 1n);
   * builder.mine([second, first], { timestamp: new Date("2030-01-01T00:00:00Z") });
   * builder.mine(3).length; // 3
   * builder.mine({ rewards: [{ addr: bob, reward: coins(1) }] }); // as Metadium's headers state them
   * ```
   */
  mine(options?: BlockOptions): Block;
  /** Mines this many blocks; the first contains the pending transactions. */
  mine(blocks: number, options?: BlockOptions): Block[];
  /** Mines these transactions, in this order, into one block; the others stay pending. */
  mine(transactions: readonly TransactionReference[], options?: BlockOptions): Block;
  mine(
    what?: number | readonly TransactionReference[] | BlockOptions,
    options: BlockOptions = {},
  ): Block | Block[] {
    this.assertWritable();
    const isCount = typeof what === "number";
    const isHeader = !isCount && !isList(what) && what !== undefined;
    const header = checked("builder.mine", "mine", isHeader ? what : options);
    if (isList(what)) {
      const transactions = what.map((reference) => this.pool.get(hashOfReference(reference)));
      return this.#mineBlock(transactions, header);
    }
    if (!isCount) return this.#mineBlock(this.pool.transactions, header);
    if (!Number.isSafeInteger(what) || what < 0) {
      refuse(`cannot mine ${what} blocks: expected a whole number from 0 up`);
    }
    const { timestamp, ...rest } = header;
    return Array.from({ length: what }, (_, at) =>
      this.#mineBlock(this.pool.transactions, at === 0 ? header : rest),
    );
  }

  /**
   * Replaces the last `count` blocks with as many others, as if the chain had switched to a better
   * branch: hashes change, and transactions keep their places unless you drop them. If these blocks
   * created a token of a loaded chain, balances that no event explains are lost, because they were
   * read from a node and no block states them.
   *
   * @example
   * ```ts
   * const { blocks } = builder.reorg(2);
   * const { dropped } = builder.reorg(1, { drop: [payment] }); // as if it had never been sent
   * ```
   */
  reorg(count: number, options: ReorgOptions = {}): ReorgResult {
    return atOnce(this.reorgInSlices(count, options));
  }

  /** @internal The same, slice by slice: run the generator to its end. */
  *reorgInSlices(count: number, options: ReorgOptions = {}): Generator<void, ReorgResult> {
    this.assertWritable();
    const { drop = [] } = checked("builder.reorg", "reorg", options);
    if (!Number.isInteger(count) || count < 0 || count > this.chain.head.number) {
      refuse(`cannot replace ${count} blocks: there are ${this.chain.head.number} after the first`);
    }
    this.#branch += 1;
    const dropped = drop === "all" ? drop : new Set(drop.map(hashOfReference));
    const isDropped = (hash: Hash) => dropped === "all" || dropped.has(hash);
    const { label } = this.names;
    const result = yield* reorganiseInSlices(this.chain, count, this.#branch, label, isDropped);
    this.pool.reset();
    return result;
  }

  #mineBlock(transactions: readonly PendingTransaction[], options: BlockOptions): Block {
    const header = this.#nextHeader(options);
    const { rewards } = options;
    const block = mineBlock(this.chain, this.pool, header, transactions, this.#branch, rewards);
    this.#waited = 0;
    return block;
  }

  #nextHeader(options: BlockOptions): BlockHeader {
    const { miner, timestamp, gasLimit, baseFeePerGas } = options;
    const parent = this.chain.head;
    const header = {
      ...optionalIn(blockFields, options),
      number: parent.number + 1,
      parentHash: parent.hash,
      timestamp:
        timestamp === undefined
          ? parent.timestamp + this.rules.blockTime + this.#waited
          : secondsOf(timestamp),
      miner: miner ?? this.rules.miner,
      gasLimit: gasLimit ?? parent.gasLimit ?? GENESIS_GAS_LIMIT,
      baseFeePerGas: baseFeePerGas === undefined ? this.pool.nextBaseFee() : baseFeePerGas,
      miningReward: this.rules.blockReward,
    };
    if (header.timestamp <= parent.timestamp) {
      refuse(
        `block ${header.number} cannot have the timestamp ${header.timestamp}: expected one after its parent's, ${parent.timestamp}`,
      );
    }
    return header;
  }
}

const isList = (what: unknown): what is readonly TransactionReference[] => Array.isArray(what);

/** Refuses, with no change, a block after which pending transactions would not be possible. */
function mineBlock(
  chain: ChainWriter,
  pool: PendingPool,
  header: BlockHeader,
  transactions: readonly PendingTransaction[],
  branch: number,
  rewards: BlockOptions["rewards"],
): Block {
  const { baseFeePerGas, miningReward } = header;
  const miner = rewards === undefined ? header.miner : null;
  const ledger = pool.newLedger();
  for (const transaction of transactions) {
    applyTransaction(ledger, transaction, { baseFeePerGas, miner });
  }
  const headState = ledger.headState();
  const input = makeBlock(header, transactions, branch, rewards);

  const mined = new Set(transactions);
  const remaining = pool.transactions.filter((transaction) => !mined.has(transaction));
  const next = { baseFeePerGas: nextBaseFee(input.block), miner: null };
  for (const { addr, reward } of rewards ?? [{ addr: header.miner, reward: miningReward }])
    ledger.credit(addr, reward);
  for (const transaction of remaining) {
    applyTransaction(ledger, transaction, next);
  }

  chain.append(input);
  chain.applyHeadState(headState);
  pool.reset(remaining);
  return input.block;
}

// A chain out of nothing: plausible, of any size, and the same for the same seed.
import type { Execution, TokenState } from "../chain/block-input.ts";
import { Chain } from "../chain/chain.ts";
import { executionMoves } from "../chain/coin-moves.ts";
import { ZERO_ADDRESS, ZERO_HASH } from "../chain/constants.ts";
import type { Address, Block, Frame, Log, Transaction } from "../chain/records.ts";
import { Actors, CONTRACT_CODE } from "./actors.ts";
import {
  type PlannedFrame,
  type PlannedTransaction,
  planTransaction,
  TRANSFER_GAS,
} from "./planned-transaction.ts";
import { Planner } from "./planner.ts";
import type { RandomStream } from "./stream.ts";

/** What chain to generate. */
export interface GenerateOptions {
  /** Two chains of the same seed are the same. Default 1. */
  readonly seed?: number | string | undefined;
  /** Blocks on top of the genesis block. Default 100. */
  readonly blocks?: number | undefined;
  /** Transactions in all, evenly over the blocks. Default 20 a block. */
  readonly transactions?: number | undefined;
  /** Accounts, each with coins in the genesis block; a few do most. Default 100. */
  readonly accounts?: number | undefined;
  /** Tokens, MRC20 and MRC721 in turn, deployed by the first transactions. Default 6. */
  readonly tokens?: number | undefined;
  /** Default 4. */
  readonly miners?: number | undefined;
  /** Default 1717. */
  readonly chainId?: number | undefined;
  /** The time of the genesis block, in seconds since 1970. Default 1700000000. */
  readonly startTime?: number | undefined;
}

type Settings = {
  readonly [Option in keyof GenerateOptions]-?: NonNullable<GenerateOptions[Option]>;
};

const SECONDS_A_BLOCK = 12;
const MINING_REWARD = 2n * 10n ** 18n;
const GIGA = 10n ** 9n;

/**
 * Makes a chain: skewed activity, several miners, failures, both kinds of tokens, internal transactions, deployments. Its ledger is true.
 * A chain with more blocks (and transactions in proportion) begins with the blocks of the shorter one. Where more accounts or tokens are asked
 * for, those that were there keep addresses, coins in the beginning and names, and what they do, but for what the new ones do in their place.
 *
 * @throws RangeError where a number makes no sense
 * @example
 * const chain = generateChain({ seed: 7, blocks: 50, transactions: 1000 });
 * chain.head.number; // 50
 */
export function generateChain(options: GenerateOptions = {}): Chain {
  const settings = complete(options);
  const chain = new Chain({ chainId: settings.chainId });
  const cast = new Actors(settings.seed, settings);
  const maker = new BlockMaker(settings, cast, chain);
  maker.genesis();
  for (let number = 1; number <= settings.blocks; number++) maker.mine(number);
  return chain;
}

function complete(options: GenerateOptions): Settings {
  const blocks = options.blocks ?? 100;
  const settings: Settings = {
    seed: options.seed ?? 1,
    blocks,
    transactions: options.transactions ?? blocks * 20,
    accounts: options.accounts ?? 100,
    tokens: options.tokens ?? 6,
    miners: options.miners ?? 4,
    chainId: options.chainId ?? 1717,
    startTime: options.startTime ?? 1_700_000_000,
  };
  const least = {
    blocks: 0,
    transactions: 0,
    accounts: 1,
    tokens: 0,
    miners: 1,
    chainId: 0,
    startTime: 0,
  };
  for (const [option, lowest] of Object.entries(least) as [keyof typeof least, number][]) {
    if (Number.isSafeInteger(settings[option]) && settings[option] >= lowest) continue;
    throw new RangeError(
      `${option} must be a whole number from ${lowest} up, not ${settings[option]}.`,
    );
  }
  if (settings.blocks === 0 && settings.transactions > 0) {
    throw new RangeError(`${settings.transactions} transactions need at least one block.`);
  }
  return settings;
}

class BlockMaker {
  readonly #settings: Settings;
  readonly #cast: Actors;
  readonly #chain: Chain;
  readonly #plot: Planner;
  readonly #nonces = new Map<Address, number>();

  constructor(settings: Settings, cast: Actors, chain: Chain) {
    this.#settings = settings;
    this.#cast = cast;
    this.#chain = chain;
    this.#plot = new Planner(cast, chain);
  }

  genesis(): void {
    const block = { ...this.#blank(0), miner: ZERO_ADDRESS, miningReward: 0n };
    this.#chain.append({ block, executions: [], credits: [...this.#cast.endowments] });
  }

  mine(number: number): void {
    const first = this.#transactionsBefore(number);
    const end = this.#transactionsBefore(number + 1);
    const block = this.#blank(number);
    const executions: Execution[] = [];
    let logs = 0;
    for (let index = first; index < end; index++) {
      const execution = this.#execute(index, block, logs);
      logs += execution.logs.length;
      executions.push(execution);
    }
    this.#chain.append({ block, executions });
    this.#plot.endBlock();
    this.#tell(executions, first);
  }

  /** How many transactions the blocks below have. */
  #transactionsBefore(number: number): number {
    const { blocks, transactions } = this.#settings;
    return Math.floor(((number - 1) * transactions) / blocks);
  }

  /** A block with no transactions yet. */
  #blank(number: number): OpenBlock {
    const stream = this.#cast.stream("block", number);
    const miners = this.#cast.miners;
    return {
      number,
      hash: stream.hex(32),
      parentHash: number === 0 ? ZERO_HASH : this.#chain.head.hash,
      timestamp:
        this.#settings.startTime + number * SECONDS_A_BLOCK + (number === 0 ? 0 : stream.below(4)),
      miner: miners[stream.rank(miners.length)] as Address,
      gasUsed: 0,
      gasLimit: 30_000_000,
      baseFeePerGas: GIGA / 2n + BigInt(stream.below(1_000_000_000)),
      transactionCount: 0,
      fees: 0n,
      miningReward: MINING_REWARD,
    };
  }

  /** Adds what comes next to the block. */
  #execute(index: number, block: OpenBlock, logs: number): Execution {
    const stream = this.#cast.stream("transaction", index);
    const hash = stream.hex(32);
    const prices = pricesFor(block, stream);
    const planned = this.#plot.transaction(index, stream);
    const draft = this.#affordable(planned, prices.gasPrice);
    const nonce = this.#nonces.get(draft.from) ?? 0;
    this.#nonces.set(draft.from, nonce + 1);

    block.gasUsed += draft.gasUsed;
    block.fees += (prices.gasPrice - (block.baseFeePerGas ?? 0n)) * BigInt(draft.gasUsed);
    const transaction = { ...placed(draft, block), ...prices, hash, nonce };
    block.transactionCount++;

    const execution = {
      transaction,
      frames: draft.frames.map((frame): Frame => ({ ...frame, transaction, ...gasOf(frame) })),
      logs: draft.logs.map((log, at): Log => ({ ...log, transaction, index: logs + at })),
    };
    this.#plot.settle(draft, this.#cast.tokens[index]);
    for (const { from, to, value } of executionMoves(execution)) {
      if (from !== null) this.#plot.coins.add(from, -value);
      if (to !== null) this.#plot.coins.add(to, value);
    }
    return execution;
  }

  /** The draft; or, if its sender cannot pay for it, nothing of it but a call by somebody who can. */
  #affordable(planned: PlannedTransaction, gasPrice: bigint): PlannedTransaction {
    const cost = ({ gasUsed, value }: PlannedTransaction) => BigInt(gasUsed) * gasPrice + value;
    const pays = (sender: Address, of: PlannedTransaction) =>
      this.#plot.coins.balance(sender) >= cost(of);
    if (pays(planned.from, planned)) return planned;
    if (planned.created !== null) {
      const payer = this.#cast.accounts.find((account) => pays(account, planned));
      if (payer !== undefined) return { ...planned, from: payer };
    }
    const idle = planTransaction({ from: planned.from, to: planned.from, gasUsed: TRANSFER_GAS });
    const from = this.#cast.accounts.find((account) => pays(account, idle));
    if (from === undefined) throw new Error("No account can pay for another transaction.");
    return { ...idle, from, to: from };
  }

  /** What a node would know of the contracts the block created. */
  #tell(executions: readonly Execution[], first: number): void {
    const codes = executions.flatMap(({ transaction, frames }) =>
      transaction.succeeded ? [transaction, ...frames].flatMap(codeOf) : [],
    );
    const deployed = this.#cast.tokens.slice(first, first + executions.length);
    const tokens = deployed.map(({ hugeIds: _, ...facts }): TokenState => facts);
    if (codes.length > 0) this.#chain.applyHeadState({ codes, tokens });
  }
}

/** A block that still takes transactions. */
interface OpenBlock extends Block {
  gasUsed: number;
  fees: bigint;
  transactionCount: number;
}

type Prices = Pick<Transaction, "gasPrice" | "maxFeePerGas" | "maxPriorityFeePerGas">;

function pricesFor({ baseFeePerGas }: Block, stream: RandomStream): Prices {
  const tip = BigInt(1 + stream.below(2_000_000_000));
  const base = baseFeePerGas ?? 0n;
  if (stream.chance(0.3)) {
    return { gasPrice: base + tip, maxFeePerGas: null, maxPriorityFeePerGas: null };
  }
  return { gasPrice: base + tip, maxFeePerGas: base * 2n + tip, maxPriorityFeePerGas: tip };
}

/** A transaction as the next one of a block that has its gas on the bill already. */
function placed({ frames, logs, error, ...draft }: PlannedTransaction, block: Block) {
  return {
    ...draft,
    block,
    index: block.transactionCount,
    succeeded: error === null,
    error,
    gasLimit: draft.gasUsed === TRANSFER_GAS ? TRANSFER_GAS : Math.ceil(draft.gasUsed * 1.25),
    cumulativeGasUsed: block.gasUsed,
  };
}

const gasOf = ({ traceAddress }: PlannedFrame) => ({
  gasLimit: 50_000,
  gasUsed: 2_000 + traceAddress.length * 700,
});

const codeOf = ({ created }: Transaction | Frame): [Address, typeof CONTRACT_CODE][] =>
  created === null ? [] : [[created, CONTRACT_CODE]];

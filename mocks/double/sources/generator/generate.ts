// Generates a plausible chain of any size, the same for the same seed.

import { Chain } from "../../chain/chain.ts";
import { ZERO_ADDRESS, ZERO_HASH } from "../../chain/hex.ts";
import type {
  Address,
  Block,
  ChainTransaction,
  Execution,
  Frame,
  Hash,
  Log,
  TokenState,
} from "../../chain/records.ts";
import { coins, gwei } from "../../chain/units.ts";
import { type Actor, Actors, CONTRACT_CODE } from "./actors.ts";
import {
  type PlannedFrame,
  type PlannedLog,
  type PlannedTransaction,
  planTransaction,
  TRANSFER_GAS,
} from "./planned-transaction.ts";
import { Planner } from "./planner.ts";
import type { RandomStream, RandomStreams } from "./stream.ts";

/** The chain to generate. */
export interface GenerateOptions {
  /** The same seed generates the same chain. Default 1. */
  readonly seed?: number | string | undefined;
  /** Blocks on top of the genesis block. Default 100. */
  readonly blocks?: number | undefined;
  /** Transactions in total, spread evenly over the blocks. Default 20 per block. */
  readonly transactions?: number | undefined;
  /** Accounts, each with coins in the genesis block; a few are the most active. Default 100. */
  readonly accounts?: number | undefined;
  /** Tokens, alternately MRC20 and MRC721, deployed by the first transactions. Default 6. */
  readonly tokens?: number | undefined;
  /** Default 4. */
  readonly miners?: number | undefined;
  /** Default 1717. */
  readonly chainId?: number | undefined;
  /** The time of the genesis block, in seconds since 1970. Default 1700000000. */
  readonly startTime?: number | undefined;
}

type GeneratorSettings = {
  readonly [Option in keyof GenerateOptions]-?: NonNullable<GenerateOptions[Option]>;
};

const BLOCK_TIME = 12;
const MINING_REWARD = coins(2);
const HALF_GWEI = gwei("0.5");

/**
 * Generates a chain with skewed activity, several miners, failures, both token standards, internal transactions and deployments. Its balances
 * add up. A chain with more blocks (and proportionally more transactions) starts with the blocks of the shorter one. With more accounts or
 * tokens, the existing ones keep their addresses, names and initial coins, and their transactions, except those that new ones take over.
 *
 * @throws RangeError for an invalid number
 * @example
 * const chain = generateChain({ seed: 7, blocks: 50, transactions: 1000 });
 * chain.head.number; // 50
 */
export function generateChain(options: GenerateOptions = {}): Chain {
  const settings = withDefaults(options);
  const chain = new Chain({
    chainId: settings.chainId,
    origin: { kind: "generated", name: null },
  });
  const actors = new Actors(settings.seed, settings);
  const generator = new BlockGenerator(settings, actors, chain);
  generator.genesis();
  for (let number = 1; number <= settings.blocks; number++) generator.mine(number);
  return chain;
}

function withDefaults(options: GenerateOptions): GeneratorSettings {
  const blocks = options.blocks ?? 100;
  const settings: GeneratorSettings = {
    seed: options.seed ?? 1,
    blocks,
    transactions: options.transactions ?? blocks * 20,
    accounts: options.accounts ?? 100,
    tokens: options.tokens ?? 6,
    miners: options.miners ?? 4,
    chainId: options.chainId ?? 1717,
    startTime: options.startTime ?? 1_700_000_000,
  };
  const minimums = {
    blocks: 0,
    transactions: 0,
    accounts: 1,
    tokens: 0,
    miners: 1,
    chainId: 0,
    startTime: 0,
  };
  for (const [option, minimum] of Object.entries(minimums) as [keyof typeof minimums, number][]) {
    if (Number.isSafeInteger(settings[option]) && settings[option] >= minimum) continue;
    throw new RangeError(
      `Invalid ${option}: expected a whole number from ${minimum} up, received ${settings[option]}`,
    );
  }
  if (settings.blocks === 0 && settings.transactions > 0) {
    throw new RangeError(
      `Invalid blocks: ${settings.transactions} transactions need at least one block`,
    );
  }
  return settings;
}

class BlockGenerator {
  readonly #settings: GeneratorSettings;
  readonly #actors: Actors;
  readonly #chain: Chain;
  readonly #planner: Planner;
  readonly #streams: { readonly blocks: RandomStreams; readonly transactions: RandomStreams };

  constructor(settings: GeneratorSettings, actors: Actors, chain: Chain) {
    this.#settings = settings;
    this.#actors = actors;
    this.#chain = chain;
    this.#planner = new Planner(actors);
    this.#streams = {
      blocks: actors.streams("block"),
      transactions: actors.streams("transaction"),
    };
  }

  genesis(): void {
    const block = { ...this.#openBlock(0), miner: ZERO_ADDRESS, miningReward: 0n };
    const credits = this.#actors.accounts.map(
      ({ address, endowment }) => [address, endowment] as const,
    );
    this.#chain.append({ block, executions: [], credits });
  }

  mine(number: number): void {
    const first = this.#transactionsBefore(number);
    const end = this.#transactionsBefore(number + 1);
    const block = this.#openBlock(number);
    const executions: Execution[] = [];
    let logs = 0;
    for (let index = first; index < end; index++) {
      const execution = this.#execute(index, block, logs);
      logs += execution.logs.length;
      executions.push(execution);
    }
    this.#chain.append({ block, executions });
    this.#applyHeadState(executions, first);
  }

  /** The number of transactions in the blocks before. */
  #transactionsBefore(number: number): number {
    const { blocks, transactions } = this.#settings;
    return Math.floor(((number - 1) * transactions) / blocks);
  }

  /** A block with no transactions yet. */
  #openBlock(number: number): OpenBlock {
    const stream = this.#streams.blocks.of(number);
    const miners = this.#actors.miners;
    return {
      number,
      hash: stream.hex(32),
      parentHash: number === 0 ? ZERO_HASH : this.#chain.head.hash,
      timestamp:
        this.#settings.startTime + number * BLOCK_TIME + (number === 0 ? 0 : stream.below(4)),
      miner: miners[stream.rank(miners.length)] as Address,
      gasUsed: 0,
      gasLimit: 30_000_000,
      baseFeePerGas: HALF_GWEI + BigInt(stream.below(1_000_000_000)),
      transactionCount: 0,
      fees: 0n,
      miningReward: MINING_REWARD,
    };
  }

  /** Executes the next transaction, and adds it to the block. */
  #execute(index: number, block: OpenBlock, logs: number): Execution {
    const stream = this.#streams.transactions.of(index);
    const hash = stream.hex(32);
    const prices = pricesFor(block, stream);
    const planned = this.#affordable(this.#planner.transaction(index, stream), prices.gasPrice);
    const { from, frames, log, gasUsed } = planned;

    block.gasUsed += gasUsed;
    block.fees += BigInt(prices.tip * gasUsed);
    const transaction = toTransaction(planned, block, prices, hash);
    block.transactionCount++;
    from.nonce++;
    from.coins -= BigInt(prices.gasPrice * gasUsed);
    this.#planner.recordEffects(planned, this.#actors.tokens[index]);
    return {
      transaction,
      frames: frames.map((frame) => toFrame(frame, transaction)),
      logs: log === null ? [] : [toLog(log, transaction, logs)],
    };
  }

  /** The planned transaction; if its sender cannot pay for it, an empty one by an account that can. */
  #affordable(planned: PlannedTransaction, gasPrice: number): PlannedTransaction {
    const canPay = ({ coins }: Actor, { gasUsed, value }: PlannedTransaction) =>
      coins >= BigInt(gasUsed * gasPrice) + value;
    if (canPay(planned.from, planned)) return planned;
    if (planned.created !== null) {
      const payer = this.#actors.accounts.find((account) => canPay(account, planned));
      if (payer !== undefined) return { ...planned, from: payer };
    }
    const empty = planTransaction({ from: planned.from, gasUsed: TRANSFER_GAS });
    const from = this.#actors.accounts.find((account) => canPay(account, empty));
    if (from === undefined)
      throw new Error(
        "Cannot generate another transaction: no account can pay for it; set fewer transactions or more accounts",
      );
    return { ...empty, from, to: from.address };
  }

  /** Sets what a node would know about the contracts that the block created. */
  #applyHeadState(executions: readonly Execution[], first: number): void {
    const codes: [Address, typeof CONTRACT_CODE][] = [];
    for (const { transaction, frames } of executions) {
      if (!transaction.succeeded) continue;
      if (transaction.created !== null) codes.push([transaction.created, CONTRACT_CODE]);
      for (const { created } of frames) if (created !== null) codes.push([created, CONTRACT_CODE]);
    }
    const deployed = this.#actors.tokens.slice(first, first + executions.length);
    const tokens = deployed.map(({ hugeIds: _, highestAmount: __, ...token }): TokenState => token);
    if (codes.length > 0) this.#chain.applyHeadState({ codes, tokens });
  }
}

/** A block that transactions are added to. */
interface OpenBlock extends Block {
  gasUsed: number;
  fees: bigint;
  transactionCount: number;
}

/** In wei: numbers suffice, and their products with the gas used stay below 2^53. */
interface Prices {
  readonly gasPrice: number;
  /** What the miner receives of it. */
  readonly tip: number;
  /** Whether the sender set the highest price and tip, rather than the price. */
  readonly capped: boolean;
}

function pricesFor({ baseFeePerGas }: Block, stream: RandomStream): Prices {
  const tip = 1 + stream.below(2_000_000_000);
  const capped = !stream.chance(0.3);
  return { gasPrice: Number(baseFeePerGas) + tip, tip, capped };
}

/** A planned transaction as the next one of a block, whose gas already includes it. */
function toTransaction(
  planned: PlannedTransaction,
  block: Block,
  { gasPrice, tip, capped }: Prices,
  hash: Hash,
): ChainTransaction {
  const { from, to, created, value, input, gasUsed, error } = planned;
  return {
    hash,
    block,
    index: block.transactionCount,
    from: from.address,
    to,
    created,
    value,
    input,
    nonce: from.nonce,
    succeeded: error === null,
    error,
    gasLimit: gasUsed === TRANSFER_GAS ? TRANSFER_GAS : Math.ceil(gasUsed * 1.25),
    gasUsed,
    cumulativeGasUsed: block.gasUsed,
    gasPrice: BigInt(gasPrice),
    maxFeePerGas: capped ? BigInt(2 * gasPrice - tip) : null,
    maxPriorityFeePerGas: capped ? BigInt(tip) : null,
  };
}

const toLog = (
  { address, topics, data }: PlannedLog,
  transaction: ChainTransaction,
  index: number,
): Log => ({ transaction, index, address, data, topics });

const toFrame = (planned: PlannedFrame, transaction: ChainTransaction): Frame => ({
  transaction,
  traceAddress: planned.traceAddress,
  type: planned.type,
  from: planned.from,
  to: planned.to,
  created: planned.created,
  value: planned.value,
  input: planned.input,
  gasLimit: 50_000,
  gasUsed: 2_000 + planned.traceAddress.length * 700,
  error: planned.error,
  undone: planned.undone,
  subTraces: planned.subTraces,
});

// Generates a plausible chain of any size, the same for the same seed.
import type { Execution, TokenState } from "../chain/block-input.ts";
import { Chain } from "../chain/chain.ts";
import { visitExecutionMoves } from "../chain/coin-moves.ts";
import { ZERO_ADDRESS, ZERO_HASH } from "../chain/hex.ts";
import type { Address, Block, ChainTransaction, Frame, Hash, Log } from "../chain/records.ts";
import { coins, gwei } from "../chain/units.ts";
import { Actors, CONTRACT_CODE } from "./actors.ts";
import {
  type PlannedFrame,
  type PlannedTransaction,
  planTransaction,
  TRANSFER_GAS,
} from "./planned-transaction.ts";
import { Planner } from "./planner.ts";
import type { RandomStream } from "./stream.ts";

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
  readonly #nonces = new Map<Address, number>();

  constructor(settings: GeneratorSettings, actors: Actors, chain: Chain) {
    this.#settings = settings;
    this.#actors = actors;
    this.#chain = chain;
    this.#planner = new Planner(actors);
  }

  genesis(): void {
    const block = { ...this.#openBlock(0), miner: ZERO_ADDRESS, miningReward: 0n };
    this.#chain.append({ block, executions: [], credits: [...this.#actors.initialBalances] });
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
    this.#planner.coins.add(block.miner, block.fees + block.miningReward);
    this.#applyHeadState(executions, first);
  }

  /** The number of transactions in the blocks before. */
  #transactionsBefore(number: number): number {
    const { blocks, transactions } = this.#settings;
    return Math.floor(((number - 1) * transactions) / blocks);
  }

  /** A block with no transactions yet. */
  #openBlock(number: number): OpenBlock {
    const stream = this.#actors.stream("block", number);
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
    const stream = this.#actors.stream("transaction", index);
    const hash = stream.hex(32);
    const prices = pricesFor(block, stream);
    const planned = this.#planner.transaction(index, stream);
    const affordable = this.#affordable(planned, prices.gasPrice);
    const nonce = this.#nonces.get(affordable.from) ?? 0;
    this.#nonces.set(affordable.from, nonce + 1);

    block.gasUsed += affordable.gasUsed;
    block.fees += (prices.gasPrice - (block.baseFeePerGas ?? 0n)) * BigInt(affordable.gasUsed);
    const transaction = toTransaction(affordable, block, prices, hash, nonce);
    block.transactionCount++;

    const execution = {
      transaction,
      frames: affordable.frames.map((frame) => toFrame(frame, transaction)),
      logs: affordable.logs.map(
        ({ address, topics, data }, at): Log => ({
          transaction,
          index: logs + at,
          address,
          data,
          topics,
        }),
      ),
    };
    this.#planner.recordEffects(affordable, this.#actors.tokens[index]);
    visitExecutionMoves(execution, (from, to, value) => {
      if (from !== null) this.#planner.coins.add(from, -value);
      if (to !== null) this.#planner.coins.add(to, value);
    });
    return execution;
  }

  /** The planned transaction; if its sender cannot pay for it, an empty one by an account that can. */
  #affordable(planned: PlannedTransaction, gasPrice: bigint): PlannedTransaction {
    const cost = ({ gasUsed, value }: PlannedTransaction) => BigInt(gasUsed) * gasPrice + value;
    const canPay = (sender: Address, transaction: PlannedTransaction) =>
      this.#planner.coins.of(sender) >= cost(transaction);
    if (canPay(planned.from, planned)) return planned;
    if (planned.created !== null) {
      const payer = this.#actors.accounts.find((account) => canPay(account, planned));
      if (payer !== undefined) return { ...planned, from: payer };
    }
    const empty = planTransaction({ from: planned.from, to: planned.from, gasUsed: TRANSFER_GAS });
    const from = this.#actors.accounts.find((account) => canPay(account, empty));
    if (from === undefined)
      throw new Error(
        "Cannot generate another transaction: no account can pay for it; set fewer transactions or more accounts",
      );
    return { ...empty, from, to: from };
  }

  /** Sets what a node would know about the contracts that the block created. */
  #applyHeadState(executions: readonly Execution[], first: number): void {
    const codes = executions.flatMap(({ transaction, frames }) =>
      transaction.succeeded ? [transaction, ...frames].flatMap(codeOf) : [],
    );
    const deployed = this.#actors.tokens.slice(first, first + executions.length);
    const tokens = deployed.map(({ hugeIds: _, ...token }): TokenState => token);
    if (codes.length > 0) this.#chain.applyHeadState({ codes, tokens });
  }
}

/** A block that transactions are added to. */
interface OpenBlock extends Block {
  gasUsed: number;
  fees: bigint;
  transactionCount: number;
}

type Prices = Pick<ChainTransaction, "gasPrice" | "maxFeePerGas" | "maxPriorityFeePerGas">;

function pricesFor({ baseFeePerGas }: Block, stream: RandomStream): Prices {
  const tip = BigInt(1 + stream.below(2_000_000_000));
  const base = baseFeePerGas ?? 0n;
  if (stream.chance(0.3)) {
    return { gasPrice: base + tip, maxFeePerGas: null, maxPriorityFeePerGas: null };
  }
  return { gasPrice: base + tip, maxFeePerGas: base * 2n + tip, maxPriorityFeePerGas: tip };
}

/** A planned transaction as the next one of a block, whose gas already includes it. */
function toTransaction(
  planned: PlannedTransaction,
  block: Block,
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Prices,
  hash: Hash,
  nonce: number,
): ChainTransaction {
  const { from, to, created, value, input, gasUsed, error } = planned;
  return {
    hash,
    block,
    index: block.transactionCount,
    from,
    to,
    created,
    value,
    input,
    nonce,
    succeeded: error === null,
    error,
    gasLimit: gasUsed === TRANSFER_GAS ? TRANSFER_GAS : Math.ceil(gasUsed * 1.25),
    gasUsed,
    cumulativeGasUsed: block.gasUsed,
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
  };
}

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

const codeOf = ({ created }: ChainTransaction | Frame): [Address, typeof CONTRACT_CODE][] =>
  created === null ? [] : [[created, CONTRACT_CODE]];

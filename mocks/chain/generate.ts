// A chain out of nothing: plausible, of any size, and the same for the same seed.
import type { Execution, TokenFacts } from "./body.ts";
import { Chain } from "./chain.ts";
import { Cast, CONTRACT_CODE } from "./generator/cast.ts";
import { type Draft, draft, TRANSFER_GAS } from "./generator/draft.ts";
import { Plot } from "./generator/plot.ts";
import type { Stream } from "./generator/stream.ts";
import { nativeChanges } from "./native-ledger.ts";
import type { Address, Block, Frame, Log, Transaction } from "./records.ts";

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

const NO_HASH = `0x${"0".repeat(64)}` as const;
const NOBODY = `0x${"0".repeat(40)}` as const;
const SECONDS_A_BLOCK = 12;
const MINING_REWARD = 2n * 10n ** 18n;
const GIGA = 10n ** 9n;

/**
 * Makes a chain: skewed activity, several miners, failures, both kinds of tokens, internal transactions, deployments. Its ledger is true.
 * A chain with more blocks (and transactions in proportion) begins with the blocks of the shorter one.
 *
 * @example
 * const chain = generateChain({ seed: 7, blocks: 50, transactions: 1000 });
 * chain.head.number; // 50
 */
export function generateChain(options: GenerateOptions = {}): Chain {
  const settings = complete(options);
  const chain = new Chain({ chainId: settings.chainId });
  const cast = new Cast(settings.seed, settings);
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
  readonly #cast: Cast;
  readonly #chain: Chain;
  readonly #plot: Plot;
  readonly #nonces = new Map<Address, number>();

  constructor(settings: Settings, cast: Cast, chain: Chain) {
    this.#settings = settings;
    this.#cast = cast;
    this.#chain = chain;
    this.#plot = new Plot(cast, chain);
  }

  genesis(): void {
    const { accounts } = this.#cast;
    const credits = accounts.map(
      (address, index) => [address, this.#cast.endowment(index)] as const,
    );
    const block = { ...this.#blank(0), miner: NOBODY, miningReward: 0n };
    this.#chain.append({ block, executions: [], credits });
  }

  mine(number: number): void {
    const first = this.#transactionsBefore(number);
    const end = this.#transactionsBefore(number + 1);
    const blank = this.#blank(number);
    const placed: Placed[] = [];
    for (let index = first; index < end; index++) placed.push(this.#place(index, blank));
    const block = sealed(blank, placed);
    this.#chain.append({ block, executions: inBlock(block, placed) });
    this.#plot.endBlock();
    this.#tell(placed, first);
  }

  /** How many transactions the blocks below have. */
  #transactionsBefore(number: number): number {
    const { blocks, transactions } = this.#settings;
    return Math.floor(((number - 1) * transactions) / blocks);
  }

  /** A block with no transactions yet. */
  #blank(number: number): Block {
    const stream = this.#cast.stream("block", number);
    const miners = this.#cast.miners;
    return {
      number,
      hash: stream.hex(32),
      parentHash: number === 0 ? NO_HASH : this.#chain.head.hash,
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

  #place(index: number, block: Block): Placed {
    const stream = this.#cast.stream("transaction", index);
    const hash = stream.hex(32);
    const prices = pricesFor(block, stream);
    const token = this.#cast.tokens[index];
    const planned = this.#plot.transaction(index, stream);
    const placed = { ...prices, hash, draft: this.#affordable(planned, prices.gasPrice), nonce: 0 };
    const { from } = placed.draft;
    placed.nonce = this.#nonces.get(from) ?? 0;
    this.#nonces.set(from, placed.nonce + 1);
    this.#plot.settle(placed.draft, token);
    for (const [address, change] of costs(block, placed)) this.#plot.coins.add(address, change);
    return placed;
  }

  /** The draft; or, if its sender cannot pay for it, nothing of it but a call by somebody who can. */
  #affordable(planned: Draft, gasPrice: bigint): Draft {
    const cost = ({ gasUsed, value }: Draft) => BigInt(gasUsed) * gasPrice + value;
    const pays = (sender: Address, of: Draft) => this.#plot.coins.balance(sender) >= cost(of);
    if (pays(planned.from, planned)) return planned;
    if (planned.created !== null) {
      const payer = this.#cast.accounts.find((account) => pays(account, planned));
      if (payer !== undefined) return { ...planned, from: payer };
    }
    const idle = draft({ from: planned.from, to: planned.from, gasUsed: TRANSFER_GAS });
    const from = this.#cast.accounts.find((account) => pays(account, idle));
    if (from === undefined) throw new Error("No account can pay for another transaction.");
    return { ...idle, from, to: from };
  }

  /** What a node would know of the contracts the block created. */
  #tell(placed: readonly Placed[], first: number): void {
    const codes: [Address, typeof CONTRACT_CODE][] = [];
    const tokens: TokenFacts[] = [];
    for (const [position, { draft }] of placed.entries()) {
      for (const { created } of draft.error === null ? [draft, ...draft.frames] : []) {
        if (created !== null) codes.push([created, CONTRACT_CODE]);
      }
      const token = this.#cast.tokens[first + position];
      if (token !== undefined) {
        const { address, standard, name, symbol, decimals } = token;
        tokens.push({ address, standard, name, symbol, decimals });
      }
    }
    if (codes.length > 0) this.#chain.tell({ codes, tokens });
  }
}

type Prices = Pick<Transaction, "gasPrice" | "maxFeePerGas" | "maxPriorityFeePerGas">;

interface Placed extends Prices {
  readonly hash: Transaction["hash"];
  readonly draft: Draft;
  nonce: number;
}

function pricesFor({ baseFeePerGas }: Block, stream: Stream): Prices {
  const tip = BigInt(1 + stream.below(2_000_000_000));
  const base = baseFeePerGas ?? 0n;
  if (stream.chance(0.3)) {
    return { gasPrice: base + tip, maxFeePerGas: null, maxPriorityFeePerGas: null };
  }
  return { gasPrice: base + tip, maxFeePerGas: base * 2n + tip, maxPriorityFeePerGas: tip };
}

/** The block with what its transactions add up to. */
function sealed(blank: Block, placed: readonly Placed[]): Block {
  const base = blank.baseFeePerGas ?? 0n;
  let gasUsed = 0;
  let fees = 0n;
  for (const { draft, gasPrice } of placed) {
    gasUsed += draft.gasUsed;
    fees += (gasPrice - base) * BigInt(draft.gasUsed);
  }
  const gasLimit = Math.max(blank.gasLimit, gasUsed);
  return { ...blank, gasUsed, gasLimit, fees, transactionCount: placed.length };
}

function inBlock(block: Block, placed: readonly Placed[]): Execution[] {
  let cumulativeGasUsed = 0;
  let logIndex = 0;
  return placed.map((one, index) => {
    cumulativeGasUsed += one.draft.gasUsed;
    const execution = executed(block, one, { index, cumulativeGasUsed, logIndex });
    logIndex += execution.logs.length;
    return execution;
  });
}

function executed(
  block: Block,
  { draft, hash, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Placed,
  place: { readonly index: number; readonly cumulativeGasUsed: number; readonly logIndex: number },
): Execution {
  const transaction: Transaction = {
    hash,
    block,
    index: place.index,
    from: draft.from,
    to: draft.to,
    created: draft.created,
    value: draft.value,
    input: draft.input,
    nonce,
    succeeded: draft.error === null,
    error: draft.error,
    gasLimit: draft.gasUsed === TRANSFER_GAS ? TRANSFER_GAS : Math.ceil(draft.gasUsed * 1.25),
    gasUsed: draft.gasUsed,
    cumulativeGasUsed: place.cumulativeGasUsed,
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
  };
  const frames = draft.frames.map(
    (frame): Frame => ({
      ...frame,
      transaction,
      gasLimit: 50_000,
      gasUsed: 2_000 + frame.traceAddress.length * 700,
    }),
  );
  const logs = draft.logs.map(
    (log, at): Log => ({ ...log, transaction, index: place.logIndex + at }),
  );
  return { transaction, frames, logs };
}

/** What one transaction does to balances, the miner's aside. */
function* costs(block: Block, placed: Placed): Generator<readonly [Address, bigint]> {
  const place = { index: 0, cumulativeGasUsed: 0, logIndex: 0 };
  const free = { ...block, fees: 0n, miningReward: 0n };
  yield* nativeChanges({ block: free, executions: [executed(free, placed, place)] });
}

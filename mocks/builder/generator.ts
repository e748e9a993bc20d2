// Generates a plausible chain of any size: random transactions from a seed, in a loop over the
// chain builder.

import { Chain } from "../chain/chain.ts";
import { ZERO_ADDRESS } from "../chain/hex.ts";
import { randomNumbers } from "../chain/random.ts";
import type { Address } from "../chain/records.ts";
import { coins, gwei } from "../chain/units.ts";
import { genesisBlock } from "./block.ts";
import { ChainBuilder } from "./builder.ts";
import { addressOfName, callData } from "./evm.ts";
import type { CallFrame, CallMessage } from "./frame.ts";
import type { Complete } from "./options.ts";
import { checked } from "./schemas.ts";
import type { Mrc20Contract, Mrc721Contract, TokenOptions } from "./tokens.ts";
import type { GasOptions } from "./transaction.ts";

/** The chain to generate. */
export interface GenerateOptions {
  /** A seed generates an equal chain in every run. Default 1. */
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
  /**
   * Called after each block with the number of transactions so far, because generating a chain
   * blocks the thread.
   */
  readonly onProgress?: ((transactions: number) => void) | undefined;
}

/** The options that the accounts and contracts of a chain depend on. */
interface WorldOptions
  extends Omit<Complete<GenerateOptions>, "blocks" | "transactions" | "onProgress"> {
  /** Maximum number of transactions in a block. */
  readonly perBlock: number;
}

/**
 * Generates a chain with skewed activity, several miners, failures, both token standards, internal
 * transactions and deployments: over 10,000 transactions a second. Its balances add up. A chain
 * with more blocks (and proportionally more transactions) starts with the blocks of the shorter
 * one.
 *
 * @throws TypeError for an unknown option, or an invalid number
 * @example
 * const chain = generateChain({ seed: 7, blocks: 50, transactions: 1000 });
 * chain.head.number; // 50
 */
export function generateChain(options: GenerateOptions = {}): Chain {
  const steps = generateInSteps(options);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    options.onProgress?.(step.value);
  }
}

/** Generates a chain, and yields the number of transactions so far after each block. */
export function* generateInSteps(options: GenerateOptions): Generator<number, Chain> {
  const settings = checked("generateChain", "generateChain", options);
  const { seed = 1, blocks = 100, transactions = blocks * 20 } = settings;
  const { accounts = 100, tokens = 6, miners = 4 } = settings;
  const { chainId = 1717, startTime = 1_700_000_000 } = settings;
  if (blocks === 0 && transactions > 0)
    throw new TypeError(
      `generateChain: blocks: expected at least 1 for ${transactions} transactions, received 0`,
    );
  const perBlock = Math.ceil(transactions / Math.max(1, blocks));
  const world = new World({ seed, perBlock, accounts, tokens, miners, chainId, startTime });
  for (let number = 1; number <= blocks; number++) {
    const end = Math.floor((number * transactions) / blocks);
    while (world.sent < end) world.send();
    world.mine();
    yield end;
  }
  return world.chain;
}

/** Random values from a seed, one after another. */
class Random {
  readonly #seed: number;
  #drawn = 0;

  constructor(seed: string) {
    // The 32-bit FNV-1a hash.
    let hash = 0x811c9dc5;
    for (let at = 0; at < seed.length; at++)
      hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193);
    this.#seed = hash;
  }

  unit(): number {
    return randomNumbers(this.#seed, this.#drawn++);
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.unit() * end);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** Picks an item by Zipf's law: the first is about twice as likely as the second. */
  likely<Item>(items: readonly Item[]): Item {
    return items[Math.floor((items.length + 1) ** this.unit()) - 1] as Item;
  }

  share(amount: bigint): bigint {
    return (amount * BigInt(this.below(2 ** 20))) >> 20n;
  }

  word(): bigint {
    let word = 0n;
    for (let part = 0; part < 8; part++) word = (word << 32n) | BigInt(this.below(2 ** 32));
    return word;
  }
}

/** A generated token with its balances, or a collection with the owners of its ids. */
type GeneratedToken = {
  readonly token: Mrc20Contract;
  readonly held: Map<Address, bigint>;
  unit: bigint;
};
type GeneratedCollection = {
  readonly token: Mrc721Contract;
  readonly owned: { readonly id: bigint; owner: Address }[];
  /** Whether its ids use 256 bits, or count from 1. */
  readonly huge: boolean;
};

const TOKEN_NAMES = ["Aurora", "Basalt", "Cobalt", "Delta", "Ember", "Fjord", "Garnet", "Harbor"];
const DECIMALS = [18, 6, 8, 0, 18, 12];
/** The runtime code of generated contracts, which never runs. */
const CODE = "0x60806040525f5ffdfea164736f6c634300081c000a";
const ERRORS = ["execution reverted", "out of gas", "invalid opcode: INVALID"];
/** The share of contract calls that fail. */
const FAILURES = 0.05;
/** Higher than any base fee, which is between 0.5 and 1.5 gwei. */
const GAS_PRICE = gwei(2);

/** How often each kind of transaction is sent, in percent. */
const SHARES = { transfer: 50, amount: 27, id: 9, routed: 8, factory: 1, deploy: 1, call: 4 };
type Kind = keyof typeof SHARES;
const KINDS = (Object.keys(SHARES) as Kind[]).flatMap((kind) =>
  new Array<Kind>(SHARES[kind]).fill(kind),
);

/** The accounts and contracts of a chain, which send one transaction after another. */
class World {
  readonly chain: Chain;
  /** Transactions so far. */
  sent = 0;
  readonly #random: Random;
  readonly #builder: ChainBuilder;
  readonly #accounts: readonly Address[];
  readonly #miners: readonly Address[];
  readonly #tokenCount: number;
  /**
   * An account spends at most its balance divided by this number, so that it can spend again in the
   * same block.
   */
  readonly #part: bigint;
  readonly #mrc20s: GeneratedToken[] = [];
  readonly #collections: GeneratedCollection[] = [];
  /** Contracts that are not tokens; the first is the router. */
  readonly #contracts: Address[] = [];

  constructor({ seed, perBlock, accounts, tokens, miners, chainId, startTime }: WorldOptions) {
    const named = (kind: string, count: number) =>
      Array.from({ length: count }, (_, index) => addressOfName(`${seed} ${kind} ${index}`));
    this.#random = new Random(`${typeof seed} ${seed}`);
    this.#tokenCount = tokens;
    this.#part = 4n * BigInt(Math.max(64, perBlock));
    this.#accounts = named("account", accounts);
    this.#miners = named("miner", miners);
    const gasLimit = Math.max(30_000_000, perBlock * 500_000);
    const header = { timestamp: startTime, gasLimit, miner: ZERO_ADDRESS };
    const credits = this.#accounts.map(
      (account) => [account, coins(10_000 + this.#random.below(100_000))] as const,
    );
    this.chain = new Chain({ chainId, origin: { kind: "generated", name: null } });
    this.chain.append({ ...genesisBlock(chainId, header), credits });
    this.#builder = new ChainBuilder(this.chain);
  }

  mine(): void {
    const random = this.#random;
    this.#builder.wait(random.below(4));
    const baseFeePerGas = gwei("0.5") + BigInt(random.below(1_000_000_000));
    this.#builder.mine(1, { miner: random.likely(this.#miners), baseFeePerGas });
  }

  /** Sends the next transaction: the first ones deploy the tokens and the router. */
  send(): void {
    const index = this.sent++;
    const from = this.#account();
    if (index < this.#tokenCount) this.#deployToken(index, from);
    else if (index === this.#tokenCount) this.#deploy(from);
    else this.#sendAny(this.#random.pick(KINDS), from);
  }

  #account(): Address {
    return this.#random.likely(this.#accounts);
  }

  #gas(): GasOptions {
    const tip = BigInt(1 + this.#random.below(2_000_000_000));
    return this.#random.chance(0.3)
      ? { gasPrice: GAS_PRICE + tip }
      : { maxFeePerGas: 2n * GAS_PRICE + tip, maxPriorityFeePerGas: tip };
  }

  #send(from: Address, call: CallMessage, { fails, ...gas }: TokenOptions): void {
    this.#builder.call(from, { ...call, fails }, gas);
  }

  /** Draws the gas of a contract call, and sometimes a failure. */
  #call(): TokenOptions {
    const gas = this.#gas();
    return this.#random.chance(FAILURES) ? { ...gas, fails: this.#random.pick(ERRORS) } : gas;
  }

  /** Draws an amount that the account has, however often it spends before the next block. */
  #coins(from: Address): bigint {
    return this.#random.share(this.chain.balance(from) / this.#part);
  }

  #deployToken(index: number, from: Address): void {
    const word = this.#random.pick(TOKEN_NAMES);
    const symbol = `${word.slice(0, 3).toUpperCase()}${index}`;
    if (index % 2 === 1) {
      const name = `${word} Collection ${index}`;
      const token = this.#builder.deployMRC721(from, { name, symbol, ...this.#gas() });
      this.#collections.push({ token, owned: [], huge: index % 4 === 3 });
      return;
    }
    const decimals = DECIMALS[(index / 2) % DECIMALS.length] as number;
    const metadata = { name: `${word} Token ${index}`, symbol, decimals };
    const token = this.#builder.deployMRC20(from, { ...metadata, ...this.#gas() });
    this.#mrc20s.push({ token, held: new Map(), unit: 10n ** BigInt(decimals) });
  }

  #deploy(from: Address): void {
    this.#contracts.push(this.#builder.deploy(from, { code: CODE }, this.#gas()).address);
  }

  #sendAny(kind: Kind, from: Address): void {
    const random = this.#random;
    if (kind === "amount" && this.#mrc20s.length > 0)
      this.#moveAmount(random.likely(this.#mrc20s), from);
    else if (kind === "id" && this.#collections.length > 0)
      this.#moveId(random.likely(this.#collections), from);
    else if (kind === "routed") this.#route(from);
    else if (kind === "factory") this.#create(from);
    else if (kind === "deploy") this.#deploy(from);
    else if (kind === "call") {
      const options = this.#call();
      const input = callData("poke(uint256)", random.word());
      this.#send(from, { to: random.pick(this.#contracts), input }, options);
    } else {
      const value = random.chance(0.03) ? 0n : this.#coins(from);
      this.#builder.transfer(from, this.#account(), value, this.#gas());
    }
  }

  /** Transfers an amount, or mints one if the account has too little. */
  #moveAmount({ token, held, unit }: GeneratedToken, from: Address): void {
    const amount = 1n + this.#random.share(1000n * unit);
    const options = this.#call();
    const add = (holder: Address, change: bigint) => {
      if (options.fails === undefined) held.set(holder, (held.get(holder) ?? 0n) + change);
    };
    if ((held.get(from) ?? 0n) < amount) {
      this.#send(from, token.calls.mint(from, 16n * amount), options);
      add(from, 16n * amount);
      return;
    }
    const to = this.#account();
    token.transfer(from, to, amount, options);
    add(from, -amount);
    add(to, amount);
  }

  /** Mints an id, or has its owner transfer or burn it. */
  #moveId({ token, owned, huge }: GeneratedCollection, to: Address): void {
    const random = this.#random;
    const options = this.#call();
    const succeeds = options.fails === undefined;
    if (owned.length === 0 || random.chance(0.4)) {
      const id = huge ? random.word() : BigInt(this.sent);
      this.#send(to, token.calls.mint(to, id), options);
      if (succeeds) owned.push({ id, owner: to });
      return;
    }
    const at = random.below(owned.length);
    const item = owned[at] as GeneratedCollection["owned"][number];
    if (random.chance(0.1)) {
      token.burn(item.owner, item.id, options);
      if (succeeds) owned.splice(at, 1);
    } else {
      token.transfer(item.owner, to, item.id, options);
      if (succeeds) item.owner = to;
    }
  }

  /** Pays through the router, with a delegatecall that sometimes fails. */
  #route(from: Address): void {
    const random = this.#random;
    const library = random.pick(this.#contracts);
    const payee = this.#account();
    const inner = random.chance(0.1) ? { fails: "execution reverted" } : {};
    const options = this.#call();
    const does = (frame: CallFrame) => {
      frame.staticcall({ to: library, input: "0x70a08231" });
      const call = (called: CallFrame) => void called.call({ to: library, input: "0xd0e30db0" });
      frame.delegatecall({ to: library, does: call, ...inner });
      frame.call({ to: payee, value: frame.value });
    };
    const input = callData("pay(address)", payee);
    const to = this.#contracts[0] as Address;
    this.#send(from, { to, value: this.#coins(from), input, does }, options);
  }

  /** A contract creates another. */
  #create(from: Address): void {
    const random = this.#random;
    const salt = random.chance(0.5) ? random.word() : undefined;
    const options = this.#call();
    let created: Address | null = null;
    const does = (frame: CallFrame) => {
      created = salt ? frame.create2({ code: CODE, salt }) : frame.create({ code: CODE });
    };
    const input = callData("create()");
    this.#send(from, { to: random.pick(this.#contracts), input, does }, options);
    if (created !== null && options.fails === undefined) this.#contracts.push(created);
  }
}

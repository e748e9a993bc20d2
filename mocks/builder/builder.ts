// The chain builder: mines transactions into blocks, and replaces blocks by others.
import { describe } from "../../src/models/issues.ts";
import { blockFields, optionalIn } from "../chain/fields.ts";
import type {
  Address,
  Block,
  ContractVerification,
  Hash,
  TokenStandard,
} from "../chain/records.ts";
import { coins, gwei } from "../chain/units.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { AccountNames, type NamesState } from "./account-names.ts";
import { type BlockHeader, type BlockOptions, GENESIS_GAS_LIMIT, secondsOf } from "./block.ts";
import { address, addressOfName, refuse } from "./evm.ts";
import type { CallMessage, DeployMessage } from "./frame.ts";
import { assertAmount, assertBalance } from "./ledger.ts";
import {
  type AccountOptions,
  type ChainBuilderOptions,
  type Complete,
  type ContractSource,
  type DeployedContract,
  hashOfReference,
  type Mrc20Options,
  type Mrc721Options,
  metadataArguments,
  type TransactionReference,
} from "./options.ts";
import { PendingPool } from "./pending-pool.ts";
import { atOnce, type ReorgResult, reorganiseInSlices } from "./reorganisation.ts";
import { checked } from "./schemas.ts";
import { Mrc20Contract, Mrc721Contract, tokenCreation } from "./tokens.ts";
import {
  executeTransaction,
  type GasOptions,
  type Message,
  type PendingTransaction,
  type SentTransaction,
} from "./transaction.ts";

/** The rules of a chain, with their defaults. */
type Rules = Complete<ChainBuilderOptions>;

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
export class ChainBuilder {
  readonly chain: ChainWriter;
  readonly #names: AccountNames;
  readonly #pool: PendingPool;
  #rules: Rules;
  /** Seconds to add to the next block's timestamp. */
  #waited = 0;
  /** Counts reorganisations, so that each gives its blocks different hashes. */
  #branch = 0;

  constructor(chain: ChainWriter, options: ChainBuilderOptions = {}) {
    const { freeGas = chain.head.baseFeePerGas === 0n } = options;
    this.chain = chain;
    this.#names = new AccountNames(chain);
    this.#pool = new PendingPool(chain, this.#names.label, () => this.#rules.freeGas);
    this.#rules = {
      freeGas,
      blockReward: options.blockReward ?? coins(2),
      blockTime: options.blockTime ?? 12,
      miner: options.miner ?? addressOfName("miner"),
      priorityFeePerGas: options.priorityFeePerGas ?? (freeGas ? 0n : gwei(1)),
    };
  }

  /**
   * Returns the account with this name, or a new account. `balance` adds coins to the account.
   *
   * @example
   * ```ts
   * const alice = builder.account({ name: "alice", balance: coins(10) });
   * ```
   */
  account(options: AccountOptions = {}): Address {
    this.#assertWritable();
    const { name, balance = 0n } = checked("builder.account", "account", options);
    const account = this.#names.account(name);
    if (balance !== 0n) {
      this.fund(account, balance);
    }
    return account;
  }

  /** Gives an account new coins immediately, without a transaction. */
  fund(account: Address, amount: bigint): void {
    const to = address(account);
    assertAmount(amount);
    const balance = this.chain.balance(to) + amount;
    assertBalance(balance, this.#names.label(to));
    this.chain.applyHeadState({ balances: [[to, balance]] });
    this.#pool.refresh();
  }

  /** Returns the nonce of the account's next transaction, counting pending transactions. */
  nonce(account: Address): number {
    return this.#pool.ledger.nonce(address(account));
  }

  /**
   * Sends coins.
   *
   * @example
   * ```ts
   * const payment = builder.transfer(alice, bob, coins(1));
   * const failed = builder.transfer(alice, bob, coins(1), { fails: "out of gas" });
   * builder.mine();
   * ```
   */
  transfer(
    from: Address,
    to: Address,
    value: bigint,
    options: GasOptions & Pick<CallMessage, "input" | "fails"> = {},
  ): SentTransaction {
    const { input, fails, ...gas } = checked("builder.transfer", "transfer", options);
    assertAmount(value);
    return this.#execute(from, { kind: "call", to, value, input, fails }, gas);
  }

  /**
   * Calls a contract. `does` defines what the contract does: events, internal calls, failures.
   *
   * @example
   * ```ts
   * builder.call(alice, {
   *   to: vault,
   *   value: coins(1),
   *   does(frame) {
   *     frame.emit([eventTopic("Deposit(address)"), frame.caller]);
   *     frame.call({ to: bob, value: frame.value });
   *   },
   * });
   * ```
   */
  call(from: Address, call: CallMessage, options: GasOptions = {}): SentTransaction {
    const message = checked("builder.call", "call", call);
    const gas = checked("builder.call", "gas", options);
    return this.#execute(from, { kind: "call", ...message }, gas);
  }

  /**
   * Creates a contract. Its address is known immediately; it has code once the transaction is
   * mined.
   *
   * @example
   * ```ts
   * const { address, hash } = builder.deploy(alice, { code: "0x6000" });
   * ```
   */
  deploy(from: Address, creation: DeployMessage = {}, options: GasOptions = {}): DeployedContract {
    const message = checked("builder.deploy", "deploy", creation);
    const gas = checked("builder.deploy", "gas", options);
    const sent = this.#execute(from, { kind: "creation", ...message }, gas);
    return { ...sent, address: sent.created ?? refuse("a creation must have an address") };
  }

  /**
   * Deploys an MRC20 token with the deployer as minter. Metadata that you leave out is null.
   *
   * @example
   * ```ts
   * const gold = builder.deployMRC20(alice, { name: "Gold", symbol: "GLD", decimals: 18, supply: 1_000n });
   * gold.transfer(alice, bob, 300n);
   * ```
   */
  deployMRC20(from: Address, options: Mrc20Options = {}): Mrc20Contract {
    const settings = checked("builder.deployMRC20", "deployMRC20", options);
    const { supply = 0n, holders = [], ...rest } = settings;
    const mints = [...(supply === 0n ? [] : [[from, supply] as const]), ...holders];
    const deployed = this.#deployToken(from, "mrc20", rest, mints);
    return new Mrc20Contract(deployed.address, deployed.from, deployed, this.#send);
  }

  /**
   * Deploys an MRC721 collection with the deployer as minter. Metadata that you leave out is null.
   *
   * @example
   * ```ts
   * const art = builder.deployMRC721(alice, { name: "Art", symbol: "" });
   * art.mint(bob, 7n, { uri: "ipfs://art/7" });
   * ```
   */
  deployMRC721(from: Address, options: Mrc721Options = {}): Mrc721Contract {
    const settings = checked("builder.deployMRC721", "deployMRC721", options);
    const deployed = this.#deployToken(from, "mrc721", settings);
    return new Mrc721Contract(deployed.address, deployed.from, deployed, this.#send);
  }

  /** Returns an MRC20 token that is already on the chain, with `owner` as minter. */
  mrc20(token: Address, owner: Address): Mrc20Contract {
    return new Mrc20Contract(this.#tokenAt(token), address(owner), null, this.#send);
  }

  /** Returns an MRC721 collection that is already on the chain, with `owner` as minter. */
  mrc721(token: Address, owner: Address): Mrc721Contract {
    return new Mrc721Contract(this.#tokenAt(token), address(owner), null, this.#send);
  }

  /**
   * Registers a contract's source as verified, so that C1 and C2 return it. Mine the contract
   * first.
   *
   * @example
   * ```ts
   * builder.verify(vault, { contractName: "Vault", abi: [], source: "contract Vault {}" });
   * ```
   */
  verify(contract: Address, source: ContractSource): ContractVerification {
    const verified = {
      contractName: "Contract",
      compiler: "v0.8.28+commit.7893614a",
      optimizationEnabled: false,
      runs: 200,
      libraries: [],
      verifiedAt: this.chain.head.timestamp,
      constructorArguments: "",
      swarmSource: "",
      source: "",
      ...checked("builder.verify", "verify", source),
      address: address(contract),
      code: this.chain.code(address(contract)),
    };
    if (verified.code === "0x") {
      refuse(
        `there is no contract at ${this.#names.label(verified.address)} to verify: mine it first`,
      );
    }
    this.chain.applyHeadState({ verified: [verified] });
    return verified;
  }

  readonly #send = (from: Address, call: CallMessage, options: GasOptions): SentTransaction =>
    this.call(from, call, options);

  /**
   * Throws if the chain must not be changed, such as the shared chain inside `isolated`.
   */
  #assertWritable(): void {
    this.chain.guard?.();
  }

  #execute(from: Address, message: Message, options: GasOptions): SentTransaction {
    this.#assertWritable();
    const environment = {
      chainId: this.chain.chainId,
      ledger: this.#pool.ledger,
      baseFeePerGas: this.#pool.nextBaseFee(),
      tip: this.#rules.priorityFeePerGas,
    };
    return this.#pool.add(executeTransaction(environment, from, message, options));
  }

  #deployToken(
    from: Address,
    standard: TokenStandard,
    { name = null, symbol = null, decimals = null, address, ...gas }: Mrc721Options,
    mints: readonly (readonly [Address, bigint])[] = [],
  ): DeployedContract {
    const metadata = { standard, name, symbol, decimals };
    const constructorArguments = metadataArguments(metadata);
    const creation = { ...tokenCreation(metadata, mints), address, constructorArguments };
    const deployed = this.deploy(from, creation, gas);
    const label = symbol || name;
    if (label) this.#names.set(deployed.address, label);
    return deployed;
  }

  #tokenAt(token: Address): Address {
    return (
      this.chain.token(address(token))?.address ??
      refuse(`there is no token at ${this.#names.label(address(token))}`)
    );
  }

  /** The transactions that have not been mined yet. */
  get pending(): readonly SentTransaction[] {
    return this.#pool.transactions.map(({ sent }) => sent);
  }

  /** Adds whole seconds to the next block's timestamp. */
  wait(seconds: number): void {
    this.#assertWritable();
    if (!Number.isSafeInteger(seconds) || seconds < 0)
      throw new TypeError(
        `builder.wait: expected a whole number of seconds from 0 up, received ${describe(seconds)}`,
      );
    this.#waited += seconds;
  }

  /** @internal The state of the builder besides its chain. */
  state(): BuilderState {
    return {
      rules: this.#rules,
      waited: this.#waited,
      branch: this.#branch,
      names: this.#names.state(),
      pending: this.#pool.transactions,
    };
  }

  /**
   * @internal Returns to a saved state; without an argument, to a new builder's state. Restore the
   * chain first.
   */
  restore(state: Partial<BuilderState> = {}): void {
    this.#rules = state.rules ?? this.#rules;
    this.#waited = state.waited ?? 0;
    this.#branch = state.branch ?? 0;
    this.#names.restore(state.names);
    this.#pool.reset(state.pending);
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
    subject?: number | readonly TransactionReference[] | BlockOptions,
    options: BlockOptions = {},
  ): Block | Block[] {
    const isCount = typeof subject === "number";
    const isHeader = !isCount && !isList(subject) && subject !== undefined;
    const header = checked("builder.mine", "mine", isHeader ? subject : options);
    if (isList(subject)) {
      const transactions = subject.map((reference) => this.#pool.get(hashOfReference(reference)));
      return this.#mineBlock(transactions, header);
    }
    if (!isCount) return this.#mineBlock(this.#pool.transactions, header);
    if (!Number.isSafeInteger(subject) || subject < 0) {
      refuse(`cannot mine ${subject} blocks: expected a whole number from 0 up`);
    }
    const { timestamp, ...rest } = header;
    return Array.from({ length: subject }, (_, at) =>
      this.#mineBlock(this.#pool.transactions, at === 0 ? header : rest),
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
   * const { dropped } = builder.reorg(2, { drop: [payment] }); // as if it had never been sent
   * ```
   */
  reorg(count: number, options: ReorgOptions = {}): ReorgResult {
    return atOnce(this.reorgInSlices(count, options));
  }

  /**
   * @internal Like {@link reorg}, but yields after each slice, so that the caller can do other
   * work. Run it to its end.
   */
  *reorgInSlices(count: number, options: ReorgOptions = {}): Generator<void, ReorgResult> {
    this.#assertWritable();
    const { drop = [] } = checked("builder.reorg", "reorg", options);
    if (!Number.isInteger(count) || count < 0 || count > this.chain.head.number) {
      refuse(`cannot replace ${count} blocks: there are ${this.chain.head.number} after the first`);
    }
    this.#branch += 1;
    const dropped = drop === "all" ? undefined : new Set(drop.map(hashOfReference));
    for (const hash of dropped ?? [])
      if (!(Number(this.chain.transaction(hash)?.block.number) > this.chain.head.number - count))
        refuse(`cannot drop ${hash}: it is in none of the last ${count} blocks`);
    const isDropped = (hash: Hash) => dropped?.has(hash) ?? true;
    const { label } = this.#names;
    const result = yield* reorganiseInSlices(this.chain, count, this.#branch, label, isDropped);
    this.#pool.reset();
    return result;
  }

  #mineBlock(transactions: readonly PendingTransaction[], options: BlockOptions): Block {
    const header = this.#nextHeader(options);
    const block = this.#pool.mine(transactions, header, this.#branch, options.rewards);
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
          ? parent.timestamp + this.#rules.blockTime + this.#waited
          : secondsOf(timestamp),
      miner: miner ?? this.#rules.miner,
      gasLimit: gasLimit ?? parent.gasLimit ?? GENESIS_GAS_LIMIT,
      baseFeePerGas: baseFeePerGas === undefined ? this.#pool.nextBaseFee() : baseFeePerGas,
      miningReward: this.#rules.blockReward,
    };
    if (header.timestamp <= parent.timestamp) {
      refuse(
        `block ${header.number} cannot have the timestamp ${header.timestamp}: expected one after its parent's, ${parent.timestamp}`,
      );
    }
    return header;
  }
}

const isList = (value: unknown): value is readonly TransactionReference[] => Array.isArray(value);

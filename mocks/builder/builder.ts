// Tells a chain as a story: accounts, transactions and blocks, with a ledger that stays true by itself.
import type { Chain } from "../chain/chain.ts";
import type { Address, Block, Hash, VerifiedContract } from "../chain/records.ts";
import { named } from "./account.ts";
import { type BlockOptions, blockOf, seconds } from "./block.ts";
import { address } from "./evm.ts";
import type { CallMessage, CreationMessage } from "./frame.ts";
import { nextBaseFee } from "./gas.ts";
import { refuse } from "./impossible.ts";
import { BuilderLedger } from "./ledger.ts";
import { type Reorganisation, reorganise } from "./reorganisation.ts";
import {
  Mrc20Contract,
  Mrc721Contract,
  metadataArguments,
  minting,
  type TokenMetadata,
  tokenCreation,
} from "./tokens.ts";
import {
  apply,
  executeTransaction,
  type GasOptions,
  type Message,
  type Sent,
  type TransactionDraft,
} from "./transaction.ts";
import { coins, gwei } from "./units.ts";

/** The rules of a story's chain. */
export interface ChainBuilderOptions {
  /** What a miner is issued for a block; 2 coins if left out. */
  readonly blockReward?: bigint;
  /** The miner of blocks that do not say. */
  readonly miner?: Address;
  /** Seconds between blocks; 12 if left out. */
  readonly blockTime?: number;
  /** What a transaction that does not say offers per gas on top of the base fee; 1 gwei if left out. */
  readonly priorityFeePerGas?: bigint;
  /** Gas costs nothing, so balances stay round. If left out: whether it costs nothing in the head. */
  readonly freeGas?: boolean;
}

/** How an account begins. */
export interface AccountOptions {
  /** What it is called in errors; its address follows from it, so it is the same in every story. */
  readonly name?: string;
  /** Coins it has from the start. */
  readonly balance?: bigint;
}

export interface Mrc20Options extends TokenMetadata, GasOptions {
  /** Minted to whoever deploys. */
  readonly supply?: bigint;
  /** Minted to others. */
  readonly holders?: Iterable<readonly [Address, bigint]>;
}

export interface Mrc721Options extends TokenMetadata, GasOptions {}

/** A deployed contract. */
export interface Deployed extends Sent {
  readonly address: Address;
}

/** A verified source: what is left out is as a compiler's first run has it. */
export type ContractSource = Partial<Omit<VerifiedContract, "address" | "code">> &
  Pick<VerifiedContract, "abi">;

type Reference = Hash | { readonly hash: Hash };

const hashIn = (of: Reference): Hash => (typeof of === "string" ? of : of.hash);

/**
 * Tells a chain as a story; {@link buildChain} and {@link continueChain} make one. What cannot be is an {@link ImpossibleError}, and changes
 * nothing; a malformed address or bytes are a TypeError. Amounts are in the smallest unit. Each call plays what it says at once, refuses what cannot be, and returns what it made; {@link mine} puts it into a
 * block, and whoever reads the chain sees it from then on.
 */
export class ChainBuilder {
  /** The chain the story is told on. */
  readonly chain: Chain;
  readonly #names = new Map<Address, string>();
  readonly #options: Required<Omit<ChainBuilderOptions, "priorityFeePerGas">>;
  readonly #tip: bigint;
  /** The transactions told and not mined. */
  #pool = new Map<Hash, TransactionDraft>();
  /** The head when the pool was begun, and how often the chain had gone back: a chain changed by others makes the pool void. */
  #head: Hash;
  #returns: number;
  /** The state after the pool; null when it must be made anew. */
  #ledger: BuilderLedger | null = null;
  #accounts = 0;
  #waited = 0;
  #branch = 0;

  constructor(chain: Chain, options: ChainBuilderOptions = {}) {
    const { blockReward = coins(2), blockTime = 12 } = options;
    const freeGas = options.freeGas ?? chain.head.baseFeePerGas === 0n;
    const miner = address(options.miner ?? named("miner"));
    this.chain = chain;
    this.#options = { blockReward, blockTime, freeGas, miner };
    this.#tip = options.priorityFeePerGas ?? (freeGas ? 0n : gwei(1));
    this.#head = chain.head.hash;
    this.#returns = chain.returns;
    this.#names.set(named("miner"), "miner");
  }

  // Accounts

  /**
   * An account. Without a name it is a new one; the same name gives the same account again, with coins on top if it is given some.
   *
   * @example
   * ```ts
   * const alice = story.account({ name: "alice", balance: coins(10) });
   * ```
   */
  account({ name, balance = 0n }: AccountOptions = {}): Address {
    const called = name ?? this.#nextName();
    const made = named(called);
    this.#names.set(made, called);
    if (balance !== 0n) {
      this.fund(made, balance);
    }
    return made;
  }

  /** Gives an account coins out of nothing, at once, as the first block of a chain does. */
  fund(account: Address, amount: bigint): void {
    const to = address(account);
    const balance = this.chain.balance(to) + amount;
    if (balance < 0n) {
      refuse(`${this.#label(to)} cannot have ${balance}: a balance is not negative`);
    }
    this.chain.applyHeadState({ balances: [[to, balance]] });
    this.#ledger = null;
  }

  /** The nonce of the account's next transaction, with those told and not mined yet. */
  nonce(account: Address): number {
    return this.#state().nonce(address(account));
  }

  // Transactions

  /**
   * Sends coins.
   *
   * @example
   * ```ts
   * const payment = story.transfer(alice, bob, coins(1));
   * const failed = story.transfer(alice, bob, coins(1), { fails: "out of gas" });
   * story.mine();
   * ```
   */
  transfer(
    from: Address,
    to: Address,
    value: bigint,
    options: GasOptions & Pick<CallMessage, "input" | "fails"> = {},
  ): Sent {
    const { input = "0x", fails, ...gas } = options;
    const call = { to, value, input };
    return this.call(from, fails === undefined ? call : { ...call, fails }, gas);
  }

  /**
   * Calls a contract, which does what `does` says: events, internal calls, failures.
   *
   * @example
   * ```ts
   * story.call(alice, {
   *   to: vault,
   *   value: coins(1),
   *   does(frame) {
   *     frame.emit([eventTopic("Deposit(address)"), frame.caller]);
   *     frame.call({ to: bob, value: frame.value });
   *   },
   * });
   * ```
   */
  call(from: Address, call: CallMessage, options: GasOptions = {}): Sent {
    return this.#tell(from, { kind: "call", ...call }, options);
  }

  /**
   * Creates a contract. It is there once it is mined; its address is known at once.
   *
   * @example
   * ```ts
   * const { address, hash } = story.deploy(alice, { code: "0x6000" });
   * ```
   */
  deploy(from: Address, creation: CreationMessage = {}, options: GasOptions = {}): Deployed {
    const sent = this.#tell(from, { kind: "creation", ...creation }, options);
    return { ...sent, address: sent.created ?? refuse("a creation makes an address") };
  }

  /**
   * Creates an MRC20 token; whoever deploys it mints. Metadata that is left out is null.
   *
   * @example
   * ```ts
   * const gold = story.deployMRC20(alice, { name: "Gold", symbol: "GLD", decimals: 18, supply: 1_000n });
   * gold.transfer(alice, bob, 300n);
   * ```
   */
  deployMRC20(from: Address, options: Mrc20Options = {}): Mrc20Contract {
    const { name, symbol, decimals, supply = 0n, holders = [], ...gas } = options;
    const mints = [...(supply === 0n ? [] : [[from, supply] as const]), ...holders];
    const facts = { standard: "mrc20", ...nulled({ name, symbol, decimals }) } as const;
    const creation = tokenCreation(
      facts,
      mints.map(([holder, amount]) => minting(holder, amount)),
    );
    const deployed = this.#deployToken(from, creation, facts, gas);
    return new Mrc20Contract(deployed.address, deployed.from, deployed, this.#send);
  }

  /**
   * Creates an MRC721 collection; whoever deploys it mints. Metadata that is left out is null.
   *
   * @example
   * ```ts
   * const art = story.deployMRC721(alice, { name: "Art", symbol: "" });
   * art.mint(bob, 7n, { uri: "ipfs://art/7" });
   * ```
   */
  deployMRC721(from: Address, options: Mrc721Options = {}): Mrc721Contract {
    const { name, symbol, decimals, ...gas } = options;
    const facts = { standard: "mrc721", ...nulled({ name, symbol, decimals }) } as const;
    const deployed = this.#deployToken(from, tokenCreation(facts), facts, gas);
    return new Mrc721Contract(deployed.address, deployed.from, deployed, this.#send);
  }

  /** An MRC20 token that is in the chain already; `owner` mints. */
  mrc20(token: Address, owner: Address): Mrc20Contract {
    return new Mrc20Contract(this.#known(token), address(owner), null, this.#send);
  }

  /** An MRC721 collection that is in the chain already; `owner` mints. */
  mrc721(token: Address, owner: Address): Mrc721Contract {
    return new Mrc721Contract(this.#known(token), address(owner), null, this.#send);
  }

  /**
   * Registers a contract's source as verified: what C1 and C2 answer. The contract is in the chain, so mine it first.
   *
   * @example
   * ```ts
   * story.verify(vault, { contractName: "Vault", abi: [], source: "contract Vault {}" });
   * ```
   */
  verify(contract: Address, source: ContractSource): VerifiedContract {
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
      ...source,
      address: address(contract),
      code: this.chain.code(address(contract)),
    };
    if (verified.code === "0x") {
      refuse(`there is no contract at ${this.#label(verified.address)} to verify: mine it first`);
    }
    this.chain.applyHeadState({ verified: [verified] });
    return verified;
  }

  // Blocks

  /** The transactions told and not mined yet. */
  get pending(): readonly Sent[] {
    this.#state();
    return Array.from(this.#pool.values(), ({ sent }) => sent);
  }

  /** Lets time pass: the next block is so many seconds later. */
  wait(time: number): void {
    this.#waited += time;
  }

  /**
   * Mines the pending transactions into one block.
   *
   * @example
   * ```ts
   * const first = story.transfer(alice, bob, 1n);
   * const second = story.transfer(bob, alice, 1n);
   * story.mine([second, first], { timestamp: new Date("2030-01-01T00:00:00Z") });
   * story.mine(3).length; // 3
   * ```
   */
  mine(): Block;
  /** Mines that many blocks; the pending transactions are in the first. */
  mine(blocks: number, options?: BlockOptions): Block[];
  /** Mines these transactions, in this order, into one block; the others stay pending. */
  mine(transactions: readonly Reference[], options?: BlockOptions): Block;
  mine(what?: number | readonly Reference[], options: BlockOptions = {}): Block | Block[] {
    this.#state();
    if (typeof what === "object") {
      return this.#mineBlock(
        what.map((of) => this.#draft(hashIn(of))),
        options,
      );
    }
    const pending = () => [...this.#pool.values()];
    if (what === undefined) {
      return this.#mineBlock(pending(), options);
    }
    if (!Number.isSafeInteger(what) || what < 0)
      refuse(`${what} blocks cannot be mined: expected a whole number from 0 up`);
    const { timestamp, ...rest } = options;
    return Array.from({ length: what }, (_, at) =>
      this.#mineBlock(pending(), at === 0 ? options : rest),
    );
  }

  /**
   * Replaces the last `count` blocks by as many others, as a chain does that follows a better branch: other hashes, the same transactions
   * at the same places, except those dropped. On a loaded chain: balances of a token that do not follow from its events, and that a node told,
   * are forgotten if its creation is in these blocks.
   *
   * @example
   * ```ts
   * const { blocks } = story.reorg(2);
   * const { dropped } = story.reorg(1, { drop: [payment] }); // as if it was never sent
   * ```
   */
  reorg(
    count: number,
    { drop = [] }: { readonly drop?: "all" | readonly Reference[] } = {},
  ): Reorganisation {
    if (!Number.isInteger(count) || count < 0 || count > this.chain.head.number) {
      refuse(
        `${count} blocks cannot be replaced: there are ${this.chain.head.number} after the first`,
      );
    }
    this.#branch += 1;
    const dropped = drop === "all" ? drop : new Set(drop.map(hashIn));
    const label = this.#label.bind(this);
    const done = reorganise(this.chain, count, this.#branch, label, (hash) =>
      dropped === "all" ? true : dropped.has(hash),
    );
    this.#begin([]);
    return done;
  }

  // Inside

  readonly #send = (from: Address, call: CallMessage, options: GasOptions): Sent =>
    this.call(from, call, options);

  #tell(from: Address, message: Message, options: GasOptions): Sent {
    const ledger = this.#state();
    const baseFeePerGas = this.#nextBaseFee();
    const telling = { chainId: this.chain.chainId, ledger, baseFeePerGas, tip: this.#tip };
    const draft = executeTransaction(telling, from, message, options);
    const before = ledger.mark();
    try {
      apply(ledger, draft, { baseFeePerGas, miner: null });
    } catch (impossible) {
      ledger.rewind(before);
      throw impossible;
    }
    this.#pool.set(draft.sent.hash, draft);
    return draft.sent;
  }

  #deployToken(from: Address, creation: CreationMessage, metadata: TokenMetadata, gas: GasOptions) {
    const constructorArguments = metadataArguments(metadata);
    const deployed = this.deploy(from, { ...creation, constructorArguments }, gas);
    const called = metadata.symbol || metadata.name;
    if (called) {
      this.#names.set(deployed.address, called);
    }
    return deployed;
  }

  #mineBlock(drafts: readonly TransactionDraft[], options: BlockOptions): Block {
    const { chain } = this;
    const parent = chain.head;
    const { blockReward, blockTime } = this.#options;
    const miner = address(options.miner ?? this.#options.miner);
    const baseFeePerGas =
      options.baseFeePerGas === undefined ? this.#nextBaseFee() : options.baseFeePerGas;
    const timestamp =
      options.timestamp === undefined
        ? parent.timestamp + blockTime + this.#waited
        : seconds(options.timestamp);
    if (timestamp <= parent.timestamp) {
      refuse(
        `block ${parent.number + 1} cannot be of ${timestamp}: its parent is of ${parent.timestamp}, and time goes on`,
      );
    }
    const ledger = this.#newLedger();
    for (const draft of drafts) {
      apply(ledger, draft, { baseFeePerGas, miner });
    }
    const facts = ledger.facts();
    const header = {
      number: parent.number + 1,
      parentHash: parent.hash,
      timestamp,
      miner,
      gasLimit: options.gasLimit ?? parent.gasLimit,
      baseFeePerGas,
      miningReward: blockReward,
    };
    const body = blockOf(header, drafts, this.#branch);
    const mined = new Set(drafts);
    const rest = [...this.#pool.values()].filter((draft) => !mined.has(draft));
    ledger.credit(miner, blockReward);
    for (const draft of rest) {
      apply(ledger, draft, { baseFeePerGas: nextBaseFee(body.block), miner: null });
    }
    chain.append(body);
    chain.applyHeadState(facts);
    this.#waited = 0;
    this.#begin(rest);
    return body.block;
  }

  /** The pool from now on, with the state after it to be made when it is asked for. */
  #begin(pool: readonly TransactionDraft[]): void {
    this.#pool = new Map(pool.map((draft) => [draft.sent.hash, draft]));
    this.#head = this.chain.head.hash;
    this.#returns = this.chain.returns;
    this.#ledger = null;
  }

  /** The state after the pool. */
  #state(): BuilderLedger {
    if (this.#head !== this.chain.head.hash || this.#returns !== this.chain.returns) {
      this.#begin([]);
    }
    if (this.#ledger === null) {
      this.#ledger = this.#newLedger();
      for (const draft of this.#pool.values()) {
        apply(this.#ledger, draft, { baseFeePerGas: this.#nextBaseFee(), miner: null });
      }
    }
    return this.#ledger;
  }

  #newLedger(): BuilderLedger {
    return new BuilderLedger(this.chain, (account) => this.#label(account));
  }

  #nextBaseFee(): bigint | null {
    return this.#options.freeGas ? 0n : nextBaseFee(this.chain.head);
  }

  #draft(hash: Hash): TransactionDraft {
    return (
      this.#pool.get(hash) ??
      refuse(`${hash} is not pending: it is mined already, or nobody told it`)
    );
  }

  #label(account: Address): string {
    const name = this.#names.get(account);
    return name === undefined ? account : `${name} (${account})`;
  }

  /** A token of the chain. */
  #known(token: Address): Address {
    return (
      this.chain.token(address(token))?.address ??
      refuse(`there is no token at ${this.#label(address(token))}`)
    );
  }

  /** A name nobody has, of an account nothing happened to. */
  #nextName(): string {
    let name: string;
    let account: Address;
    do {
      this.#accounts += 1;
      name = `account ${this.#accounts}`;
      account = named(name);
    } while (
      this.#names.has(account) ||
      this.chain.balance(account) !== 0n ||
      this.chain.transactions(account, "all", {}).count > 0
    );
    return name;
  }
}

/** A field of metadata may be left out of the options as well as undefined in them. */
type Given<Metadata> = { readonly [Field in keyof Metadata]?: Metadata[Field] | undefined };

/** Metadata with null for what a token does not have. */
const nulled = ({ name = null, symbol = null, decimals = null }: Given<TokenMetadata>) => ({
  name,
  symbol,
  decimals,
});

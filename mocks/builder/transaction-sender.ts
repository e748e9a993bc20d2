// The part of the chain builder that sends transactions to its pool: coins, contracts and tokens.

import type { ChainReader } from "../chain/reader.ts";
import type { Address, ContractVerification } from "../chain/records.ts";
import { coins, gwei } from "../chain/units.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { address, addressOfName, refuse } from "./evm.ts";
import type { CallMessage, DeployMessage } from "./frame.ts";
import { assertAmount, assertBalance } from "./ledger.ts";
import {
  type AccountOptions,
  type ChainBuilderOptions,
  type ContractSource,
  type DeployedContract,
  type Mrc20Options,
  type Mrc721Options,
  metadataArguments,
  type TokenMetadata,
} from "./options.ts";
import { PendingPool } from "./pending-pool.ts";
import { checked } from "./schemas.ts";
import { Mrc20Contract, Mrc721Contract, minting, tokenCreation } from "./tokens.ts";
import {
  executeTransaction,
  type GasOptions,
  type Message,
  type SentTransaction,
} from "./transaction.ts";

/** The rules of a chain, with their defaults. */
export type Rules = Required<ChainBuilderOptions>;

export abstract class TransactionSender {
  readonly chain: ChainWriter;
  /** @internal */
  protected readonly names: AccountNames;
  /** @internal */
  protected readonly pool: PendingPool;
  /** @internal */
  protected rules: Rules;

  constructor(chain: ChainWriter, options: ChainBuilderOptions = {}) {
    const { freeGas = chain.head.baseFeePerGas === 0n } = options;
    this.chain = chain;
    this.names = new AccountNames(chain);
    this.pool = new PendingPool(chain, this.names.label, () => this.rules.freeGas);
    this.rules = {
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
    this.assertWritable();
    const { name, balance = 0n } = checked("builder.account", "account", options);
    const account = this.names.account(name);
    if (balance !== 0n) {
      this.fund(account, balance);
    }
    return account;
  }

  /** Gives an account new coins immediately, without a transaction. */
  fund(account: Address, amount: bigint): void {
    this.assertWritable();
    const to = address(account);
    assertAmount(amount);
    const balance = this.chain.balance(to) + amount;
    assertBalance(balance, this.#label(to));
    this.chain.applyHeadState({ balances: [[to, balance]] });
    this.pool.refresh();
  }

  /** Returns the nonce of the account's next transaction, counting pending transactions. */
  nonce(account: Address): number {
    return this.pool.ledger.nonce(address(account));
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
    const { input = "0x", fails, ...gas } = checked("builder.transfer", "transfer", options);
    assertAmount(value);
    const call = { kind: "call", to, value, input } as const;
    return this.#execute(from, fails === undefined ? call : { ...call, fails }, gas);
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
    const { name = null, symbol = null, decimals = null, address, ...rest } = settings;
    const { supply = 0n, holders = [], ...gas } = rest;
    const mints = [...(supply === 0n ? [] : [[from, supply] as const]), ...holders];
    const metadata = { name, symbol, decimals };
    const creation = tokenCreation(
      { standard: "mrc20", ...metadata },
      mints.map(([holder, amount]) => minting(holder, amount)),
    );
    const deployed = this.#deployToken(from, { ...creation, address }, metadata, gas);
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
    const { name = null, symbol = null, decimals = null, address, ...gas } = settings;
    const metadata = { name, symbol, decimals };
    const creation = tokenCreation({ standard: "mrc721", ...metadata });
    const deployed = this.#deployToken(from, { ...creation, address }, metadata, gas);
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
    this.assertWritable();
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
      refuse(`there is no contract at ${this.#label(verified.address)} to verify: mine it first`);
    }
    this.chain.applyHeadState({ verified: [verified] });
    return verified;
  }

  readonly #send = (from: Address, call: CallMessage, options: GasOptions): SentTransaction =>
    this.call(from, call, options);

  /**
   * @internal Throws if the chain must not be changed, such as the shared chain inside `isolated`.
   */
  protected assertWritable(): void {
    this.chain.guard?.();
  }

  #execute(from: Address, message: Message, options: GasOptions): SentTransaction {
    this.assertWritable();
    const environment = {
      chainId: this.chain.chainId,
      ledger: this.pool.ledger,
      baseFeePerGas: this.pool.nextBaseFee(),
      tip: this.rules.priorityFeePerGas,
    };
    return this.pool.add(executeTransaction(environment, from, message, options));
  }

  #deployToken(from: Address, creation: DeployMessage, metadata: TokenMetadata, gas: GasOptions) {
    const constructorArguments = metadataArguments(metadata);
    const deployed = this.deploy(from, { ...creation, constructorArguments }, gas);
    const name = metadata.symbol || metadata.name;
    if (name) {
      this.names.set(deployed.address, name);
    }
    return deployed;
  }

  #label(account: Address): string {
    return this.names.label(account);
  }

  #tokenAt(token: Address): Address {
    return (
      this.chain.token(address(token))?.address ??
      refuse(`there is no token at ${this.#label(address(token))}`)
    );
  }
}

/** The names of accounts, and the number of accounts created without a name. */
export interface NamesState {
  readonly names: ReadonlyMap<Address, string>;
  readonly count: number;
}

const NEW_NAMES: NamesState = { names: new Map([[addressOfName("miner"), "miner"]]), count: 0 };

export class AccountNames {
  readonly #chain: ChainReader;
  #names = new Map(NEW_NAMES.names);
  #count = NEW_NAMES.count;

  constructor(chain: ChainReader) {
    this.#chain = chain;
  }

  state(): NamesState {
    return { names: new Map(this.#names), count: this.#count };
  }

  restore({ names, count }: NamesState = NEW_NAMES): void {
    this.#names = new Map(names);
    this.#count = count;
  }

  set(account: Address, name: string): void {
    this.#names.set(account, name);
  }

  /** Returns the account with this name. Without a name, returns a new account. */
  account(name = this.#unusedName()): Address {
    const account = addressOfName(name);
    this.set(account, name);
    return account;
  }

  /** An account as error messages show it: `alice (0x…)`. */
  readonly label = (account: Address): string => {
    const name = this.#names.get(account);
    return name === undefined ? account : `${name} (${account})`;
  };

  /** Returns an unused name whose address has not appeared on the chain. */
  #unusedName(): string {
    for (;;) {
      this.#count += 1;
      const name = `account ${this.#count}`;
      const account = addressOfName(name);
      const isUsed =
        this.#names.has(account) ||
        this.#chain.balance(account) !== 0n ||
        this.#chain.transactions(account, "all", {}).count > 0;
      if (!isUsed) return name;
    }
  }
}

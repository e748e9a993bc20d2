// ExplorerClient: the operations of the contract as methods, grouped by resource.
import { type Abi, toAbi } from "./abi.ts";
import {
  type AnyOperation,
  type OperationInput,
  type OperationResults,
  type Operations,
  operations,
} from "./contract/index.ts";
import { VerificationError } from "./errors/index.ts";
import { PagedRequest } from "./lists.ts";
import type { BlockReward, MinedBlock } from "./models/block.ts";
import type { VerifiedContract } from "./models/contract.ts";
import type { EventLog } from "./models/event-log.ts";
import type { InternalTransaction } from "./models/internal-transaction.ts";
import type { CollectionToken, HolderInventory } from "./models/inventory.ts";
import type { Address, Hash, Status } from "./models/primitives.ts";
import type { AccountTokens, TokenEntry } from "./models/token-list.ts";
import type { SimpleTransaction, Transaction } from "./models/transaction.ts";
import type { Mrc20Transfer, Mrc721Transfer } from "./models/transfer.ts";
import { type ExplorerClientOptions, resolve } from "./settings.ts";
import { promised } from "./transport/answer-promise.ts";
import type { AnswerPromise, Call, RequestOptions } from "./transport/call.ts";
import { createTransport } from "./transport/transport.ts";
import { submissionInput, type VerificationSubmission } from "./verification.ts";

/** What a list operation takes besides what it is about. */
type Query<Id extends keyof Operations, Given extends string> = Omit<
  OperationInput<Operations[Id]>,
  Given
>;

export type TransactionsQuery = Query<"A2", "address_hash">;
export type InternalTransactionsQuery = Query<"A3", "address_hash">;
export type TransfersQuery = Query<"A4", "address_hash">;
export type PageQuery = Query<"A7", "address_hash">;
export type InventoryQuery = Query<"A9", "contract_address">;
export type TransactionInternalTransactionsQuery = Query<"X3", "transaction_hash">;
export type EventLogsQuery = OperationInput<Operations["L1"]>;

/** Asks an operation and takes from its results what the method is about. */
function ask<Op extends AnyOperation, Data>(
  call: Call,
  operation: Op,
  input: OperationInput<Op>,
  options: RequestOptions | undefined,
  pick: (results: OperationResults<Op>) => Data,
): AnswerPromise<Data> {
  return promised(
    call(operation, input, options).then(({ data, response }) => ({ data: pick(data), response })),
  );
}

/** Questions about tokens (T1 to T4). */
class Tokens {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * The total supply of a token, in its smallest unit (T1).
   *
   * @example
   * const supply = await explorer.tokens.totalSupply("0x5fbdb2315678afecb367f032d93f642f64180aa3");
   * // 1000000000000000000000000n
   */
  totalSupply(contract: Address, options?: RequestOptions): AnswerPromise<bigint> {
    return ask(
      this.#call,
      operations.T1,
      { contract_hash: contract },
      options,
      ({ data }) => data.total_supply,
    );
  }

  /**
   * How much of an MRC20 token an account holds, in the token's smallest unit (T2).
   *
   * @example
   * const balance = await explorer.tokens.balance(token, holder); // 1500000n
   */
  balance(contract: Address, holder: Address, options?: RequestOptions): AnswerPromise<bigint> {
    return ask(
      this.#call,
      operations.T2,
      { contract_hash: contract, address_hash: holder },
      options,
      ({ data }) => data.balance,
    );
  }

  /**
   * The MRC721 tokens of a holder in one collection (T3). The service gives all at once; the collection's name and symbol may be null.
   *
   * @example
   * const { data, token_name } = await explorer.tokens.inventory(collection, holder);
   * for (const { token_id, token_uri } of data) console.log(token_name, token_id, token_uri);
   */
  inventory(
    contract: Address,
    holder: Address,
    options?: RequestOptions,
  ): AnswerPromise<HolderInventory> {
    return ask(
      this.#call,
      operations.T3,
      { contract_hash: contract, address_hash: holder },
      options,
      (inventory) => inventory,
    );
  }

  /**
   * How many accounts hold a token (T4).
   *
   * @example
   * const holders = await explorer.tokens.holderCount(token); // 42
   */
  holderCount(contract: Address, options?: RequestOptions): AnswerPromise<number> {
    return ask(
      this.#call,
      operations.T4,
      { contract_hash: contract },
      options,
      ({ data }) => data.holder_count,
    );
  }
}

/** Questions about accounts (A1 to A10). */
class Accounts {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * The native-coin balance of an account, in the smallest unit (A1).
   *
   * @example
   * const balance = await explorer.accounts.balance(address); // 10000000000000000000n
   */
  balance(address: Address, options?: RequestOptions): AnswerPromise<bigint> {
    return ask(this.#call, operations.A1, { addresses: [address] }, options, ({ data }) => {
      const [entry] = data;
      if (entry === undefined) throw new Error("no balance");
      return entry.balance;
    });
  }

  /**
   * The normal transactions an account takes part in (A2): full records, or with `simple: true` short ones with the fee.
   * `condition` picks the role the account plays; `input: true` brings the call data.
   *
   * @example
   * for await (const { transaction_hash, value } of explorer.accounts.transactions(address))
   *   console.log(transaction_hash, formatEther(value));
   */
  transactions(
    address: Address,
    query: TransactionsQuery & { readonly simple: true },
    options?: RequestOptions,
  ): PagedRequest<SimpleTransaction>;
  transactions(
    address: Address,
    query?: TransactionsQuery & { readonly simple?: false | undefined },
    options?: RequestOptions,
  ): PagedRequest<Transaction>;
  transactions(
    address: Address,
    query?: TransactionsQuery,
    options?: RequestOptions,
  ): PagedRequest<Transaction | SimpleTransaction>;
  transactions(
    address: Address,
    query: TransactionsQuery = {},
    options: RequestOptions = {},
  ): PagedRequest<Transaction | SimpleTransaction> {
    return new PagedRequest(
      this.#call,
      operations.A2,
      { ...query, address_hash: address },
      options,
    );
  }

  /**
   * The internal transactions an account takes part in (A3); amounts in the smallest unit. `message` is null where nothing went wrong.
   *
   * @example
   * const failed = await explorer.accounts.internalTransactions(address, { startBlock: 100n });
   */
  internalTransactions(
    address: Address,
    query: InternalTransactionsQuery = {},
    options: RequestOptions = {},
  ): PagedRequest<InternalTransaction> {
    return new PagedRequest(
      this.#call,
      operations.A3,
      { ...query, address_hash: address },
      options,
    );
  }

  /**
   * The MRC20 transfers from and to an account (A4); `value` in the token's smallest unit, the zero address as sender where supply was made.
   *
   * @example
   * for await (const { token_symbol, value, token_decimals } of explorer.accounts.mrc20Transfers(address))
   *   console.log(token_symbol, formatUnits(value, token_decimals ?? 0));
   */
  mrc20Transfers(
    address: Address,
    query: TransfersQuery = {},
    options: RequestOptions = {},
  ): PagedRequest<Mrc20Transfer> {
    return new PagedRequest(
      this.#call,
      operations.A4,
      { ...query, address_hash: address },
      options,
    );
  }

  /**
   * The MRC721 transfers from and to an account (A5).
   *
   * @example
   * const { data, count } = await explorer.accounts.mrc721Transfers(address, { limit: 10 });
   */
  mrc721Transfers(
    address: Address,
    query: TransfersQuery = {},
    options: RequestOptions = {},
  ): PagedRequest<Mrc721Transfer> {
    return new PagedRequest(
      this.#call,
      operations.A5,
      { ...query, address_hash: address },
      options,
    );
  }

  /**
   * All tokens an account holds, with balances (A6): `mrc_20` in the tokens' smallest units, `mrc_721` in numbers of tokens.
   *
   * @example
   * const { mrc_20, mrc_721 } = await explorer.accounts.tokens(address);
   */
  tokens(
    address: Address,
    query: PageQuery = {},
    options?: RequestOptions,
  ): AnswerPromise<AccountTokens> {
    return ask(
      this.#call,
      operations.A6,
      { ...query, address_hash: address },
      options,
      (tokens) => tokens,
    );
  }

  /**
   * The MRC20 tokens an account holds, by name (A7).
   *
   * @example
   * const symbols = (await explorer.accounts.mrc20Tokens(address)).data.map((token) => token.token_symbol);
   */
  mrc20Tokens(
    address: Address,
    query: PageQuery = {},
    options: RequestOptions = {},
  ): PagedRequest<TokenEntry> {
    return new PagedRequest(
      this.#call,
      operations.A7,
      { ...query, address_hash: address },
      options,
    );
  }

  /**
   * The MRC721 collections an account holds tokens of, by name (A8).
   *
   * @example
   * for await (const { token_name } of explorer.accounts.mrc721Tokens(address)) console.log(token_name);
   */
  mrc721Tokens(
    address: Address,
    query: PageQuery = {},
    options: RequestOptions = {},
  ): PagedRequest<TokenEntry> {
    return new PagedRequest(
      this.#call,
      operations.A8,
      { ...query, address_hash: address },
      options,
    );
  }

  /**
   * The tokens of an MRC721 collection (A9).
   *
   * @example
   * for await (const { token_id, token_uri } of explorer.accounts.inventory(collection)) console.log(token_id, token_uri);
   */
  inventory(
    contract: Address,
    query: InventoryQuery = {},
    options: RequestOptions = {},
  ): PagedRequest<CollectionToken> {
    return new PagedRequest(
      this.#call,
      operations.A9,
      { ...query, contract_address: contract },
      options,
    );
  }

  /**
   * The blocks a miner created, with their rewards in the smallest unit (A10).
   *
   * @example
   * for await (const { block_number, reward } of explorer.accounts.minedBlocks(miner)) console.log(block_number, reward);
   */
  minedBlocks(
    address: Address,
    query: PageQuery = {},
    options: RequestOptions = {},
  ): PagedRequest<MinedBlock> {
    return new PagedRequest(
      this.#call,
      operations.A10,
      { ...query, address_hash: address },
      options,
    );
  }
}

/** Questions about one transaction (X1 to X3). */
class Transactions {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Whether contract execution went well (X1): "1" success, "0" error; null where the service does not know.
   *
   * @example
   * const failed = (await explorer.transactions.status(hash)) === "0";
   */
  status(hash: Hash, options?: RequestOptions): AnswerPromise<Status | null> {
    return ask(
      this.#call,
      operations.X1,
      { transaction_hash: hash },
      options,
      ({ data }) => data.status,
    );
  }

  /**
   * The status of the receipt (X2): "1" success, "0" error; null for transactions before the Byzantium fork.
   *
   * @example
   * const status = await explorer.transactions.receiptStatus(hash); // "1"
   */
  receiptStatus(hash: Hash, options?: RequestOptions): AnswerPromise<Status | null> {
    return ask(
      this.#call,
      operations.X2,
      { transaction_hash: hash },
      options,
      ({ data }) => data.status,
    );
  }

  /**
   * The internal transactions of a transaction (X3).
   *
   * @example
   * for await (const { trace_type, receiver, value } of explorer.transactions.internalTransactions(hash))
   *   console.log(trace_type, receiver, value);
   */
  internalTransactions(
    hash: Hash,
    query: TransactionInternalTransactionsQuery = {},
    options: RequestOptions = {},
  ): PagedRequest<InternalTransaction> {
    return new PagedRequest(
      this.#call,
      operations.X3,
      { ...query, transaction_hash: hash },
      options,
    );
  }
}

/** Questions about contracts, and their verification (C1 to C3). */
class Contracts {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * The ABI of a verified contract (C1), as viem takes it. A {@link NotVerifiedError} if the contract is not verified.
   *
   * @example
   * const abi = await explorer.contracts.abi(contract);
   * const { eventName, args } = decodeEventLog({ abi, data: log.data, topics });
   */
  abi(contract: Address, options?: RequestOptions): AnswerPromise<Abi> {
    return ask(this.#call, operations.C1, { contract_hash: contract }, options, ({ data }) =>
      toAbi(data),
    );
  }

  /**
   * Source, ABI and compiler settings of a verified contract (C2). A {@link NotVerifiedError} if the contract is not verified.
   *
   * @example
   * const { contract_source, compiler } = await explorer.contracts.code(contract);
   */
  code(contract: Address, options?: RequestOptions): AnswerPromise<VerifiedContract> {
    return ask(this.#call, operations.C2, { contract_hash: contract }, options, ({ data }) => data);
  }

  /**
   * Submits the source of a contract for verification (C3) and answers "1" once it is verified; otherwise a {@link VerificationError}
   * whose `reason` says what differs. It is sent again only if surely nothing was sent before.
   *
   * @example
   * await explorer.contracts.verify(contract, {
   *   contract_name: "Token",
   *   compiler: "v0.8.20+commit.a1b79de6",
   *   runs_optimizer: 200,
   *   optimization_enabled: true,
   *   contract_source: await readFile("Token.sol", "utf8"),
   * });
   */
  verify(
    contract: Address,
    submission: VerificationSubmission,
    options?: RequestOptions,
  ): AnswerPromise<Status> {
    const answer = this.#call(operations.C3, submissionInput(contract, submission), options);
    return promised(
      answer.then(({ data: { data }, response }) => {
        if (data.trim() === "1") return { data, response };
        throw new VerificationError("The source was not accepted", {
          operation: "C3",
          attempts: 1,
          httpStatus: response.status,
          lines: [`Results: ${JSON.stringify(data.slice(0, 100))}`],
        });
      }),
    );
  }
}

/** Questions about blocks (B1). */
class Blocks {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Who mined a block and what for (B1): `reward` is fees and issuance together, all in the smallest unit.
   *
   * @example
   * const { miner, reward, fees } = await explorer.blocks.get(17_000_000n);
   */
  get(number: bigint | number, options?: RequestOptions): AnswerPromise<BlockReward> {
    return ask(this.#call, operations.B1, { block_number: number }, options, ({ data }) => data);
  }
}

/** Questions about event logs (L1). */
class EventLogs {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * The event logs of a contract, by block range and topics (L1).
   *
   * @example
   * for await (const log of explorer.eventLogs.list({ address: token, topic_0: transferTopic, startBlock: 100 }))
   *   console.log(log.transaction_hash, log.data);
   */
  list(query: EventLogsQuery, options: RequestOptions = {}): PagedRequest<EventLog> {
    return new PagedRequest(this.#call, operations.L1, query, options);
  }
}

type OperationName = Operations[keyof Operations]["name"];

/** A method for every operation of the contract, where its name says. */
type Methods = {
  readonly [Resource in OperationName extends `${infer R}.${string}` ? R : never]: {
    readonly [Name in OperationName as Name extends `${Resource}.${infer Action}`
      ? Action
      : never]: (...args: never[]) => unknown;
  };
};

/**
 * A client of one MRC block-explorer service.
 *
 * Every method checks its parameters before anything is sent, waits its turn, retries what may pass, checks the answer and gives
 * decoded values: `bigint` for amounts and block numbers, `Date` for times. Every result has `.withResponse()`.
 *
 * @example
 * const explorer = new ExplorerClient({ baseUrl: "https://explorer.example.com", apiKey: process.env.EXPLORER_API_KEY });
 * const balance = await explorer.accounts.balance("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266");
 */
export class ExplorerClient implements Methods {
  readonly tokens: Tokens;
  readonly accounts: Accounts;
  readonly transactions: Transactions;
  readonly contracts: Contracts;
  readonly blocks: Blocks;
  readonly eventLogs: EventLogs;
  readonly #call: Call;
  readonly #baseUrl: string;

  constructor(options: ExplorerClientOptions = {}) {
    const settings = resolve(options);
    const call = createTransport(settings);
    this.#call = call;
    this.#baseUrl = settings.baseUrl.href;
    this.tokens = new Tokens(call);
    this.accounts = new Accounts(call);
    this.transactions = new Transactions(call);
    this.contracts = new Contracts(call);
    this.blocks = new Blocks(call);
    this.eventLogs = new EventLogs(call);
  }

  /**
   * Asks any operation of the contract and gives its results as they stand in the answer, decoded: the way to what the methods
   * leave out.
   *
   * @example
   * import { operations } from "mrc-explorer";
   * const { count, data } = await explorer.request(operations.A2, { address_hash: address, limit: 1 });
   */
  request<Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
    options?: RequestOptions,
  ): AnswerPromise<OperationResults<Op>> {
    return promised(this.#call(operation, input, options));
  }

  /** What may be printed of a client: not its key. */
  toJSON(): { readonly baseUrl: string } {
    return { baseUrl: this.#baseUrl };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `ExplorerClient { baseUrl: ${JSON.stringify(this.#baseUrl)} }`;
  }
}

// The methods on accounts: A1 to A10.

import { operations } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import { leavable } from "../http/abort.ts";
import type { Call, RequestOptions, ResultPromise } from "../http/call.ts";
import type { Validation } from "../http/invalid.ts";
import { toResultPromise } from "../http/result-promise.ts";
import {
  type BalanceLoader,
  BalanceRequest,
  type BatchOptions,
  balanceLoader,
} from "../lists/balance-request.ts";
import {
  type PagedRequest,
  paged,
  type TokenHolding,
  withSubject,
} from "../lists/paged-request.ts";
import type { AccountEvent, AccountWatch } from "../lists/watch.ts";
import type { MinedBlock } from "../models/block.ts";
import type { AccountTokens, TokenEntry } from "../models/holdings.ts";
import type { InternalTransaction } from "../models/internal-transaction.ts";
import type { CollectionToken } from "../models/inventory.ts";
import type { Address } from "../models/primitives.ts";
import type { Mrc20Transfer, Mrc721Transfer } from "../models/transfer.ts";
import type { ListRequest, TransactionsRequest } from "./pages.ts";
import type {
  InternalTransactionsQuery,
  InventoryQuery,
  MinedBlocksQuery,
  PageQuery,
  TokensQuery,
  TransactionsQuery,
  TransfersQuery,
} from "./queries.ts";

/**
 * Accounts: balances, transactions, transfers, tokens (A1 to A10). An unknown address is not an
 * error: its balance is 0, and its lists are empty. A method for a list returns a {@link
 * PagedRequest}: await it for a page, or iterate it for every record.
 */
export class Accounts {
  readonly #call: Call;
  readonly #validation: Validation;
  readonly #balance: BalanceLoader;

  constructor(call: Call, validation: Validation) {
    this.#call = call;
    this.#validation = validation;
    this.#balance = balanceLoader(call, validation);
  }

  /**
   * Returns the native-coin balance of an account, in the smallest unit (A1). Calls in the same
   * tick share requests of up to 20 addresses.
   *
   * @example
   * const balance = await explorer.accounts.balance(address);
   * console.log(formatEther(balance));
   */
  balance(address: Address, options?: RequestOptions): ResultPromise<bigint> {
    return toResultPromise(this.#balance(address, options));
  }

  /**
   * Returns the native-coin balances of any number of accounts (A1), in batches of 20. Await the
   * request for all balances in the order of the addresses, or iterate it to get each as it
   * arrives. If some fail, a {@link BatchError} holds the others.
   *
   * @example
   * for await (const { address, balance } of explorer.accounts.balances(addresses))
   *   console.log(address, formatEther(balance));
   */
  balances(
    addresses: Iterable<Address> | AsyncIterable<Address>,
    options?: BatchOptions,
  ): BalanceRequest {
    return new BalanceRequest(this.#call, addresses, options, this.#validation);
  }

  /**
   * Lists the normal transactions of an account (A2): full records or, with `simple: true`, short
   * records with the fee (`tx_fee`). `condition` selects by the role of the account; `input: true`
   * adds the call data. Values, fees and prices are in the native coin's smallest unit.
   * `receiver` is null for contract creations; `max_fee_per_gas` and `max_priority_fee_per_gas`
   * are null for transactions with a single gas price.
   *
   * @example
   * for await (const { transaction_hash, value } of explorer.accounts.transactions(address))
   *   console.log(transaction_hash, formatEther(value));
   */
  transactions<Simple extends boolean = false>(
    address: Address,
    query?: TransactionsQuery<Simple>,
    options?: RequestOptions,
  ): TransactionsRequest<Simple> {
    const input = withSubject(query, { address_hash: address });
    // The type of the operation does not depend on `simple`.
    return paged(this.#call, operations.A2, input, options) as TransactionsRequest<Simple>;
  }

  /**
   * Lists the internal transactions of an account (A3). `value` is in the native coin's smallest
   * unit, `trace_address` is the path in the call tree. `receiver` may be null.
   * `contract_address` is null unless the call creates a contract, `message` unless it fails.
   *
   * @example
   * const { data } = await explorer.accounts.internalTransactions(address, { startBlock: 50n });
   * const failed = data.filter(({ status }) => status === "0");
   */
  internalTransactions(
    address: Address,
    query: InternalTransactionsQuery = {},
    options?: RequestOptions,
  ): ListRequest<InternalTransaction> {
    return paged(this.#call, operations.A3, withSubject(query, { address_hash: address }), options);
  }

  /**
   * Lists the MRC20 transfers from and to an account (A4). `value` is in the token's smallest unit.
   * Mints have the zero address as sender. The token's name, symbol and decimals may be null.
   *
   * @example
   * for await (const { token_symbol, value, token_decimals } of explorer.accounts.mrc20Transfers(address))
   *   console.log(token_symbol, formatUnits(value, token_decimals ?? 0));
   */
  mrc20Transfers(
    address: Address,
    query: TransfersQuery = {},
    options?: RequestOptions,
  ): ListRequest<Mrc20Transfer> {
    return paged(this.#call, operations.A4, withSubject(query, { address_hash: address }), options);
  }

  /**
   * Lists the MRC721 transfers from and to an account (A5). They have neither a `value` nor
   * a token id. The token's name, symbol and decimals may be null.
   *
   * @example
   * const { data, count } = await explorer.accounts.mrc721Transfers(address, { limit: 10 });
   */
  mrc721Transfers(
    address: Address,
    query: TransfersQuery = {},
    options?: RequestOptions,
  ): ListRequest<Mrc721Transfer> {
    return paged(this.#call, operations.A5, withSubject(query, { address_hash: address }), options);
  }

  /**
   * Lists all tokens that an account holds, with balances (A6): of MRC20 tokens in their smallest
   * unit, of MRC721 collections as the number of tokens. `standard` tells the two apart. MRC20
   * entries have name, symbol and decimals, which may be null. The explorer sends no names of
   * MRC721 collections here; `names: true` adds them from {@link mrc721Tokens}. On a page,
   * `mrc_20` and `mrc_721` are the two lists as received.
   *
   * @example
   * for await (const token of explorer.accounts.tokens(address, { names: true }))
   *   console.log(token.standard, token.token_address, token.balance);
   */
  tokens(
    address: Address,
    query: TokensQuery = {},
    options?: RequestOptions,
  ): PagedRequest<TokenHolding, AccountTokens> {
    const { names, ...page }: TokensQuery = Object(query);
    const isChoice = [true, false, null, undefined].includes(names);
    // The check of the parameters reports any other value.
    const input = withSubject(isChoice && query === Object(query) ? page : query, {
      address_hash: address,
    });
    const extend = async () => {
      const { withNames } = await loadCode(() => import("./token-info.ts"));
      const listNames = () => this.mrc721Tokens(address, {}, options).collect();
      return { call: withNames(this.#call, listNames) };
    };
    return paged(this.#call, operations.A6, input, options, names === true ? extend : undefined);
  }

  /**
   * Lists the MRC20 tokens that an account holds (A7), with address, name and symbol. Name and
   * symbol may be null.
   *
   * @example
   * const symbols = (await explorer.accounts.mrc20Tokens(address)).data.map((token) => token.token_symbol);
   */
  mrc20Tokens(
    address: Address,
    query: PageQuery = {},
    options?: RequestOptions,
  ): ListRequest<TokenEntry> {
    return paged(this.#call, operations.A7, withSubject(query, { address_hash: address }), options);
  }

  /**
   * Lists the MRC721 collections from which an account holds tokens (A8), with address, name and
   * symbol. Name and symbol may be null.
   *
   * @example
   * for await (const { token_name } of explorer.accounts.mrc721Tokens(address)) console.log(token_name);
   */
  mrc721Tokens(
    address: Address,
    query: PageQuery = {},
    options?: RequestOptions,
  ): ListRequest<TokenEntry> {
    return paged(this.#call, operations.A8, withSubject(query, { address_hash: address }), options);
  }

  /**
   * Lists the tokens of an MRC721 collection (A9). `token_id` is a `bigint` of up to 256 bits;
   * `token_uri`, name and symbol may be empty or null.
   *
   * @example
   * for await (const { token_id, token_uri } of explorer.accounts.inventory(collection))
   *   console.log(token_id, token_uri);
   */
  inventory(
    contract: Address,
    query: InventoryQuery = {},
    options?: RequestOptions,
  ): ListRequest<CollectionToken> {
    const input = withSubject(query, { contract_address: contract });
    return paged(this.#call, operations.A9, input, options);
  }

  /**
   * Lists the blocks that a miner created (A10). `reward` is the sum of `fees` and `mining_reward`,
   * in the native coin's smallest unit. These two, gas and the number of transactions may be null.
   *
   * @example
   * for await (const { block_number, reward } of explorer.accounts.minedBlocks(miner))
   *   console.log(block_number, reward);
   */
  minedBlocks(
    address: Address,
    query: MinedBlocksQuery = {},
    options?: RequestOptions,
  ): ListRequest<MinedBlock> {
    const input = withSubject(query, { address_hash: address });
    return paged(this.#call, operations.A10, input, options);
  }

  /**
   * Watches the transactions and transfers of an account (A2, A4, A5; A3 on request): yields each
   * new record once, in chain order. The watch reports errors and reorganisations, and continues
   * until the signal aborts. It throws only errors that a retry cannot fix: {@link ParameterError},
   * {@link AuthenticationError}, {@link InvalidRequestError}, {@link NotFoundError} and {@link
   * RedirectError}; without `onError`, also an error of the first poll. Leaving the loop ends the
   * watch, and so does the end of a block that declares it with `await using`.
   *
   * @example
   * for await (const { kind, record } of explorer.accounts.watch(address, { from: 80n, signal }))
   *   console.log(kind, record.transaction_hash);
   */
  watch<Kind extends AccountEvent["kind"] = "transaction" | "mrc20Transfer" | "mrc721Transfer">(
    address: Address,
    query?: AccountWatch<Kind>,
    options?: RequestOptions,
  ): AsyncGenerator<AccountEvent<Kind>, void, undefined>;
  watch(
    address: Address,
    query?: AccountWatch,
    options?: RequestOptions,
  ): AsyncGenerator<AccountEvent, void, undefined> {
    const call = this.#call;
    return leavable(async function* (left) {
      // Loaded on first use, because many programs never watch.
      const { watchAccount } = await loadCode(() => import("../lists/watch.ts"));
      yield* watchAccount((...list) => paged(call, ...list), address, query, options, call, left);
    });
  }
}

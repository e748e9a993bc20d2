// The questions about accounts: A1 to A10.

import { type Operations, operations } from "../contract/index.ts";
import type { AnswerPromise, Call, RequestOptions } from "../http/call.ts";
import { toResponsePromise } from "../http/response-promise.ts";
import {
  type BalanceLoader,
  BalanceRequest,
  type BatchOptions,
  balanceLoader,
} from "../lists/balance-request.ts";
import { type PagedRequest, paged } from "../lists/paged-request.ts";
import type { WatchOptions } from "../lists/watch.ts";
import type { InternalTransaction } from "../models/internal-transaction.ts";
import type { Decoded } from "../models/model.ts";
import type { Address } from "../models/primitives.ts";
import type { SimpleTransaction, Transaction } from "../models/transaction.ts";
import type { Mrc20Transfer, Mrc721Transfer } from "../models/transfer.ts";
import type { List, Query } from "./list.ts";

/** Which transactions of an account (A2), and how to read the list. */
export type TransactionsQuery = Query<"A2", "address_hash">;
/** Which internal transactions of an account (A3), and how to read the list. */
export type InternalTransactionsQuery = Query<"A3", "address_hash">;
/** Which transfers of an account (A4, A5), and how to read the list. */
export type TransfersQuery = Query<"A4", "address_hash">;
/** Which part of a list without a range of blocks (A6, A7, A8, A10), and how to read it. */
export type PageQuery = Query<"A7", "address_hash">;
/** Which tokens of a collection (A9), and how to read the list. */
export type InventoryQuery = Query<"A9", "contract_address">;

/** Something new an account took part in. */
export type AccountEvent =
  | { readonly kind: "transaction"; readonly record: Transaction }
  | { readonly kind: "internalTransaction"; readonly record: InternalTransaction }
  | { readonly kind: "mrc20Transfer"; readonly record: Mrc20Transfer }
  | { readonly kind: "mrc721Transfer"; readonly record: Mrc721Transfer };

/** What to watch of an account, and how. */
export interface AccountWatch extends WatchOptions<AccountEvent> {
  /** What to ask for each time. @default ["transaction", "mrc20Transfer", "mrc721Transfer"] */
  readonly kinds?: readonly AccountEvent["kind"][] | undefined;
}

/** The results of A2 in either form. */
type FullPage = Decoded<Operations["A2"]["results"]>;
type SimplePage = Decoded<NonNullable<Operations["A2"]["simpleResults"]>>;

/**
 * Questions about accounts (A1 to A10). An address nothing is known of is no error: its balance is 0 and its lists are empty.
 * Lists are {@link PagedRequest}s: awaited they give a page, iterated every record.
 */
export class Accounts {
  readonly #call: Call;
  readonly #balance: BalanceLoader;

  constructor(call: Call) {
    this.#call = call;
    this.#balance = balanceLoader(call);
  }

  /**
   * The native-coin balance of an account, in the smallest unit (A1). Calls of the same tick share requests of 20 addresses.
   *
   * @example
   * const balance = await explorer.accounts.balance(address);
   * console.log(formatEther(balance));
   */
  balance(address: Address, options?: RequestOptions): AnswerPromise<bigint> {
    return toResponsePromise(this.#balance(address, options));
  }

  /**
   * The native-coin balances of any number of accounts (A1), in batches of 20: awaited, all of them in the order of the request;
   * iterated, one after the other as they come. A {@link BatchError} holds what came if something did not.
   *
   * @example
   * for await (const { address, balance } of explorer.accounts.balances(addresses)) console.log(address, formatEther(balance));
   */
  balances(
    addresses: Iterable<Address> | AsyncIterable<Address>,
    options?: BatchOptions,
  ): BalanceRequest {
    return new BalanceRequest(this.#call, addresses, options);
  }

  /**
   * The normal transactions an account takes part in (A2): full records, or with `simple: true` short ones with the fee (`tx_fee`).
   * `condition` picks the role the account plays; `input: true` brings the call data. Values, fees and prices are in the native coin's
   * smallest unit; `receiver` is null for a creation, prices for a fee the transaction does not offer.
   *
   * @example
   * for await (const { transaction_hash, value } of explorer.accounts.transactions(address))
   *   console.log(transaction_hash, formatEther(value));
   */
  transactions(
    address: Address,
    query: TransactionsQuery & { readonly simple: true },
    options?: RequestOptions,
  ): PagedRequest<SimpleTransaction, SimplePage>;
  transactions(
    address: Address,
    query?: TransactionsQuery & { readonly simple?: false | undefined },
    options?: RequestOptions,
  ): PagedRequest<Transaction, FullPage>;
  transactions(address: Address, query?: TransactionsQuery, options?: RequestOptions): List<"A2">;
  transactions(
    address: Address,
    query: TransactionsQuery = {},
    options?: RequestOptions,
  ): List<"A2"> {
    return paged(this.#call, operations.A2, { ...query, address_hash: address }, options);
  }

  /**
   * The internal transactions an account takes part in (A3): `value` in the native coin's smallest unit, `trace_address` as the path in the
   * call tree. `receiver` may be null, `contract_address` is for what created nothing, `message` where nothing went wrong.
   *
   * @example
   * const { data } = await explorer.accounts.internalTransactions(address, { startBlock: 50n });
   * const failed = data.filter(({ status }) => status === "0");
   */
  internalTransactions(
    address: Address,
    query: InternalTransactionsQuery = {},
    options?: RequestOptions,
  ): List<"A3"> {
    return paged(this.#call, operations.A3, { ...query, address_hash: address }, options);
  }

  /**
   * The MRC20 transfers from and to an account (A4); `value` in the token's smallest unit, the zero address as sender where supply was made.
   * The token's name, symbol and decimals may be null.
   *
   * @example
   * for await (const { token_symbol, value, token_decimals } of explorer.accounts.mrc20Transfers(address))
   *   console.log(token_symbol, formatUnits(value, token_decimals ?? 0));
   */
  mrc20Transfers(
    address: Address,
    query: TransfersQuery = {},
    options?: RequestOptions,
  ): List<"A4"> {
    return paged(this.#call, operations.A4, { ...query, address_hash: address }, options);
  }

  /**
   * The MRC721 transfers from and to an account (A5). As specified they have no `value` and do not say which token moved; name, symbol and
   * decimals may be null.
   *
   * @example
   * const { data, count } = await explorer.accounts.mrc721Transfers(address, { limit: 10 });
   */
  mrc721Transfers(
    address: Address,
    query: TransfersQuery = {},
    options?: RequestOptions,
  ): List<"A5"> {
    return paged(this.#call, operations.A5, { ...query, address_hash: address }, options);
  }

  /**
   * All tokens an account holds, with balances (A6): MRC20 in the tokens' smallest units, MRC721 in numbers of tokens. Entries of both
   * lists are told apart by `standard`, and those of MRC20 have name, symbol and decimals, which may be null; `mrc_20` and `mrc_721` of a
   * page are the two lists as they came.
   *
   * @example
   * for await (const token of explorer.accounts.tokens(address))
   *   console.log(token.standard, token.token_address, token.balance);
   */
  tokens(address: Address, query: PageQuery = {}, options?: RequestOptions): List<"A6"> {
    return paged(this.#call, operations.A6, { ...query, address_hash: address }, options);
  }

  /**
   * The MRC20 tokens an account holds (A7): address, name and symbol, of which the last two may be null.
   *
   * @example
   * const symbols = (await explorer.accounts.mrc20Tokens(address)).data.map((token) => token.token_symbol);
   */
  mrc20Tokens(address: Address, query: PageQuery = {}, options?: RequestOptions): List<"A7"> {
    return paged(this.#call, operations.A7, { ...query, address_hash: address }, options);
  }

  /**
   * The MRC721 collections an account holds tokens of (A8): address, name and symbol, of which the last two may be null.
   *
   * @example
   * for await (const { token_name } of explorer.accounts.mrc721Tokens(address)) console.log(token_name);
   */
  mrc721Tokens(address: Address, query: PageQuery = {}, options?: RequestOptions): List<"A8"> {
    return paged(this.#call, operations.A8, { ...query, address_hash: address }, options);
  }

  /**
   * The tokens of an MRC721 collection (A9): `token_id` a `bigint` of up to 256 bits; `token_uri`, name and symbol may be empty or null.
   *
   * @example
   * for await (const { token_id, token_uri } of explorer.accounts.inventory(collection)) console.log(token_id, token_uri);
   */
  inventory(contract: Address, query: InventoryQuery = {}, options?: RequestOptions): List<"A9"> {
    return paged(this.#call, operations.A9, { ...query, contract_address: contract }, options);
  }

  /**
   * The blocks a miner created (A10): `reward` is `fees` and `mining_reward` together, in the native coin's smallest unit; the two parts,
   * gas and the number of transactions may be null.
   *
   * @example
   * for await (const { block_number, reward } of explorer.accounts.minedBlocks(miner)) console.log(block_number, reward);
   */
  minedBlocks(address: Address, query: PageQuery = {}, options?: RequestOptions): List<"A10"> {
    return paged(this.#call, operations.A10, { ...query, address_hash: address }, options);
  }

  /**
   * The transactions and transfers of an account that are new (A2, A4, A5; A3 on request), each once, as they come, in the order of
   * their blocks. It goes on through errors and reorganisations, which it reports, and ends when the signal does. It throws only what
   * trying again will not mend: a {@link ParameterError}, {@link AuthenticationError}, {@link InvalidRequestError}, {@link NotFoundError} or
   * {@link RedirectError}.
   *
   * @example
   * for await (const { kind, record } of explorer.accounts.watch(address, { from: 80n, pollInterval: 5_000, signal }))
   *   console.log(kind, record.transaction_hash);
   */
  async *watch(
    address: Address,
    query: AccountWatch = {},
    options?: RequestOptions,
  ): AsyncGenerator<AccountEvent, void, undefined> {
    // Loaded when something is first watched, as many programs watch nothing.
    const { watch, watchable } = await import("../lists/watch.ts");
    const { kinds = ["transaction", "mrc20Transfer", "mrc721Transfer"], ...how } = query;
    const call = this.#call;
    const input = { address_hash: address };
    const lists = {
      transaction: () =>
        watchable(call, operations.A2, input, options, (record) => ({
          kind: "transaction" as const,
          // The full form, as `simple` is not asked for.
          record: record as Transaction,
        })),
      internalTransaction: () =>
        watchable(call, operations.A3, input, options, (record) => ({
          kind: "internalTransaction" as const,
          record,
        })),
      mrc20Transfer: () =>
        watchable(call, operations.A4, input, options, (record) => ({
          kind: "mrc20Transfer" as const,
          record,
        })),
      mrc721Transfer: () =>
        watchable(call, operations.A5, input, options, (record) => ({
          kind: "mrc721Transfer" as const,
          record,
        })),
    };
    const watched = [...new Set(kinds)].map((kind) => lists[kind]());
    yield* watch<AccountEvent>(watched, { ...how, signal: query.signal ?? options?.signal });
  }
}

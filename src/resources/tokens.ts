// The methods on tokens: T1 to T4.

import { operations } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import type { Call, RequestOptions, ResultPromise } from "../http/call.ts";
import { pickResult, toResultPromise } from "../http/result-promise.ts";
import { paged } from "../lists/paged-request.ts";
import type { HolderInventory } from "../models/inventory.ts";
import type { Address } from "../models/primitives.ts";
import { paddedTopic, TRANSFER } from "./display.ts";
import type { ListRequest } from "./pages.ts";
import type { TokenTransfersQuery } from "./queries.ts";
import type { TokenInfo } from "./token-info.ts";
import type { TokenTransfer } from "./token-transfers.ts";

/**
 * Tokens: supply, balances, holders (T1 to T4). The methods reject with a {@link NotFoundError} if
 * the address is not a token.
 */
export class Tokens {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns the total supply of an MRC20 token, in its smallest unit (T1); null if the service
   * does not know it.
   *
   * @example
   * const supply = await explorer.tokens.totalSupply("0x5fbdb2315678afecb367f032d93f642f64180aa3");
   * supply; // 1000035788480195667778169n
   */
  totalSupply(contract: Address, options?: RequestOptions): ResultPromise<bigint | null> {
    const results = this.#call(operations.T1, { contract_hash: contract }, options);
    return pickResult(results, ({ data }) => data.total_supply);
  }

  /**
   * Returns how much of an MRC20 token an account holds, in the token's smallest unit (T2).
   *
   * @example
   * const balance = await explorer.tokens.balance(token, holder);
   * console.log(formatUnits(balance, 18));
   */
  balance(contract: Address, holder: Address, options?: RequestOptions): ResultPromise<bigint> {
    const results = this.#call(
      operations.T2,
      { contract_hash: contract, address_hash: holder },
      options,
    );
    return pickResult(results, ({ data }) => data.balance);
  }

  /**
   * Returns all MRC721 tokens of a holder in one collection (T3), without paging. Each token in
   * `data` has its `token_id` (a `bigint` of up to 256 bits) and `token_uri` (may be empty or
   * null). The collection's `token_name` and `token_symbol` may be null. If the explorer returns
   * fewer tokens than its `count`, the `logger` warns.
   *
   * @example
   * const { data, token_name } = await explorer.tokens.inventory(collection, holder);
   * for (const { token_id, token_uri } of data) console.log(token_name, token_id, token_uri);
   */
  inventory(
    contract: Address,
    holder: Address,
    options?: RequestOptions,
  ): ResultPromise<HolderInventory> {
    const results = this.#call(
      operations.T3,
      { contract_hash: contract, address_hash: holder },
      options,
    );
    return pickResult(results, (inventory) => {
      const { count, data } = inventory;
      if (Number(count) > data.length)
        this.#call.log?.(
          "warn",
          `tokens.inventory (T3) returned ${data.length} of the ${count} tokens that the server counted, and has no pages for the rest`,
        );
      return inventory;
    });
  }

  /**
   * Lists all transfers of an MRC20 or MRC721 token from its event logs (L1). A transfer has a
   * `value` in the token's smallest unit, or a `token_id`. `from` and `to` select by holder; do not
   * use them for early contracts that do not index the holders. A log has no block number, and no
   * name or decimals of the token.
   *
   * @example
   * for await (const { sender, token_id } of explorer.tokens.transfers(collection, { to: holder }))
   *   console.log(sender, token_id);
   */
  transfers(
    token: Address,
    query: TokenTransfersQuery = {},
    options?: RequestOptions,
  ): ListRequest<TokenTransfer> {
    const { from, to, ...rest }: TokenTransfersQuery = Object(query);
    const topics = { topic_0: TRANSFER, topic_1: paddedTopic(from), topic_2: paddedTopic(to) };
    const input = { ...rest, ...topics, address: token };
    const load = async () => {
      const code = await loadCode(() => import("./token-transfers.ts"));
      code.checkAddresses({ token, from, to });
      return { operation: code.tokenTransfers };
    };
    return paged(this.#call, operations.L1, input, options, load) as ListRequest<TokenTransfer>;
  }

  /**
   * Returns the name, symbol, decimals and standard of a token. A field is null if no record states
   * it. No operation returns them, so the client reads records: the newest transfer in the token's
   * event logs (L1), the transfers of its sender or receiver (A4, A5) and, if these lack the name,
   * the tokens of that account (A7, A8). This takes at most 3 requests, and the client caches the
   * result.
   *
   * @example
   * const { symbol, decimals } = await explorer.tokens.info(token);
   * console.log(formatTokenAmount(await explorer.tokens.balance(token, holder), decimals), symbol);
   */
  info(token: Address, options?: RequestOptions): ResultPromise<TokenInfo> {
    const find = async () => {
      const { tokenInfo } = await import("./token-info.ts");
      return tokenInfo(this.#call, token, options);
    };
    return toResultPromise(find());
  }

  /**
   * Returns the number of accounts that hold a token (T4); null if the service does not know it.
   *
   * @example
   * const holders = await explorer.tokens.holderCount(token); // 68
   */
  holderCount(contract: Address, options?: RequestOptions): ResultPromise<number | null> {
    const results = this.#call(operations.T4, { contract_hash: contract }, options);
    return pickResult(results, ({ data }) => data.holder_count);
  }
}

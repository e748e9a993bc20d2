// The questions about tokens: T1 to T4.
import { operations } from "../contract/index.ts";
import type { HolderInventory } from "../models/inventory.ts";
import type { Address } from "../models/primitives.ts";
import type { AnswerPromise, Call, RequestOptions } from "../transport/call.ts";
import { ask } from "./ask.ts";

/** Questions about tokens (T1 to T4). */
export class Tokens {
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

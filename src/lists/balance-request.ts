// Balances of any number of addresses: a request that can be awaited for all of them or iterated as they come.

import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import { WithResponse } from "../http/response-promise.ts";
import type { AccountBalance } from "../models/account-balance.ts";
import type { Address } from "../models/primitives.ts";

/** Options of a request for many balances. */
export interface BatchOptions extends RequestOptions {
  /** The most batches of 20 in flight at a time. Default 4. */
  readonly concurrency?: number | undefined;
}

/** Balances with the HTTP responses they came in. */
export interface BatchAnswer {
  readonly data: AccountBalance[];
  /** The response to the last batch; undefined if there was nothing to ask. */
  readonly response: Response | undefined;
  /** The responses to all batches. */
  readonly responses: readonly Response[];
}

/**
 * The balances of any number of addresses: await it for all of them, or iterate it to have them as they come. Entries
 * stand in the order of the request, duplicates included, addresses in the caller's spelling. It rejects with a {@link ParameterError} if
 * one is no address, and with a {@link BatchError}, which has the balances that came, if some did not.
 *
 * @example
 * const balances = await explorer.accounts.balances(addresses);
 * for await (const { address, balance } of explorer.accounts.balances(addresses)) console.log(address, balance);
 */
export class BalanceRequest extends WithResponse<AccountBalance[], BatchAnswer> {
  readonly [Symbol.toStringTag] = "BalanceRequest";
  readonly #call: Call;
  readonly #addresses: Iterable<Address> | AsyncIterable<Address>;
  readonly #options: BatchOptions;
  #answer: Promise<BatchAnswer> | undefined;

  constructor(
    call: Call,
    addresses: Iterable<Address> | AsyncIterable<Address>,
    options: BatchOptions = {},
  ) {
    super();
    this.#call = call;
    this.#addresses = addresses;
    this.#options = options;
  }

  /** All balances, with the HTTP responses they came in. */
  withResponse(): Promise<BatchAnswer> {
    this.#answer ??= this.#collect();
    return this.#answer;
  }

  async #collect(): Promise<BatchAnswer> {
    const data: AccountBalance[] = [];
    const responses: Response[] = [];
    for await (const balance of this.#stream((response) => responses.push(response)))
      data.push(balance);
    return { data, response: responses.at(-1), responses };
  }

  /** Every balance as soon as it and those before it are known. Leaving the loop aborts what is in flight. */
  [Symbol.asyncIterator](): AsyncGenerator<AccountBalance, void, undefined> {
    return this.#stream(() => {});
  }

  async *#stream(
    onResponse: (response: Response) => void,
  ): AsyncGenerator<AccountBalance, void, undefined> {
    const { streamBalances } = await batches();
    yield* streamBalances(this.#call, this.#addresses, this.#options, onResponse);
  }
}

/** Asks for one balance; calls of the same tick share batches. */
export type BalanceLoader = (
  address: Address,
  options?: RequestOptions,
) => Promise<ResponseWithData<bigint>>;

/** What asks for single balances on behalf of one client. */
export function balanceLoader(call: Call): BalanceLoader {
  let loader: Promise<BalanceLoader> | undefined;
  return async (address, options) => {
    loader ??= batches().then(({ createLoader }) => createLoader(call));
    return (await loader)(address, options);
  };
}

/** What asks in batches is loaded when the first balance is asked for. */
const batches = () => import("./balance-batches.ts");

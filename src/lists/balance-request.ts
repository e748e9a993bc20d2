// Requests the balances of any number of addresses: await it for all of them, or iterate it as they arrive.
import type { Call } from "../http/call.ts";
import type { Validation } from "../http/invalid.ts";
import { WithResponse } from "../http/result-promise.ts";
import type { AccountBalance } from "../models/holdings.ts";
import type { Address } from "../models/primitives.ts";
import type { BalanceLoader, BalanceService, BatchOptions } from "./balance-batches.ts";

/** Balances and their HTTP responses. */
export interface BatchResponse {
  readonly data: AccountBalance[];
  /** The response to the last batch; undefined if there were no addresses. */
  readonly response: Response | undefined;
  /** The responses to all batches. */
  readonly responses: readonly Response[];
}

/**
 * The balances of any number of addresses: await it for all of them, or iterate it as they arrive. Entries have the
 * order and spelling of the addresses you pass, duplicates included. It rejects with a {@link ParameterError} if a value
 * is not an address, and with a {@link BatchError}, which holds the balances that arrived, if others failed.
 *
 * @example
 * const balances = await explorer.accounts.balances(addresses);
 * for await (const { address, balance } of explorer.accounts.balances(addresses)) console.log(address, balance);
 */
export class BalanceRequest extends WithResponse<AccountBalance[], BatchResponse> {
  readonly [Symbol.toStringTag] = "BalanceRequest";
  readonly #service: BalanceService;
  readonly #addresses: Iterable<Address> | AsyncIterable<Address>;
  readonly #options: BatchOptions;
  #response: Promise<BatchResponse> | undefined;

  constructor(
    call: Call,
    addresses: Iterable<Address> | AsyncIterable<Address>,
    options: BatchOptions = {},
    validation: Validation = "strict",
  ) {
    super();
    this.#service = { call, validation };
    this.#addresses = addresses;
    this.#options = options;
  }

  /** All balances, and their HTTP responses. */
  withResponse(): Promise<BatchResponse> {
    this.#response ??= this.#collect();
    return this.#response;
  }

  async #collect(): Promise<BatchResponse> {
    const data: AccountBalance[] = [];
    const responses: Response[] = [];
    for await (const balance of this.#stream((response) => responses.push(response)))
      data.push(balance);
    return { data, response: responses.at(-1), responses };
  }

  /** Each balance, once it and those before it have arrived. Leaving the loop aborts requests in flight. */
  [Symbol.asyncIterator](): AsyncGenerator<AccountBalance, void, undefined> {
    return this.#stream(() => {});
  }

  async *#stream(
    onResponse: (response: Response) => void,
  ): AsyncGenerator<AccountBalance, void, undefined> {
    const { streamBalances } = await load();
    yield* streamBalances(this.#service, this.#addresses, this.#options, onResponse);
  }
}

/** Creates the loader of a client. */
export function balanceLoader(call: Call, validation: Validation = "strict"): BalanceLoader {
  let loader: Promise<BalanceLoader> | undefined;
  return async (address, options) => {
    loader ??= load().then(({ createLoader }) => createLoader({ call, validation }));
    return (await loader)(address, options);
  };
}

/** Loads the code that fetches batches with the first request for a balance. */
const load = () => import("./balance-batches.ts");

export type { BalanceLoader, BatchOptions } from "./balance-batches.ts";

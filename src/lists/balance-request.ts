// Requests balances: calls of the same tick share requests, and long lists are read in batches.

import { operations } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import { ParameterError } from "../errors/index.ts";
import { abortable } from "../http/abort.ts";
import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import { nameCaller } from "../http/caller.ts";
import type { Validation } from "../http/invalid.ts";
import { checkOptions, checkParameters, invalidFor } from "../http/request.ts";
import { WithResponse } from "../http/result-promise.ts";
import type { AccountBalance } from "../models/holdings.ts";
import type { Address } from "../models/primitives.ts";
import {
  type BalanceService,
  type BatchOptions,
  missingBalance,
  type PendingBalance,
  requestBalances,
} from "./balance-service.ts";

/** Fetches one balance; calls of the same tick share requests. */
export type BalanceLoader = (
  address: Address,
  options?: RequestOptions,
) => Promise<ResponseWithData<bigint>>;

/** Microtasks to wait for further calls. Not a timer, because tests replace timers. */
const TICK = 50;

/** Creates the loader of a client. */
export function balanceLoader(call: Call, validation: Validation = "strict"): BalanceLoader {
  const service = { call, validation };
  const pending: PendingBalance[] = [];
  const fetchBalance = async (address: Address, options: RequestOptions) => {
    const { data: balances, response } = await requestBalances(service, [address], options);
    const data = balances.get(address.toLowerCase());
    if (data === undefined) throw missingBalance(address, response);
    return { data, response };
  };
  const flush = async () => {
    for (let turn = 0; turn < TICK; turn++) await null;
    const balances = pending.splice(0);
    const [first] = balances;
    if (first && balances.length === 1)
      return fetchBalance(first.address, { signal: first.signal }).then(
        first.resolve,
        first.reject,
      );
    // Loaded only when needed, because most programs request one balance at a time.
    const code = await loadCode(() => import("./balance-batches.ts"));
    return code.fetchTogether(service, balances);
  };
  const load: BalanceLoader = async (address, options = {}) => {
    checkOptions(operations.A1, options);
    checkParameters(operations.A1, { addresses: [address] });
    const { signal, ...otherOptions } = options;
    signal?.throwIfAborted();
    // A call with options such as `timeout` shares no request, because others may not want them.
    if (Object.values(otherOptions).some((option) => option !== undefined))
      return fetchBalance(address, options);
    const { promise, resolve, reject } = deferred<ResponseWithData<bigint>>();
    const result = signal ? abortable(promise, signal) : promise;
    if (pending.push({ address, signal, result, resolve, reject }) === 1)
      flush().catch((error: unknown) => {
        for (const balance of pending.splice(0)) balance.reject(error);
      });
    return result;
  };
  // A shared request starts outside its callers, so they are added to the stack of its error.
  const loadNamed: BalanceLoader = (...request) =>
    load(...request)
      .catch(nameAddress)
      .catch(nameCaller(loadNamed));
  return loadNamed;
}

/** Names the parameter of the method, because the operation has a list of addresses. */
function nameAddress(error: unknown): never {
  if (!(error instanceof ParameterError) || error.issues[0]?.path[0] !== "addresses") throw error;
  const issues = error.issues.map((issue) => ({ ...issue, path: ["address"] }));
  throw new ParameterError(invalidFor(operations.A1), issues, { operation: operations.A1.id });
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function deferred<Value>() {
  let settle: Parameters<ConstructorParameters<typeof Promise<Value>>[0]> | undefined;
  const promise = new Promise<Value>((...functions) => {
    settle = functions;
  });
  const [resolve, reject] = settle as NonNullable<typeof settle>;
  return { promise, resolve, reject };
}

/** Balances and their HTTP responses. */
export interface BatchResponse {
  /** The balances in the order of the addresses. */
  readonly data: AccountBalance[];
  /** The response to the last batch; undefined if there were no addresses. */
  readonly response: Response | undefined;
  /** The responses to all batches. */
  readonly responses: readonly Response[];
}

/**
 * The balances of any number of addresses: await the request for all of them, or iterate it to get
 * each as it arrives. Entries have the order and spelling of the addresses you pass, duplicates
 * included. Rejects with a {@link ParameterError} if a value is not an address. If some balances
 * fail, rejects with a {@link BatchError} that holds the others.
 *
 * @example
 * const balances = await explorer.accounts.balances(addresses);
 * for await (const { address, balance } of explorer.accounts.balances(addresses))
 *   console.log(address, balance);
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

  /** Yields balances in order, as they arrive. Leaving the loop aborts requests in flight. */
  [Symbol.asyncIterator](): AsyncGenerator<AccountBalance, void, undefined> {
    return this.#stream(() => {});
  }

  async *#stream(
    onResponse: (response: Response) => void,
  ): AsyncGenerator<AccountBalance, void, undefined> {
    const { streamBalances } = await loadCode(() => import("./balance-batches.ts"));
    yield* streamBalances(this.#service, this.#addresses, this.#options, onResponse);
  }
}

export type { BatchOptions } from "./balance-service.ts";

// Fetches balances in batches as large as the service allows; loaded with the first request for a balance.
import * as z from "zod/mini";
import { limits, operations } from "../contract/index.ts";
import { dataOf } from "../contract/operation.ts";
import {
  BatchError,
  InvalidRequestError,
  ParameterError,
  ResponseValidationError,
} from "../errors/index.ts";
import { AbortScope, untilAborted } from "../http/abort.ts";
import { copyOf } from "../http/attempt.ts";
import type { Call, CallOptions, RequestOptions, ResponseWithData } from "../http/call.ts";
import { InFlightRequests } from "../http/dedupe.ts";
import type { Validation } from "../http/invalid.ts";
import { checkOptions, oneOrMore, parseOptions } from "../http/request.ts";
import { checkOwn } from "../models/check.ts";
import { decodeLeniently } from "../models/fast-path.ts";
import { hasChecksum } from "../models/hex.ts";
import { AccountBalance } from "../models/holdings.ts";
import { isObject } from "../models/json.ts";
import { list } from "../models/model.ts";
import { type Address, address as addressSchema } from "../models/primitives.ts";

/** Options of `accounts.balances`. */
export interface BatchOptions extends RequestOptions {
  /** How many batches of 20 addresses to have in flight. @default 4 */
  readonly concurrency?: number | undefined;
}

/** Fetches one balance; calls of the same tick share batches. */
export type BalanceLoader = (
  address: Address,
  options?: RequestOptions,
) => Promise<ResponseWithData<bigint>>;

/** The balance of one address, or why it is missing. */
type Outcome = ResponseWithData<bigint> | { readonly error: unknown };

const concurrencyOption = z.object({ concurrency: oneOrMore });

/** Throws a {@link ParameterError} if this is not a source of addresses. */
function checkSource(addresses: unknown): void {
  const source = Object(addresses);
  const isSource = Symbol.iterator in source || Symbol.asyncIterator in source;
  if (isSource && typeof addresses !== "string") return;
  const issue = { path: ["addresses"], expected: "a list of addresses", received: addresses };
  throw new ParameterError("Invalid addresses", [issue], { operation: operations.A1.id });
}

/** Throws a {@link ParameterError} that names every value that is not an address, or has a wrong checksum. */
function checkAddresses(
  { call }: BalanceService,
  addresses: readonly unknown[],
): void | Promise<void> {
  const issues = addresses.flatMap((one, index) =>
    (checkOwn(addressSchema, one).issues ?? []).map((issue) => ({
      ...issue,
      path: ["addresses", index, ...issue.path],
    })),
  );
  const details = { operation: operations.A1.id };
  if (issues.length) throw new ParameterError("Invalid addresses", issues, details);
  // At once if there is nothing to look up: calls of one tick share a batch.
  if (call.checksum && addresses.some((one) => hasChecksum(`${one}`)))
    return import("../http/checksums.ts").then(({ checkChecksums }) =>
      checkChecksums("Invalid addresses", { addresses }, details),
    );
}

/** How balances are requested. */
export interface BalanceService {
  readonly call: Call;
  readonly validation: Validation;
}

/** A1 without a check of its entries: one by one, so that an invalid entry fails no other. */
const A1_UNCHECKED = { ...operations.A1, results: dataOf(list(z.unknown())) };

/** Requests one batch; the balances by address in lower case, without the entries that have none. */
async function requestBatch(
  { call, validation }: BalanceService,
  addresses: readonly string[],
  options: CallOptions,
): Promise<ResponseWithData<ReadonlyMap<string, bigint>>> {
  const isLenient = validation === "lenient";
  const input = { addresses: addresses as readonly Address[] };
  const { data, response } = await call(isLenient ? operations.A1 : A1_UNCHECKED, input, options);
  const balances = new Map<string, bigint>();
  for (const entry of data.data) {
    if (!isObject(entry)) continue;
    const { address, balance } = decodeLeniently(AccountBalance, entry);
    const isValid = isLenient ? (balance ?? undefined) !== undefined : typeof balance === "bigint";
    if (isValid) balances.set(String(address).toLowerCase(), balance);
  }
  return { data: balances, response };
}

/** Fetches one batch of distinct addresses in lower case. Rejects only if the signal is aborted. */
async function fetchBatch(
  service: BalanceService,
  addresses: readonly string[],
  options: CallOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  try {
    // Matched by address: a response may have another order or case, extra entries or missing ones.
    const { data: balances, response } = await requestBatch(service, addresses, options);
    return new Map(
      addresses.map((one) => {
        const balance = balances.get(one);
        return [
          one,
          balance === undefined
            ? { error: missingBalance(one, response) }
            : { data: balance, response },
        ];
      }),
    );
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof InvalidRequestError) || addresses.length === 1)
      return new Map(addresses.map((one) => [one, { error }]));
    // One address that the service rejects must not fail the others.
    const half = addresses.length >> 1;
    const [left, right] = await Promise.all([
      fetchBatch(service, addresses.slice(0, half), options),
      fetchBatch(service, addresses.slice(half), options),
    ]);
    return new Map([...left, ...right]);
  }
}

const missingBalance = (address: string, response: Response) =>
  new ResponseValidationError(`The response has no balance for ${address}`, {
    operation: operations.A1.id,
    httpStatus: response.status,
  });

/** Yields the balances of addresses in their order, each as soon as it and those before it have arrived. */
export async function* streamBalances(
  service: BalanceService,
  addresses: Iterable<Address> | AsyncIterable<Address>,
  batchOptions: BatchOptions,
  onResponse: (response: Response) => void,
): AsyncGenerator<AccountBalance, void, undefined> {
  checkOptions(operations.A1, batchOptions);
  const { concurrency = 4, signal, ...options } = batchOptions;
  parseOptions("Invalid options for accounts.balances", concurrencyOption, { concurrency });
  checkSource(addresses);
  if (Array.isArray(addresses)) await checkAddresses(service, addresses);
  const scope = new AbortScope().follow(signal);
  const outcomes = new Map<string, Outcome>();
  /** The first spelling of each address. */
  const spelling = new Map<string, Address>();
  const requests: Promise<void>[] = [];
  let batch: string[] = [];
  const waiting: Address[] = [];

  const send = () => {
    const request = fetchBatch(service, batch, {
      ...options,
      signal: scope.signal,
      isPatient: true,
    }).then((fetched) => {
      const responses = new Set<Response>();
      for (const [address, outcome] of fetched) {
        outcomes.set(address, outcome);
        if ("response" in outcome) responses.add(outcome.response);
      }
      responses.forEach(onResponse);
    });
    request.catch(() => {});
    requests.push(request);
    batch = [];
  };
  /** Takes the balances that have arrived from the head of the queue. */
  const ready = () => {
    const pending = waiting.findIndex((address) => !outcomes.has(address.toLowerCase()));
    return balancesOf(waiting.splice(0, pending < 0 ? waiting.length : pending));
  };
  const balancesOf = (addresses: Iterable<Address>) =>
    [...addresses].flatMap((address) => {
      const outcome = outcomes.get(address.toLowerCase());
      return outcome && "data" in outcome ? [{ address, balance: outcome.data }] : [];
    });

  try {
    for await (const address of untilAborted(addresses, scope.signal)) {
      await checkAddresses(service, [address]);
      const key = address.toLowerCase();
      waiting.push(address);
      if (!spelling.has(key)) {
        spelling.set(key, address);
        batch.push(key);
      }
      if (batch.length === limits.addresses) send();
      if (requests.length >= concurrency) await requests.shift();
      yield* ready();
    }
    if (batch.length) send();
    for (const request of requests) {
      await request;
      yield* ready();
    }
    const failed = [...outcomes].flatMap(([key, outcome]) =>
      "error" in outcome ? [[spelling.get(key) as Address, outcome.error] as const] : [],
    );
    if (failed.length) throw new BatchError(balancesOf(spelling.values()), new Map(failed));
  } finally {
    scope.abort(signal?.reason);
    scope.close();
  }
}

/** A balance to fetch with the next batch; `signal` is aborted once no caller waits for it. */
interface PendingBalance {
  readonly address: string;
  readonly signal: AbortSignal;
  readonly settle: (outcome: Outcome) => void;
}

/** So many microtasks are a tick: everywhere alike, and whatever timers a test has replaced. */
const TICK = 50;

/** Runs after the calls of this tick. */
function afterThisTick(run: () => void, left = TICK): void {
  Promise.resolve().then(() => (left > 0 ? afterThisTick(run, left - 1) : run()));
}

/** Fetches the pending balances in batches. A batch is aborted once no caller waits for any of its balances. */
function flush(service: BalanceService, pending: PendingBalance[]): void {
  const all = pending.splice(0);
  for (let start = 0; start < all.length; start += limits.addresses) {
    const batch = all.slice(start, start + limits.addresses);
    const scope = new AbortScope();
    let left = batch.length;
    for (const { signal } of batch) {
      const leave = () => {
        left--;
        if (left === 0) scope.abort(signal.reason);
      };
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave);
    }
    const addresses = batch.map(({ address }) => address);
    fetchBatch(service, addresses, { signal: scope.signal }).then(
      (outcomes) => {
        for (const { address, settle } of batch) settle(outcomes.get(address) as Outcome);
      },
      (error: unknown) => {
        for (const { settle } of batch) settle({ error });
      },
    );
  }
}

function unwrap(outcome: Outcome): ResponseWithData<bigint> {
  if ("error" in outcome) throw outcome.error;
  return withOwnBody(outcome);
}

/** The balance with a response that nobody else reads; it is copied when it is asked for. */
const withOwnBody = ({ data, response }: ResponseWithData<bigint>) => {
  let own: Response | undefined;
  return {
    data,
    get response() {
      own ??= copyOf(response);
      return own;
    },
  };
};

/** Fetches single balances for one client: calls of the same tick share batches, calls for the same address a request. */
export function createLoader(service: BalanceService): BalanceLoader {
  const shared = new InFlightRequests<ResponseWithData<bigint>>(withOwnBody);
  const pending: PendingBalance[] = [];
  const load = (address: string, signal: AbortSignal) =>
    new Promise<Outcome>((settle) => {
      if (pending.push({ address, signal, settle }) === 1)
        afterThisTick(() => flush(service, pending));
    }).then(unwrap);
  return async (address, options = {}) => {
    checkOptions(operations.A1, options);
    const { signal, ...own } = options;
    signal?.throwIfAborted();
    const checking = checkAddresses(service, [address]);
    if (checking) await checking;
    const key = address.toLowerCase();
    // A call with options of its own gets a request of its own.
    if (Object.values(own).some((option) => option !== undefined)) {
      const outcomes = await fetchBatch(service, [key], { ...own, signal });
      return unwrap(outcomes.get(key) as Outcome);
    }
    return shared.join(key, signal, (scope) => load(key, scope.signal));
  };
}

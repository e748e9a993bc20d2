// Fetches balances in batches as large as the service allows.

import * as z from "zod/mini";
import { limits, operations } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import { BatchError, InvalidRequestError, ParameterError } from "../errors/index.ts";
import { AbortScope, untilAborted } from "../http/abort.ts";
import { copyOf } from "../http/attempt.ts";
import type { CallOptions, ResponseWithData } from "../http/call.ts";
import { checkOptions, oneOrMore, parseOptions } from "../http/request.ts";
import { checkOwn } from "../models/check.ts";
import { hasChecksum } from "../models/hex.ts";
import type { AccountBalance } from "../models/holdings.ts";
import { type Address, address as addressSchema } from "../models/primitives.ts";
import {
  type BalanceService,
  type BatchOptions,
  missingBalance,
  type PendingBalance,
  requestBalances,
} from "./balance-service.ts";

/** The balance of one address, or why it is missing. */
type Outcome = ResponseWithData<bigint> | { readonly error: unknown };

const concurrencyOption = z.object({ concurrency: oneOrMore });
const INVALID = "Invalid parameters for accounts.balances";
const details = { operation: operations.A1.id };

/** Throws a {@link ParameterError} unless the value is a source of addresses. */
function checkSource(addresses: unknown): void {
  const source = Object(addresses);
  const isSource = Symbol.iterator in source || Symbol.asyncIterator in source;
  if (isSource && typeof addresses !== "string") return;
  const issue = { path: ["addresses"], expected: "a list of addresses", received: addresses };
  throw new ParameterError(INVALID, [issue], details);
}

/**
 * Throws a {@link ParameterError} that names every value that is not an address, or whose checksum
 * is invalid.
 */
async function checkAddresses({ call }: BalanceService, addresses: readonly unknown[]) {
  const issues = addresses.flatMap((address, index) =>
    (checkOwn(addressSchema, address).issues ?? []).map((issue) => ({
      ...issue,
      path: ["addresses", index, ...issue.path],
    })),
  );
  if (issues.length) throw new ParameterError(INVALID, issues, details);
  if (!call.checksum || !addresses.some((address) => hasChecksum(`${address}`))) return;
  const { checkChecksums } = await loadCode(() => import("../http/checksums.ts"));
  checkChecksums(INVALID, { addresses }, details);
}

/**
 * Fetches up to 20 balances, by lower-case address. Only aborting the signal makes it reject:
 * other errors are outcomes.
 */
async function fetchBatch(
  service: BalanceService,
  addresses: readonly Address[],
  options: CallOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  try {
    const { data: balances, response } = await requestBalances(service, addresses, options);
    const outcomeOf = (address: Address): Outcome => {
      const data = balances.get(address);
      return data === undefined ? { error: missingBalance(address, response) } : { data, response };
    };
    return new Map(addresses.map((address) => [address, outcomeOf(address)]));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof InvalidRequestError) || addresses.length === 1)
      return new Map(addresses.map((address) => [address, { error }]));
    // One address that the service rejects must not fail the others.
    const half = addresses.length >> 1;
    const [left, right] = await Promise.all([
      fetchBatch(service, addresses.slice(0, half), options),
      fetchBatch(service, addresses.slice(half), options),
    ]);
    return new Map([...left, ...right]);
  }
}

const lower = (address: Address) => address.toLowerCase() as Address;

/** Yields balances in the order of the addresses, each as soon as it and all before it arrive. */
export async function* streamBalances(
  service: BalanceService,
  addresses: Iterable<Address> | AsyncIterable<Address>,
  batchOptions: BatchOptions,
  onResponse: (response: Response) => void,
): AsyncGenerator<AccountBalance, void, undefined> {
  const { concurrency = 4, ...requestOptions } = batchOptions;
  checkOptions(operations.A1, requestOptions);
  const { signal, ...options } = requestOptions;
  parseOptions("Invalid options for accounts.balances", concurrencyOption, { concurrency });
  checkSource(addresses);
  if (Array.isArray(addresses)) await checkAddresses(service, addresses);
  const scope = new AbortScope().follow(signal);
  const outcomes = new Map<string, Outcome>();
  /** The first spelling of each address, by the address in lower case. */
  const spelling = new Map<string, Address>();
  const requests: Promise<void>[] = [];
  let batch: Address[] = [];
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
  /** Takes from the head of the queue the addresses whose requests have settled. */
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
      const key = lower(address);
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

/** Fetches the balances of one tick in as few requests as possible. */
export async function fetchTogether(
  service: BalanceService,
  pending: readonly PendingBalance[],
): Promise<void> {
  const addresses = [...new Set(pending.map(({ address }) => lower(address)))];
  const batches: Promise<void>[] = [];
  for (let start = 0; start < addresses.length; start += limits.addresses) {
    const batch = addresses.slice(start, start + limits.addresses);
    const waiting = pending.filter(({ address }) => batch.includes(lower(address)));
    batches.push(fetchForAll(service, batch, waiting));
  }
  await Promise.all(batches);
}

async function fetchForAll(
  service: BalanceService,
  addresses: readonly Address[],
  waiting: readonly PendingBalance[],
): Promise<void> {
  const scope = new AbortScope();
  // Aborts the request once every caller has left. After the response, nothing is left to abort.
  Promise.allSettled(waiting.map(({ result }) => result)).then(() => scope.abort(undefined));
  try {
    const outcomes = await fetchBatch(service, addresses, { signal: scope.signal });
    for (const { address, reject, resolve } of waiting) {
      const outcome = outcomes.get(lower(address)) as Outcome;
      if ("error" in outcome) reject(outcome.error);
      // A copy, because each caller may read the body.
      else resolve({ data: outcome.data, response: copyOf(outcome.response) });
    }
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

// Asks for balances in batches as large as the service allows; loaded when the first balance is asked for.

import { limits, operations } from "../contract/index.ts";
import { BatchError } from "../errors/batch.ts";
import { InvalidRequestError, ParameterError, ResponseValidationError } from "../errors/index.ts";
import { AbortScope, untilAborted } from "../http/abort.ts";
import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import { InFlightRequests } from "../http/dedupe.ts";
import type { AccountBalance } from "../models/account-balance.ts";
import { check } from "../models/issues.ts";
import { type Address, address as addressSchema } from "../models/primitives.ts";
import type { BalanceLoader, BatchOptions } from "./balance-request.ts";

/** What became of one address. */
type Outcome = ResponseWithData<bigint> | { readonly error: unknown };

/** Refuses what is no address, before anything is sent. */
function refuseOthers(addresses: readonly unknown[]): void {
  const issues = addresses.flatMap((one, index) =>
    (check(addressSchema, one).issues ?? []).map((issue) => ({
      ...issue,
      path: ["addresses", index, ...issue.path],
    })),
  );
  if (issues.length) throw new ParameterError("Balances", issues, { operation: operations.A1.id });
}

/** Asks one batch of distinct addresses in lower case. Rejects only if the signal ends it. */
async function ask(
  call: Call,
  addresses: readonly string[],
  options: RequestOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  try {
    const asked = addresses as readonly Address[];
    const { data, response } = await call(operations.A1, { addresses: asked }, options);
    // Matched by address: an answer may come in another order or case, or hold too much or too little.
    const balances = new Map(
      data.data.map((one) => [String(one.address).toLowerCase(), one.balance]),
    );
    return new Map(
      addresses.map((one) => {
        const balance = balances.get(one);
        return [
          one,
          balance === undefined ? { error: missing(one, response) } : { data: balance, response },
        ];
      }),
    );
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof InvalidRequestError) || addresses.length === 1)
      return new Map(addresses.map((one) => [one, { error }]));
    // One address the service does not like must not cost the others.
    const half = addresses.length >> 1;
    const [left, right] = await Promise.all([
      ask(call, addresses.slice(0, half), options),
      ask(call, addresses.slice(half), options),
    ]);
    return new Map([...left, ...right]);
  }
}

const missing = (address: string, response: Response) =>
  new ResponseValidationError(`The service answered without a balance for ${address}`, {
    operation: operations.A1.id,
    httpStatus: response.status,
  });

/** The balances of addresses, each as soon as it and those before it are known. */
export async function* streamBalances(
  call: Call,
  addresses: Iterable<Address> | AsyncIterable<Address>,
  { concurrency = 4, signal, ...options }: BatchOptions,
  onResponse: (response: Response) => void,
): AsyncGenerator<AccountBalance, void, undefined> {
  if (Array.isArray(addresses)) refuseOthers(addresses);
  const scope = new AbortScope().follow(signal);
  const outcomes = new Map<string, Outcome>();
  /** The first spelling of every address met. */
  const spelling = new Map<string, Address>();
  const flights: Promise<void>[] = [];
  let batch: string[] = [];
  let waiting: Address[] = [];

  const send = () => {
    const flight = ask(call, batch, { ...options, signal: scope.signal }).then((answered) => {
      const responses = new Set<Response>();
      for (const [address, outcome] of answered) {
        outcomes.set(address, outcome);
        if ("response" in outcome) responses.add(outcome.response);
      }
      responses.forEach(onResponse);
    });
    flight.catch(() => {});
    flights.push(flight);
    batch = [];
  };
  /** The balances at the head of the queue that are known. */
  const ready = () => {
    const known = waiting.findIndex((address) => !outcomes.has(address.toLowerCase()));
    const settled = known < 0 ? waiting : waiting.slice(0, known);
    waiting = known < 0 ? [] : waiting.slice(known);
    return found(settled);
  };
  const found = (addresses: Iterable<Address>) =>
    [...addresses].flatMap((address) => {
      const outcome = outcomes.get(address.toLowerCase());
      return outcome && "data" in outcome ? [{ address, balance: outcome.data }] : [];
    });

  try {
    for await (const address of untilAborted(addresses, scope.signal)) {
      refuseOthers([address]);
      const key = address.toLowerCase();
      waiting.push(address);
      if (!spelling.has(key)) {
        spelling.set(key, address);
        batch.push(key);
      }
      if (batch.length === limits.addresses) send();
      if (flights.length >= concurrency) await flights.shift();
      if (outcomes.has(waiting[0]?.toLowerCase() ?? "")) yield* ready();
    }
    if (batch.length) send();
    for (const flight of flights) {
      await flight;
      yield* ready();
    }
    const failed = [...outcomes].flatMap(([key, outcome]) =>
      "error" in outcome ? [[spelling.get(key) as Address, outcome.error] as const] : [],
    );
    if (failed.length) throw new BatchError(found(spelling.values()), new Map(failed));
  } finally {
    scope.abort(signal?.reason);
    scope.close();
  }
}

/** An address whose balance somebody waits for, until `end` says that nobody does any more. */
interface PendingBalance {
  readonly address: string;
  readonly end: AbortSignal;
  readonly settle: (outcome: Outcome) => void;
}

/** Runs when the calls of this tick, and what follows from them at once, are through. */
function afterThisTick(run: () => void): void {
  const { process } = globalThis as { process?: { nextTick?: (run: () => void) => void } };
  const { nextTick = setTimeout } = process ?? {};
  Promise.resolve().then(() => nextTick(run));
}

/** Asks for the balances that are wanted, in batches; each ends with the last who wants something of it. */
function flush(call: Call, wanted: PendingBalance[]): void {
  for (const batch of batchesOf(wanted.splice(0))) {
    const scope = new AbortScope();
    let left = batch.length;
    for (const { end } of batch) {
      const leave = () => {
        left--;
        if (left === 0) scope.abort(end.reason);
      };
      if (end.aborted) leave();
      else end.addEventListener("abort", leave, { once: true });
    }
    const addresses = batch.map(({ address }) => address);
    ask(call, addresses, { signal: scope.signal }).then(
      (outcomes) => {
        for (const { address, settle } of batch)
          settle(outcomes.get(address) ?? { error: undefined });
      },
      (error: unknown) => {
        for (const { settle } of batch) settle({ error });
      },
    );
  }
}

function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += limits.addresses)
    yield items.slice(start, start + limits.addresses);
}

function answerOf(outcome: Outcome): ResponseWithData<bigint> {
  if ("error" in outcome) throw outcome.error;
  return outcome;
}

/** What asks for single balances on behalf of one client. */
export function createLoader(call: Call): BalanceLoader {
  const shared = new InFlightRequests<ResponseWithData<bigint>>();
  const wanted: PendingBalance[] = [];
  const load = (address: string, end: AbortSignal) =>
    new Promise<Outcome>((settle) => {
      if (wanted.push({ address, end, settle }) === 1) afterThisTick(() => flush(call, wanted));
    }).then(answerOf);
  return async (address, { signal, ...own } = {}) => {
    signal?.throwIfAborted();
    refuseOthers([address]);
    const key = address.toLowerCase();
    // A request with options of its own goes its own way.
    if (Object.values(own).some((option) => option !== undefined)) {
      const outcomes = await ask(call, [key], { ...own, signal });
      return answerOf(outcomes.get(key) ?? { error: undefined });
    }
    return shared.join(key, signal, (end) => load(key, end));
  };
}

// Watches lists of an account, or the logs that a query selects: yields each new record once, in
// chain order.
import * as z from "zod/mini";
import { operations } from "../contract/index.ts";
import { messageOf } from "../errors/base.ts";
import {
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  ParameterError,
  RedirectError,
} from "../errors/index.ts";
import { AbortScope, sleep } from "../http/abort.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { abortSignal, callback, number, parseOptions } from "../http/request.ts";
import type { EventLog } from "../models/event-log.ts";
import type { InternalTransaction } from "../models/internal-transaction.ts";
import { list } from "../models/model.ts";
import { type Address, blockNumber, oneOf } from "../models/primitives.ts";
import type { Transaction } from "../models/transaction.ts";
import type { Mrc20Transfer, Mrc721Transfer } from "../models/transfer.ts";
import type { ListInput } from "./list.ts";
import { ListPoller, type ReorganisedRecords, type WatchedList } from "./list-poller.ts";
import { type ListOperation, type ListRecord, rankOf } from "./records.ts";

/** How to watch. */
export interface WatchOptions<Event> {
  /**
   * Milliseconds between two polls; `Infinity` polls once. The pause doubles with each failed poll,
   * up to a minute.
   *
   * @default 10_000
   */
  readonly pollInterval?: number | undefined;
  /**
   * The first block whose records to yield.
   *
   * @default the block after the newest when the watch begins
   */
  readonly from?: bigint | number | undefined;
  /**
   * How many blocks before the newest record to read again with each poll. A reorganisation up to
   * this depth loses or repeats no record. @default 32
   */
  readonly depth?: number | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when yielded records disappear, return or move to another block. If it throws, the
   * error goes to `onError`.
   */
  readonly onReorganisation?: ((records: ReorganisedRecords<Event>) => void) | undefined;
  /**
   * Called with each error that does not end the iteration; the next poll tries again. Without this
   * option, an error of the first poll ends the iteration, after the retries of its requests.
   *
   * @default the first error of an outage is logged as a warning
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const INVALID_OPTIONS = "Invalid watch options";

/** The parts of a client that a watch uses. */
export type WatchingClient = Pick<Call, "log" | "minPollInterval">;

/** Checks the milliseconds between two polls, because short pauses would burden an explorer. */
const intervalFrom = (min: number) =>
  number(`milliseconds, at least ${min}`, (value) => value >= min);

const watchOptions = ({ minPollInterval = 0 }: WatchingClient) =>
  z.strictObject({
    pollInterval: z._default(intervalFrom(minPollInterval), 10_000),
    from: z.optional(blockNumber),
    depth: z._default(
      number("an integer of at least 0", (value) => Number.isSafeInteger(value) && value >= 0),
      32,
    ),
    signal: z.optional(abortSignal),
    onReorganisation: z.optional(callback),
    onError: z.optional(callback),
  });

/** Errors that would recur with the next poll. */
const isPermanent = (error: unknown) =>
  [ParameterError, AuthenticationError, InvalidRequestError, NotFoundError, RedirectError].some(
    (type) => error instanceof type,
  );

/** The longest pause between failing polls in milliseconds, unless `pollInterval` is longer. */
const MAX_OUTAGE_PAUSE = 60_000;

/** Yields the new records of lists in chain order, until `signal` or `left` is aborted. */
export async function* watch<Event>(
  lists: readonly WatchedList<Event>[],
  options: WatchOptions<Event>,
  client: WatchingClient = {},
  left?: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  const { log = () => {} } = client;
  const schema = watchOptions(client);
  const { pollInterval, from, depth } = parseOptions(INVALID_OPTIONS, schema, options);
  const { signal, onReorganisation } = options;
  const pollers = lists.map((list) => new ListPoller(list, { from, depth }));
  const scope = new AbortScope().follow(signal).follow(left);
  /** How many polls failed in a row. */
  let failures = 0;
  let warned = false;
  const warnOnce = (error: unknown) => {
    if (!warned) log("warn", `Watching continues after an error: ${messageOf(error)}`, error);
    warned = true;
  };
  const { onError = warnOnce } = options;
  try {
    for (let isFatal = options.onError === undefined; ; isFatal = false) {
      const polls = await Promise.allSettled(pollers.map((poller) => poller.poll(scope.signal)));
      if (scope.signal.aborted) return;
      failures = polls.some(({ status }) => status === "rejected") ? failures + 1 : 0;
      if (failures === 0) warned = false;
      const added: { record: ListRecord; poller: ListPoller<Event> }[] = [];
      for (const [index, poller] of pollers.entries()) {
        const poll = polls[index];
        try {
          if (poll?.status === "rejected") throw poll.reason;
          added.push(...(poll?.value.added ?? []).map((record) => ({ record, poller })));
          if (poll?.value.reorganised) onReorganisation?.(poll.value.reorganised);
        } catch (error) {
          if (poll?.status === "rejected" && (isFatal || isPermanent(error))) throw error;
          onError(error);
        }
      }
      added.sort((left, right) => (rankOf(left.record) ?? 0) - (rankOf(right.record) ?? 0));
      for (const { record, poller } of added) {
        if (scope.signal.aborted) return;
        yield poller.event(record);
      }
      await sleep(pauseAfter(failures, pollInterval), scope.signal).catch(() => {});
      if (scope.signal.aborted) return;
    }
  } finally {
    scope.abort(undefined);
    scope.close();
  }
}

/** Returns the milliseconds until the next poll; they double with each failure in a row. */
const pauseAfter = (failures: number, pollInterval: number): number =>
  failures === 0
    ? pollInterval
    : Math.max(pollInterval, Math.min(MAX_OUTAGE_PAUSE, Math.max(1, pollInterval) * 2 ** failures));

/** The records of a watched account, by kind. */
export interface WatchedRecords {
  readonly transaction: Transaction;
  readonly internalTransaction: InternalTransaction;
  readonly mrc20Transfer: Mrc20Transfer;
  readonly mrc721Transfer: Mrc721Transfer;
}

/** A new record of a watched account, of any kind or of the kinds in the type argument. */
export type AccountEvent<Kind extends keyof WatchedRecords = keyof WatchedRecords> = {
  [Name in Kind]: { readonly kind: Name; readonly record: WatchedRecords[Name] };
}[Kind];

/**
 * Which records of an account to watch, and how often to poll.
 *
 * @example
 * explorer.accounts.watch(address, { kinds: ["transaction"], from: 80n, signal });
 */
export interface AccountWatch<Kind extends AccountEvent["kind"] = AccountEvent["kind"]>
  extends WatchOptions<AccountEvent<Kind>> {
  /**
   * The kinds of records to watch, at least one; each costs a request per poll.
   *
   * @default ["transaction", "mrc20Transfer", "mrc721Transfer"]
   */
  readonly kinds?: readonly Kind[] | undefined;
}

/** Requests a list. A function, so that this code, which is loaded late, imports no client code. */
type RequestList = (
  operation: ListOperation,
  input: ListInput<ListOperation>,
  options: RequestOptions,
) => ReturnType<WatchedList<unknown>["list"]>;

const operationOf = {
  transaction: operations.A2,
  internalTransaction: operations.A3,
  mrc20Transfer: operations.A4,
  mrc721Transfer: operations.A5,
} as const;
const kindOfRecord = oneOf(Object.keys(operationOf) as AccountEvent["kind"][]);
const kindsSchema = z.object({ kinds: list(kindOfRecord, 1) });

/** Yields the new records of an account. */
export async function* watchAccount(
  request: RequestList,
  address: Address,
  query: AccountWatch | undefined,
  options: RequestOptions | undefined,
  client: WatchingClient,
  left: AbortSignal,
): AsyncGenerator<AccountEvent, void, undefined> {
  const { kinds = ["transaction", "mrc20Transfer", "mrc721Transfer"], ...watchOptions } = Object(
    query,
  ) as AccountWatch;
  parseOptions(INVALID_OPTIONS, kindsSchema, { kinds: kinds as AccountEvent["kind"][] });
  const signal = watchOptions.signal ?? options?.signal;
  const input = { address_hash: address };
  const lists = [...new Set(kinds)].map((kind) =>
    watchable(request, operationOf[kind], input, options, (record) => {
      // The operation returns records of its kind. `simple` is not set, so those of A2 are full.
      return { kind, record } as unknown as AccountEvent;
    }),
  );
  yield* watch(lists, { ...watchOptions, signal }, client, left);
}

/** Yields the new event logs that a query selects. */
export async function* watchLogs(
  request: RequestList,
  query: WatchOptions<EventLog>,
  options: RequestOptions | undefined,
  client: WatchingClient,
  left: AbortSignal,
): AsyncGenerator<EventLog, void, undefined> {
  const { pollInterval, from, depth, signal, onReorganisation, onError, ...filter } = Object(
    query,
  ) as typeof query;
  parseOptions(INVALID_OPTIONS, z.object({ from: blockNumber }), { from: from as bigint });
  const logs = watchable(request, operations.L1, filter, options, (record) => record as EventLog);
  const watchOptions = { pollInterval, from, depth, onReorganisation, onError };
  yield* watch([logs], { ...watchOptions, signal: signal ?? options?.signal }, client, left);
}

/** Creates the list of an operation to watch. */
const watchable = <Event>(
  request: RequestList,
  operation: ListOperation,
  input: object,
  options: RequestOptions | undefined,
  event: (record: ListRecord) => Event,
): WatchedList<Event> => ({
  ...{ operation, event },
  list: (poll, signal) =>
    request(operation, { ...input, ...poll } as ListInput<ListOperation>, { ...options, signal }),
});

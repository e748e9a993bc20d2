// Watches lists: yields the new records of each poll once, in chain order.
import * as z from "zod/mini";
import { blockNumber, oneOf } from "../contract/parameters.ts";
import {
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  ParameterError,
  RedirectError,
} from "../errors/index.ts";
import { AbortScope, sleep } from "../http/abort.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import {
  abortSignal,
  callback,
  number,
  parseOptions,
  zeroOrMore,
} from "../http/request-options.ts";
import { message } from "../models/issues.ts";
import { ListPoller, type ReorganisedRecords, type WatchedList } from "./list-poller.ts";
import { type ItemOf, type ListOperation, type ListRecord, rankOf } from "./list-records.ts";
import { type ListInput, paged } from "./paged-request.ts";

/** How to watch. */
export interface WatchOptions<Event> {
  /** Milliseconds between two polls; `Infinity` polls once. @default 10_000 */
  readonly pollInterval?: number | undefined;
  /**
   * The first block to yield records of. By default only new records are yielded: those behind what the first response shows. If the
   * first poll fails, they are those of blocks since the watch began, by the time of the service.
   */
  readonly from?: bigint | number | undefined;
  /**
   * How many blocks behind the newest record to read again with each poll. A reorganisation up to this depth loses and
   * repeats nothing. @default 32
   */
  readonly depth?: number | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
  /** Called when records that were yielded are gone, back or in another block. What it throws goes to `onError`. */
  readonly onReorganisation?: ((records: ReorganisedRecords<Event>) => void) | undefined;
  /** Called with each error that does not end the iteration; the next poll tries again. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A list operation to watch. */
export function watchable<Op extends ListOperation, Event>(
  call: Call,
  operation: Op,
  input: ListInput<Op>,
  options: RequestOptions | undefined,
  event: (record: ItemOf<Op>) => Event,
): WatchedList<Event> {
  return {
    operation,
    list: (poll, signal) => paged(call, operation, { ...input, ...poll }, { ...options, signal }),
    // The list holds the operation's items; `ListRecord` is how iterating sees them.
    event: (record) => event(record as ItemOf<Op>),
  };
}

const watchOptions = z.object({
  pollInterval: z._default(zeroOrMore, 10_000),
  from: z.optional(blockNumber),
  depth: z._default(
    number("an integer of at least 0", (value) => Number.isSafeInteger(value) && value >= 0),
    32,
  ),
  signal: z.optional(abortSignal),
  onReorganisation: z.optional(callback),
  onError: z.optional(callback),
});

/** Errors that the next poll would meet again. */
const isPermanent = (error: unknown) =>
  [ParameterError, AuthenticationError, InvalidRequestError, NotFoundError, RedirectError].some(
    (type) => error instanceof type,
  );

/** The new records of some lists, in chain order, until the signal is aborted. */
export async function* watch<Event>(
  lists: readonly WatchedList<Event>[],
  options: WatchOptions<Event>,
): AsyncGenerator<Event, void, undefined> {
  const { pollInterval, from, depth } = parseOptions(INVALID, watchOptions, options);
  const { signal, onError, onReorganisation } = options;
  const pollers = lists.map((list) => new ListPoller(list, { from, depth }));
  const scope = new AbortScope().follow(signal);
  try {
    for (;;) {
      const polls = await Promise.allSettled(pollers.map((poller) => poller.poll(scope.signal)));
      if (signal?.aborted) return;
      const added: { record: ListRecord; poller: ListPoller<Event> }[] = [];
      for (const [index, poller] of pollers.entries()) {
        const poll = polls[index];
        try {
          if (poll?.status === "rejected") throw poll.reason;
          added.push(...(poll?.value.added ?? []).map((record) => ({ record, poller })));
          if (poll?.value.reorganised) onReorganisation?.(poll.value.reorganised);
        } catch (error) {
          if (poll?.status === "rejected" && isPermanent(error)) throw error;
          onError?.(error);
        }
      }
      added.sort((one, other) => (rankOf(one.record) ?? 0) - (rankOf(other.record) ?? 0));
      for (const { record, poller } of added) {
        if (signal?.aborted) return;
        yield poller.event(record);
      }
      await sleep(pollInterval, scope.signal).catch(() => {});
      if (signal?.aborted) return;
    }
  } finally {
    scope.abort(undefined);
    scope.close();
  }
}

const INVALID = "Invalid watch options";

/** Watches several kinds of records, each a list; throws a {@link ParameterError} for an unknown kind. */
export function listsOf<Kind extends string, Event>(
  kinds: readonly Kind[],
  lists: Readonly<Record<Kind, () => WatchedList<Event>>>,
): readonly WatchedList<Event>[] {
  const known = z.object({
    kinds: z.array(oneOf(Object.keys(lists)), { error: message }).check(z.minLength(1)),
  });
  parseOptions(INVALID, known, { kinds: kinds as readonly string[] as string[] });
  return [...new Set(kinds)].map((kind) => lists[kind]());
}

// Watches lists: yields the new records of each poll once, in chain order.
import * as z from "zod/mini";
import { blockNumber } from "../contract/parameters.ts";
import {
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  ParameterError,
  RedirectError,
} from "../errors/index.ts";
import { AbortScope, sleep } from "../http/abort.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { number, parseOptions, zeroOrMore } from "../http/request-options.ts";
import { ListPoller, type ReorganisedRecords, type WatchedList } from "./list-poller.ts";
import { type ItemOf, type ListOperation, rankOf } from "./list-records.ts";
import { type ListInput, paged } from "./paged-request.ts";

/** How to watch. */
export interface WatchOptions<Event> {
  /** Milliseconds between two polls. @default 10_000 */
  readonly pollInterval?: number | undefined;
  /** The first block to yield records of. By default only new records are yielded. */
  readonly from?: bigint | number | undefined;
  /**
   * How many blocks behind the newest record to read again with each poll. A reorganisation up to this depth loses and
   * repeats nothing. @default 32
   */
  readonly depth?: number | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
  /** Called when records that were yielded are gone, back or in another block. */
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

const watchOptions = /*#__PURE__*/ z.object({
  pollInterval: /*#__PURE__*/ z.optional(zeroOrMore),
  from: /*#__PURE__*/ z.optional(blockNumber),
  depth: /*#__PURE__*/ z.optional(
    /*#__PURE__*/ number(
      "an integer of at least 0",
      (value) => Number.isSafeInteger(value) && value >= 0,
    ),
  ),
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
  const { pollInterval = 10_000 } = parseOptions("Invalid watch options", watchOptions, options);
  const { signal, onError } = options;
  const pollers = lists.map((list) => new ListPoller(list, options));
  const scope = new AbortScope().follow(signal);
  try {
    for (;;) {
      const polls = await Promise.allSettled(pollers.map((poller) => poller.poll(scope.signal)));
      if (signal?.aborted) return;
      for (const poll of polls)
        if (poll.status === "rejected") {
          if (isPermanent(poll.reason)) throw poll.reason;
          onError?.(poll.reason);
        }
      const added = polls.flatMap((poll, index) =>
        poll.status === "fulfilled" ? poll.value.map((record) => ({ record, index })) : [],
      );
      added.sort((one, other) => (rankOf(one.record) ?? 0) - (rankOf(other.record) ?? 0));
      for (const { record, index } of added) {
        if (signal?.aborted) return;
        const poller = pollers[index];
        if (poller) yield poller.event(record);
      }
      await sleep(pollInterval, scope.signal).catch(() => {});
      if (signal?.aborted) return;
    }
  } finally {
    scope.abort(undefined);
    scope.close();
  }
}

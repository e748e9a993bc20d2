// Watches lists: yields the new records of each poll once, in chain order.
import * as z from "zod/mini";
import { blockNumber } from "../contract/parameters.ts";
import { messageOf } from "../errors/base.ts";
import {
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  ParameterError,
  RedirectError,
} from "../errors/index.ts";
import { AbortScope, sleep } from "../http/abort.ts";
import type { WriteLog } from "../http/hooks.ts";
import {
  abortSignal,
  callback,
  number,
  parseOptions,
  zeroOrMore,
} from "../http/request-options.ts";
import { ListPoller, type ReorganisedRecords, type WatchedList } from "./list-poller.ts";
import { type ListRecord, rankOf } from "./list-records.ts";

/** How to watch. */
export interface WatchOptions<Event> {
  /**
   * Milliseconds between two polls; `Infinity` polls once. While polls fail it doubles with each, up to a minute.
   *
   * @default 10_000
   */
  readonly pollInterval?: number | undefined;
  /** The first block to yield records of. By default only records newer than the first response are yielded. */
  readonly from?: bigint | number | undefined;
  /**
   * How many blocks before the newest record to read again with each poll. A reorganisation up to this depth loses or
   * repeats nothing. @default 32
   */
  readonly depth?: number | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
  /** Called when yielded records disappear, return or move to another block. Errors that it throws go to `onError`. */
  readonly onReorganisation?: ((records: ReorganisedRecords<Event>) => void) | undefined;
  /**
   * Called with each error that does not end the iteration; the next poll tries again. The first poll has to succeed: its error, after the
   * retries of its requests, ends the iteration.
   *
   * @default the first error of an outage is logged as a warning
   */
  readonly onError?: ((error: unknown) => void) | undefined;
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

/** Errors that would recur with the next poll. */
const isPermanent = (error: unknown) =>
  [ParameterError, AuthenticationError, InvalidRequestError, NotFoundError, RedirectError].some(
    (type) => error instanceof type,
  );

/** The longest pause between polls while they fail, in milliseconds, unless `pollInterval` is longer. */
const MAX_OUTAGE_PAUSE = 60_000;

/** The new records of some lists, in chain order, until the signal is aborted or the watch is left. */
export async function* watch<Event>(
  lists: readonly WatchedList<Event>[],
  options: WatchOptions<Event>,
  log: WriteLog = () => {},
  left?: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  const { pollInterval, from, depth } = parseOptions(INVALID_OPTIONS, watchOptions, options);
  const { signal, onReorganisation } = options;
  const pollers = lists.map((list) => new ListPoller(list, { from, depth }));
  const scope = new AbortScope().follow(signal).follow(left);
  /** Polls that failed in a row. */
  let failures = 0;
  let warned = false;
  const warnOnce = (error: unknown) => {
    if (!warned) log("warn", `Watching continues after an error: ${messageOf(error)}`, error);
    warned = true;
  };
  const { onError = warnOnce } = options;
  try {
    for (let isFirst = true; ; isFirst = false) {
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
          if (poll?.status === "rejected" && (isFirst || isPermanent(error))) throw error;
          onError(error);
        }
      }
      added.sort((one, other) => (rankOf(one.record) ?? 0) - (rankOf(other.record) ?? 0));
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

/** Milliseconds until the next poll: twice as long with each that failed in a row. */
const pauseAfter = (failures: number, pollInterval: number): number =>
  failures === 0
    ? pollInterval
    : Math.max(pollInterval, Math.min(MAX_OUTAGE_PAUSE, Math.max(1, pollInterval) * 2 ** failures));

/** What the errors of invalid options begin with. */
export const INVALID_OPTIONS = "Invalid watch options";

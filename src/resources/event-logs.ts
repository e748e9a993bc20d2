// The methods on event logs: L1.

import { type Operations, operations } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import { leavable } from "../http/abort.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { type ListInput, paged } from "../lists/paged-request.ts";
import type { EventLog } from "../models/event-log.ts";
import { isHash } from "../models/hex.ts";
import { paddedTopic } from "./display.ts";
import type { EventItem } from "./event-filter.ts";
import type { ListRequest } from "./pages.ts";
import type { EventLogsQuery, EventLogsWatch } from "./queries.ts";

/** Requests event logs. Converts an event and the values of its arguments to topics. */
function requestLogs(
  call: Call,
  query: EventLogsQuery | EventLogsWatch,
  options?: RequestOptions,
): ListRequest<EventLog> {
  const filter: Record<string, unknown> = { ...query };
  let isHashed = true;
  for (const name of ["topic_1", "topic_2", "topic_3"]) {
    const topic = paddedTopic(filter[name]) ?? undefined;
    filter[name] = topic;
    isHashed &&= topic === undefined || isHash(topic);
  }
  const hasEvent = (filter.event ?? filter.args ?? undefined) !== undefined;
  // A name alone counts as an event, too, so that the error shows the form of a signature.
  const isNamed = typeof filter.topic_0 === "string" && !filter.topic_0.startsWith("0x");
  const input = (query === Object(query) ? filter : query) as ListInput<Operations["L1"]>;
  const extend = hasEvent || isNamed || !isHashed ? withTopics : undefined;
  return paged(call, operations.L1, input, options, extend);
}

/** Replaces the event and its arguments by topics. */
async function withTopics(parameters: Readonly<Record<string, unknown>>) {
  // Loaded on first use, because many programs know the hashes of their events.
  const { checkTopics, eventTopic, topicsOfEvent } = await loadCode(
    () => import("./event-filter.ts"),
  );
  const { args, event, topic_0, ...filter } = parameters as Partial<EventLogsQuery>;
  checkTopics(filter);
  const isNamed = (event ?? args ?? undefined) === undefined;
  const topics = isNamed
    ? { topic_0: eventTopic(String(topic_0)) }
    : topicsOfEvent(event ?? "", args, topic_0);
  return { parameters: { ...filter, ...topics } };
}

/** Event logs (L1). */
export class EventLogs {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Lists the event logs of a contract, by block range and topics (L1). Each log has its
   * transaction, `data`, and `topic_0` to `topic_3`, which are null beyond `topics_count`. If you
   * pass several topics, all must match or, with `operand: "or"`, any of them.
   *
   * @example
   * const topic_0 = "Transfer(address,address,uint256)";
   * for await (const log of explorer.eventLogs.list({ address: token, topic_0, startBlock: 80 }))
   *   console.log(log.transaction_hash, log.data);
   */
  list<const Event extends string | EventItem = string>(
    query: EventLogsQuery<Event>,
    options?: RequestOptions,
  ): ListRequest<EventLog> {
    return requestLogs(this.#call, query as EventLogsQuery, options);
  }

  /**
   * Watches the event logs of a contract (L1): yields each new log once, in chain order. The watch
   * reports errors and reorganisations, and continues until the signal aborts. It throws only
   * errors that a retry cannot fix: {@link ParameterError}, {@link AuthenticationError}, {@link
   * InvalidRequestError}, {@link NotFoundError} and {@link RedirectError}; without `onError`, also
   * an error of the first poll.
   *
   * @example
   * for await (const log of explorer.eventLogs.watch({ address: token, from: 80n, signal }))
   *   console.log(log.transaction_hash, log.data);
   */
  watch(
    query: EventLogsWatch,
    options?: RequestOptions,
  ): AsyncGenerator<EventLog, void, undefined> {
    const call = this.#call;
    return leavable(async function* (left) {
      // Loaded on first use, because many programs never watch.
      const { watchLogs } = await loadCode(() => import("../lists/watch.ts"));
      const request: Parameters<typeof watchLogs>[0] = (_, filter, pollOptions) =>
        requestLogs(call, filter as EventLogsQuery, pollOptions);
      yield* watchLogs(request, query, options, call, left);
    });
  }
}

// The methods on event logs: L1.

import { type Operations, operations } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import { leavable } from "../http/abort.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { type ListInput, paged } from "../lists/paged-request.ts";
import type { EventLog } from "../models/event-log.ts";
import { paddedTopic } from "./display.ts";
import type { EventItem } from "./event-filter.ts";
import type { ListRequest } from "./pages.ts";
import type { EventLogsQuery, EventLogsWatch } from "./queries.ts";

/** Requests event logs, with topics for an event in words and for the values of arguments. */
function requestLogs(
  call: Call,
  query: EventLogsQuery | EventLogsWatch,
  options?: RequestOptions,
): ListRequest<EventLog> {
  const filter: Record<string, unknown> = { ...query };
  for (const name of ["topic_1", "topic_2", "topic_3"]) filter[name] = paddedTopic(filter[name]);
  const hasEvent = (filter.event ?? filter.args ?? undefined) !== undefined;
  // A name alone counts as an event, so that its error shows the form.
  const isNamed = typeof filter.topic_0 === "string" && !filter.topic_0.startsWith("0x");
  const input = (query === Object(query) ? filter : query) as ListInput<Operations["L1"]>;
  return paged(call, operations.L1, input, options, hasEvent || isNamed ? withTopics : undefined);
}

/** Returns the parameters with topics in place of an event and its arguments. */
async function withTopics(parameters: Readonly<Record<string, unknown>>) {
  // Loaded on first use: many programs know the hashes of their events.
  const { eventTopic, topicsOfEvent } = await loadCode(() => import("./event-filter.ts"));
  const { args, event, topic_0, ...filter } = parameters as Partial<EventLogsQuery>;
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
   * Lists the event logs of a contract, by block range and topics (L1). Each has its transaction,
   * `data`, and `topic_0` to `topic_3`, which are null beyond `topics_count`. If you give several
   * topics, all must match, or any with `operand: "or"`.
   *
   * @example
   * for await (const log of explorer.eventLogs.list({ address: token, topic_0:
   * "Transfer(address,address,uint256)", startBlock: 80 }))
   *   console.log(log.transaction_hash, log.data);
   */
  list<const Event extends string | EventItem = string>(
    query: EventLogsQuery<Event>,
    options?: RequestOptions,
  ): ListRequest<EventLog> {
    return requestLogs(this.#call, query as EventLogsQuery, options);
  }

  /**
   * Watches the event logs of a contract (L1): yields each new log once, in chain order. It
   * continues after errors and reorganisations, which it reports, until the signal aborts.
   * Without `onError`, it throws the error of the first poll; later, only errors that a retry
   * cannot fix: {@link ParameterError}, {@link AuthenticationError}, {@link InvalidRequestError},
   * {@link NotFoundError} and {@link RedirectError}.
   *
   * @example
   * for await (const log of explorer.eventLogs.watch({ address: token, topic_0: transferTopic,
   * from: 80n, signal }))
   *   console.log(log.transaction_hash, log.data);
   */
  watch(
    query: EventLogsWatch,
    options?: RequestOptions,
  ): AsyncGenerator<EventLog, void, undefined> {
    const call = this.#call;
    return leavable(async function* (left) {
      // Loaded on first use: many programs never watch.
      const { watchLogs } = await loadCode(() => import("../lists/watch.ts"));
      const request: Parameters<typeof watchLogs>[0] = (_, logs, each) =>
        requestLogs(call, logs as EventLogsQuery, each);
      yield* watchLogs(request, query, options, call, left);
    });
  }
}

// The methods on event logs: L1.

import { operations } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import { leavable } from "../http/abort.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { paged } from "../lists/paged-request.ts";
import type { EventLog } from "../models/event-log.ts";
import type { Hash } from "../models/primitives.ts";
import type { EventItem } from "./event-filter.ts";
import type { ListRequest } from "./pages.ts";
import type { EventLogsQuery, EventLogsWatch } from "./queries.ts";

/** A query as the operation has it: a list puts the hash in place of an event's name. */
type HashedQuery<Query> = Query & { readonly topic_0?: Hash | null | undefined };

/** The query with addresses padded to topics, because an indexed address is 32 bytes in a log. */
function withPaddedTopics<Query extends EventLogsQuery | EventLogsWatch>(
  query: Query,
): HashedQuery<Query> {
  const padded: Record<string, unknown> = { ...query };
  for (const name of ["topic_1", "topic_2", "topic_3"]) {
    const topic = padded[name];
    if (typeof topic === "string" && /^0x[\da-f]{40}$/i.test(topic))
      padded[name] = `0x${topic.slice(2).padStart(64, "0")}`;
  }
  return padded as HashedQuery<Query>;
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
    const { event, args, ...filter } = Object(query) as HashedQuery<EventLogsQuery>;
    if (event === undefined && args === undefined)
      return paged(this.#call, operations.L1, withPaddedTopics(query as EventLogsQuery), options);
    const extend = async () => {
      const { topicsOfEvent } = await loadCode(() => import("./event-filter.ts"));
      const topics = topicsOfEvent(event ?? "", args, filter.topic_0);
      const { since, until, prefetch, maxItems, resume, onReorganisation, onShortfall, ...given } =
        filter;
      return { parameters: { ...given, ...topics } };
    };
    return paged(this.#call, operations.L1, { ...filter, topic_0: undefined }, options, extend);
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
      const hashed = withPaddedTopics(query);
      yield* watchLogs((...list) => paged(call, ...list), hashed, options, call, left);
    });
  }
}

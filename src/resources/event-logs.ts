// The question about event logs: L1.
import { type Operations, operations } from "../contract/index.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { type ListInput, paged } from "../lists/paged-request.ts";
import type { WatchOptions } from "../lists/watch.ts";
import type { EventLog } from "../models/event-log.ts";
import type { List } from "./list.ts";

/** Which logs of a contract, and how to read the list. */
export type EventLogsQuery = ListInput<Operations["L1"]>;
/** Which logs to watch, and how. */
export type EventLogsWatch = Omit<
  EventLogsQuery,
  "startBlock" | "endBlock" | "offset" | "resume" | "maxItems" | "onReorganisation"
> &
  WatchOptions<EventLog>;

/** Questions about event logs (L1). */
export class EventLogs {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * The event logs of a contract, by block range and topics (L1): each with the transaction it stands in, its `data` and `topic_0` to
   * `topic_3`, null beyond `topics_count`. Topics are joined by `operand`: "and" (the default) or "or".
   *
   * @example
   * for await (const log of explorer.eventLogs.list({ address: token, topic_0: transferTopic, startBlock: 80 }))
   *   console.log(log.transaction_hash, log.data);
   */
  list(query: EventLogsQuery, options?: RequestOptions): List<"L1"> {
    return paged(this.#call, operations.L1, query, options);
  }

  /**
   * The event logs of a contract that are new (L1), each once, as they come, in chain order. It goes on through errors and
   * reorganisations, which it reports, and ends when the signal does. It throws only what trying again will not mend: a
   * {@link ParameterError}, {@link AuthenticationError}, {@link InvalidRequestError}, {@link NotFoundError} or {@link RedirectError}.
   *
   * @example
   * for await (const log of explorer.eventLogs.watch({ address: token, topic_0: transferTopic, from: 80n, signal }))
   *   console.log(log.transaction_hash, log.data);
   */
  async *watch(
    query: EventLogsWatch,
    options?: RequestOptions,
  ): AsyncGenerator<EventLog, void, undefined> {
    // Loaded when something is first watched, as many programs watch nothing.
    const { watch, watchable } = await import("../lists/watch.ts");
    const { pollInterval, from, depth, signal, onReorganisation, onError, ...filter } = query;
    const list = watchable(this.#call, operations.L1, filter, options, (log) => log);
    const until = signal ?? options?.signal;
    yield* watch([list], { pollInterval, from, depth, signal: until, onReorganisation, onError });
  }
}

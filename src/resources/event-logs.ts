// The question about event logs: L1.
import { type Operations, operations } from "../contract/index.ts";
import { type ListInput, paged } from "../pagination.ts";
import type { Call, RequestOptions } from "../transport/call.ts";
import type { List } from "./list.ts";

export type EventLogsQuery = ListInput<Operations["L1"]>;

/** Questions about event logs (L1). */
export class EventLogs {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * The event logs of a contract, by block range and topics (L1).
   *
   * @example
   * for await (const log of explorer.eventLogs.list({ address: token, topic_0: transferTopic, startBlock: 100 }))
   *   console.log(log.transaction_hash, log.data);
   */
  list(query: EventLogsQuery, options?: RequestOptions): List<"L1"> {
    return paged(this.#call, operations.L1, query, options);
  }
}

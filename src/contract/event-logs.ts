// The operation on event logs: L1 (specification 4.6).
import { eventLogKind } from "../models/event-log.ts";
import { address, defaulted, hash, optional } from "../models/primitives.ts";
import { operation, pageOf } from "./operation.ts";
import { blockRange, oneOf, paging } from "./parameters.ts";

export const L1 = /*#__PURE__*/ operation({
  id: "L1",
  name: "eventLogs.list",
  method: "GET",
  path: "/v1/event-logs",
  parameters: {},
  query: {
    address,
    ...paging,
    ...blockRange,
    // Spelled so by the specification; deployments also understand the English word (S15).
    type: defaulted(oneOf(["single", "conbine"], { combine: "conbine" }), "conbine"),
    topic_0: optional(hash),
    topic_1: optional(hash),
    topic_2: optional(hash),
    topic_3: optional(hash),
    operand: defaulted(oneOf(["and", "or"]), "and"),
  },
  results: pageOf(eventLogKind),
  summary: "Event logs of a contract, by block range and topics",
});

// The operation on event logs: L1 (specification 4.6).
import * as z from "zod/mini";
import { EventLog } from "../models/event-log.ts";
import { address, hash, oneOf } from "../models/primitives.ts";
import { identities } from "./lists.ts";
import { operation, pageOf } from "./operation.ts";
import { blockRange, paging } from "./parameters.ts";
import { paths } from "./paths.ts";

export const eventLogs = {
  L1: operation({
    id: "L1",
    name: "eventLogs.list",
    path: paths.L1,
    parameters: {},
    query: {
      address,
      ...paging,
      ...blockRange,
      // The specification spells it "conbine"; deployments also accept "combine" (S15).
      type: z._default(oneOf(["single", "conbine"], { combine: "conbine" }), "conbine"),
      topic_0: z.optional(hash),
      topic_1: z.optional(hash),
      topic_2: z.optional(hash),
      topic_3: z.optional(hash),
      operand: z._default(oneOf(["and", "or"]), "and"),
    },
    results: pageOf(EventLog),
    list: {
      identity: identities.eventLogs,
      place: "time",
      // Without the log index, because a reorganisation changes it.
      lastingIdentity: ["transaction_hash", "topic_0", "topic_1", "topic_2", "topic_3", "data"],
    },
  }),
};

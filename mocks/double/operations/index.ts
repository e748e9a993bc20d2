// The API of the specification: the contract's operations, and who answers each.
import { type OperationId, operations } from "../../../src/contract/index.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Api } from "../service/api.ts";
import { MAX_BODY_VALUES } from "../service/message.ts";
import * as accounts from "./accounts.ts";
import { B1 } from "./blocks.ts";
import * as contracts from "./contracts.ts";
import * as eventLogs from "./event-logs.ts";
import type { OperationHandlers, Services } from "./handler.ts";
import { headReads } from "./head-reads.ts";
import * as tokens from "./tokens.ts";
import * as transactions from "./transactions.ts";

/** The handlers by the number of their operation. */
export const operationHandlers: OperationHandlers = {
  ...tokens,
  ...accounts,
  ...transactions,
  ...contracts,
  B1,
  ...eventLogs,
};

/** `/v1`. */
export const service: Api<OperationId, ChainReader, Services> = {
  operations,
  handlers: operationHandlers,
  headReads,
  unknownParameters: "ignored",
  maxValues: MAX_BODY_VALUES,
  traced: new Set<OperationId>(["A3", "X3"]),
};

// The handlers of all operations.
import * as accounts from "./accounts.ts";
import { B1 } from "./blocks.ts";
import * as contracts from "./contracts.ts";
import * as eventLogs from "./event-logs.ts";
import type { OperationHandlers } from "./handler.ts";
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

// The contract: all operations of the service.
import { accounts } from "./accounts.ts";
import { blocks } from "./blocks.ts";
import { contracts } from "./contracts.ts";
import { eventLogs } from "./event-logs.ts";
import { tokens } from "./tokens.ts";
import { transactions } from "./transactions.ts";

/** Every operation of the service, by its number in the specification. */
export const operations = {
  ...tokens,
  ...accounts,
  ...transactions,
  ...contracts,
  ...blocks,
  ...eventLogs,
} as const;

/** The type of {@link operations}: `Operations["A2"]` is the definition of A2. */
export type Operations = typeof operations;
/** The number of an operation in the specification: "A2". */
export type OperationId = keyof Operations;

export type { AnySchema } from "../models/schema.ts";
export { limits } from "./lists.ts";
export type {
  AnyOperation,
  FailureMeaning,
  Finality,
  Operation,
  OperationArguments,
  OperationInput,
  OperationResults,
  OperationResultsWire,
  RecordList,
} from "./operation.ts";
export { checkInput } from "./operation.ts";
export { isOptional } from "./parameters.ts";

// The contract: all operations of the service, by their number in the specification.
import * as accounts from "./accounts.ts";
import * as blocks from "./blocks.ts";
import * as contracts from "./contracts.ts";
import * as eventLogs from "./event-logs.ts";
import * as tokens from "./tokens.ts";
import * as transactions from "./transactions.ts";

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
export { isOptional, limits } from "./parameters.ts";

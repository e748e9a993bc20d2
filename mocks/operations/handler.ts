// The handlers of the specification's operations: functions of the chain and the checked parameters that know no HTTP beyond a status.
import type { OperationArguments, OperationId, Operations } from "../../src/contract/index.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Handler, HandlerTable, HeadReads } from "../message/api.ts";
import type { Verify } from "./verify.ts";

/** The parameters of an operation, checked and with defaults filled in. */
export type OperationArgumentsOf<Id extends OperationId> = OperationArguments<Operations[Id]>;

/** What handlers need besides the chain; an operation without its service responds 501. */
export interface Services {
  readonly verify?: Verify | undefined;
}

/** Computes the results of one operation from a chain. */
export type OperationHandler<Id extends OperationId> = Handler<
  Operations[Id],
  ChainReader,
  Services
>;

/** One handler for each operation of the contract; a missing or ill-typed one does not compile. */
export type OperationHandlers = HandlerTable<Operations, ChainReader, Services>;

/** What each operation reads of the state at the head; a missing one does not compile. */
export type OperationHeadReads = HeadReads<Operations, ChainReader>;

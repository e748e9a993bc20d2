// The types of the specification's handlers: functions of a chain and checked parameters, without
// HTTP beyond a status.
import type { OperationArguments, OperationId, Operations } from "../../src/contract/index.ts";
import type { Handler, HandlerTable, HeadReads } from "../message/api.ts";
import type { Verify } from "./verify.ts";

/** The parameters of an operation, checked and with defaults filled in. */
export type OperationArgumentsOf<Id extends OperationId> = OperationArguments<Operations[Id]>;

/** The services that handlers use besides the chain. Without a verifier, C3 responds 501. */
export interface Services {
  readonly verify?: Verify | undefined;
}

/** Computes the results of one operation from a chain. */
export type OperationHandler<Id extends OperationId> = Handler<Operations[Id], Services>;

/**
 * A handler for each operation of the contract. A missing or ill-typed handler does not compile.
 */
export type OperationHandlers = HandlerTable<Operations, Services>;

/** The state at the head that each operation reads. A missing entry does not compile. */
export type OperationHeadReads = HeadReads<Operations>;

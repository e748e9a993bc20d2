// Calls the admin API with the reader's token.
import type {
  AnyOperation,
  OperationInput,
  OperationResults,
} from "../../../src/contract/index.ts";
import {
  type AdminOperationId,
  type AdminOperations,
  adminOperations,
  TOKEN_HEADER,
} from "../../port/admin/operations.ts";
import { adminToken } from "../store.ts";
import { askOperation } from "./call.ts";

type ResultsOf<Id extends AdminOperationId> = OperationResults<AdminOperations[Id]>;

/** A request in the journal. */
export type Entry = ResultsOf<"journal">["entries"][number];

/** Headers and bodies of a request and its response. */
export type Exchange = NonNullable<ResultsOf<"journalEntry">["exchange"]>;

export type ActiveFault = ResultsOf<"faults">["faults"][number];

/** Sends an admin operation to the explorer of the reader's API key. */
export async function admin<Id extends AdminOperationId>(
  name: Id,
  input: OperationInput<AdminOperations[Id]>,
): Promise<ResultsOf<Id>> {
  const operation: AnyOperation = adminOperations[name];
  const headers = { [TOKEN_HEADER]: adminToken.get() };
  // The types do not relate a name to the results of its operation.
  return (await askOperation(operation, input, headers)) as ResultsOf<Id>;
}

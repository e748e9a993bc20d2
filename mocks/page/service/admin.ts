// Asks the admin API, with the token that somebody gave the page.
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
import { adminToken, keyToSend } from "../store.ts";
import { askOperation } from "./call.ts";

type ResultsOf<Id extends AdminOperationId> = OperationResults<AdminOperations[Id]>;

/** One request. */
export type Entry = ResultsOf<"journal">["entries"][number];

/** A request with its response, in full. */
export type Exchange = NonNullable<ResultsOf<"journalEntry">["exchange"]>;

/** A fault that is on. */
export type ActiveFault = ResultsOf<"faults">["faults"][number];

/** The results of an operation of the admin API; with tenants, of the one that the page shows. */
export async function admin<Id extends AdminOperationId>(
  name: Id,
  input: OperationInput<AdminOperations[Id]>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<ResultsOf<Id>> {
  const operation: AnyOperation = adminOperations[name];
  const headers = { "api-key": keyToSend(), [TOKEN_HEADER]: adminToken.get() };
  // The types do not relate a name to its operation's results.
  return (await askOperation(operation, input, { ...options, headers })) as ResultsOf<Id>;
}

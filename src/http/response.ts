// Reads a response: decodes the results of a success, and throws an error for any other response.
// Loads the code for errors and invalid results when needed.
import type { AnyOperation, OperationResults } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import type { ErrorContext } from "../errors/index.ts";
import { loadRedaction } from "../errors/redact.ts";
import { decodeFast } from "../models/fast-path.ts";
import type { AnySchema } from "../models/schema.ts";
import type { ParsedResponse, ReadResponse } from "./fetch.ts";
import type { Reporting } from "./invalid.ts";
import type { PreparedRequest } from "./request.ts";
import { successIn } from "./success.ts";

/** Returns the undecoded results of a success; throws an error for any other response. */
export async function parseResponse(
  operation: AnyOperation,
  received: ReadResponse,
  context: () => ErrorContext,
): Promise<unknown> {
  const success = successIn(operation, received);
  if (success) return success.results;
  await loadRedaction();
  const { errorOf } = await loadCode(() => import("./error-response.ts"));
  throw errorOf(operation, received, context);
}

const schemaOf = (operation: AnyOperation, { wire }: PreparedRequest): AnySchema =>
  (wire.simple === true ? operation.simpleResults : undefined) ?? operation.results;

/** Decodes results; returns undefined if they are invalid, or if only zod can decode them. */
export const decodeValid = <Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  results: unknown,
): OperationResults<Op> | undefined =>
  // The types do not relate an operation's schema to its results.
  decodeFast(schemaOf(operation, request), results) as OperationResults<Op> | undefined;

/** Decodes results with zod. Throws if fields are invalid (strict), or reports them (lenient). */
export async function decodeOther<Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  received: ParsedResponse,
  reporting: Reporting,
): Promise<OperationResults<Op>> {
  await loadRedaction();
  const { decodeInvalid } = await loadCode(() => import("./invalid.ts"));
  const results = decodeInvalid(schemaOf(operation, request), request, received, reporting);
  return results as OperationResults<Op>;
}

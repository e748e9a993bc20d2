// Decodes the results by the contract; the code for invalid ones is loaded when they are first received.
import type { AnyOperation, OperationResults } from "../contract/index.ts";
import { excerpt } from "../errors/redact.ts";
import { checkOwn } from "../models/check.ts";
import { decodeFast } from "../models/fast-path.ts";
import { explain } from "../models/mismatch.ts";
import type { AnySchema } from "../models/schema.ts";
import { invalidBody, type ParsedResponse } from "./envelope.ts";
import type { Reporting } from "./invalid.ts";
import type { PreparedRequest } from "./request.ts";

const schemaOf = (operation: AnyOperation, { wire }: PreparedRequest): AnySchema =>
  (wire.simple === true ? operation.simpleResults : undefined) ?? operation.results;

/** The decoded results; undefined if they are invalid, or if only zod can decode them. */
export const decodeValid = <Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  results: unknown,
): OperationResults<Op> | undefined =>
  // The types do not relate an operation's schema to its results.
  decodeFast(schemaOf(operation, request), results) as OperationResults<Op> | undefined;

/** Decodes the results of a response; invalid fields fail the call (strict) or are reported (lenient). */
export async function decode<Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  received: ParsedResponse,
  how: Reporting,
): Promise<OperationResults<Op>> {
  const decoded = decodeValid(operation, request, received.results);
  if (decoded !== undefined) return decoded;
  const schema = schemaOf(operation, request);
  const { decodeInvalid } = await import("./invalid.ts").catch((cause: unknown) => {
    throw unexplained(schema, request, received, cause);
  });
  const kept = decodeInvalid(schema, request, received, how);
  return kept as OperationResults<Op>;
}

/** The error of invalid results while the code for them cannot be loaded: the first issue that zod finds, and why there is no more. */
function unexplained(
  schema: AnySchema,
  { operation, url }: PreparedRequest,
  { attempts, redact, response, results, text }: ParsedResponse,
  cause: unknown,
): Error {
  const [issue] = checkOwn(schema, results).issues ?? [];
  const reason = excerpt(issue ? explain(issue) : "it could not be checked", redact, 500);
  const { id, name, method } = operation;
  const context = () => ({ operation: id, operationName: name, method, url, attempts, cause });
  return invalidBody({ redact, context }, response.status, reason, text);
}

// Decodes the results by the contract; invalid fields fail the call (strict) or are reported (lenient).
import type { AnyOperation, OperationResults } from "../contract/index.ts";
import { ResponseValidationError } from "../errors/index.ts";
import { excerpt, presentable } from "../errors/redact.ts";
import { decodeFast, decodeLeniently } from "../models/fast-path.ts";
import { findIssues } from "../models/find-issues.ts";
import { check, type Issue } from "../models/issues.ts";
import type { AnySchema } from "../models/schema.ts";
import type { ParsedResponse } from "./envelope.ts";
import type { Instrumentation } from "./hooks.ts";
import type { PreparedRequest } from "./request.ts";

/** What an invalid field does: fail the call ("strict"), or stay as received and be reported ("lenient"). */
export type Validation = "strict" | "lenient";

export function decode<Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  received: ParsedResponse,
  validation: Validation,
  instrumentation?: Pick<Instrumentation, "onValidationIssue">,
): OperationResults<Op> {
  const simple = request.wire.simple === true ? operation.simpleResults : undefined;
  const schema = simple ?? operation.results;
  const decoded = decodeFast(schema, received.results);
  // The types do not relate an operation's schema to its results.
  if (decoded !== undefined) return decoded as OperationResults<Op>;

  const kept = decodeInvalid(operation, request, received, schema, validation, instrumentation);
  return kept as OperationResults<Op>;
}

/** The fields that contain the records. */
const CONTAINERS: readonly (string | number)[] = ["data", "results", "mrc_20", "mrc_721"];

/** Whether records or their containers are at this path: without them, lenient validation has no field to keep. */
const isVital = (path: Issue["path"]): boolean =>
  path.every((step) => typeof step === "number" || CONTAINERS.includes(step));

/** The results with their invalid fields as received and reported; throws if validation is strict, or records are missing. */
function decodeInvalid(
  operation: AnyOperation,
  request: PreparedRequest,
  { results, redact, response, text, attempts }: ParsedResponse,
  schema: AnySchema,
  validation: Validation,
  instrumentation: Pick<Instrumentation, "onValidationIssue"> | undefined,
): unknown {
  let found = findIssues(schema, results, isVital);
  if (found.issueCount === 0) {
    // An operation of the caller's own, with a schema that only zod can decode.
    const checked = check(schema, results);
    if (checked.issues === undefined) return checked.value;
    found = { ...checked, broken: false };
  }
  const { issueCount, broken } = found;
  const issues = found.issues.map(({ path, received, ...issue }) => ({
    ...issue,
    path: [...(operation.enveloped ? ["results"] : []), ...path].map((step) =>
      typeof step === "string" ? redact(step) : step,
    ),
    received: presentable(received, redact),
  }));
  if (validation === "strict" || broken)
    throw new ResponseValidationError(
      `Invalid response: ${issueCount === 1 ? "a field does" : `${issueCount} fields do`} not match the specification`,
      {
        operation: operation.id,
        operationName: operation.name,
        method: operation.method,
        url: request.url,
        attempts,
        issues,
        issueCount,
        httpStatus: response.status,
        body: excerpt(text, redact),
      },
    );
  for (const { path, expected, received } of issues)
    instrumentation?.onValidationIssue({
      operation: operation.id,
      name: operation.name,
      url: request.url,
      attempt: attempts,
      path: path.join("."),
      expected,
      received,
      issueCount,
    });
  return decodeLeniently(schema, results);
}

// Decodes the results by the contract; invalid fields fail the call (strict) or are reported (lenient).
import type { AnyOperation, OperationResults } from "../contract/index.ts";
import { ResponseValidationError } from "../errors/index.ts";
import { excerpt, presentable } from "../errors/redact.ts";
import { decodeLeniently } from "../models/fast-path.ts";
import { check, type Issue } from "../models/issues.ts";
import type { ParsedResponse } from "./envelope.ts";
import type { Instrumentation } from "./hooks.ts";
import type { PreparedRequest } from "./request.ts";

/** What an invalid field does: fail the call ("strict"), or stay as received and be reported ("lenient"). */
export type Validation = "strict" | "lenient";

/** The fields that contain the records. */
const CONTAINERS: readonly (string | number)[] = ["data", "results", "mrc_20", "mrc_721"];

/** Whether records or their containers are missing or not objects: lenient validation has no field to keep. */
const isFatal = ({ structural, path }: Issue): boolean =>
  structural === true &&
  path.every((step) => typeof step === "number" || CONTAINERS.includes(step));

export function decode<Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  received: ParsedResponse,
  validation: Validation,
  instrumentation: Instrumentation,
): OperationResults<Op> {
  const simple = request.wire.simple === true ? operation.simpleResults : undefined;
  const schema = simple ?? operation.results;
  const { issues, value } = check(schema, received.results);
  // The types do not relate an operation's schema to its results.
  if (issues === undefined) return value as OperationResults<Op>;

  const reported = issues.map((issue) => ({
    ...issue,
    path: operation.enveloped ? ["results", ...issue.path] : issue.path,
    received: presentable(issue.received, received.redact),
  }));
  if (validation === "strict" || issues.some(isFatal))
    throw new ResponseValidationError(
      `Invalid response: ${issues.length === 1 ? "a field does" : `${issues.length} fields do`} not match the specification`,
      {
        operation: operation.id,
        operationName: operation.name,
        method: operation.method,
        url: request.url,
        attempts: received.attempts,
        issues: reported,
        httpStatus: received.response.status,
        body: excerpt(received.text, received.redact),
      },
    );
  for (const { path, expected, received: value } of reported)
    instrumentation.onValidationIssue({
      operation: operation.id,
      name: operation.name,
      url: request.url,
      attempt: received.attempts,
      path: path.join("."),
      expected,
      received: value,
    });
  return decodeLeniently(schema, received.results) as OperationResults<Op>;
}

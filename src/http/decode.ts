// From the results as JSON to decoded values, by the contract; what is not as specified fails the call or is reported.
import type { AnyOperation, OperationResults } from "../contract/index.ts";
import { ResponseValidationError } from "../errors/index.ts";
import { excerpt, presentable } from "../errors/redact.ts";
import { decodeLeniently } from "../models/fast-path.ts";
import { check, type Issue } from "../models/issues.ts";
import type { ParsedResponse } from "./envelope.ts";
import type { Instrumentation } from "./hooks.ts";
import type { PreparedRequest } from "./request.ts";

/** What a field that is not as specified does: fail the call, or stay as received and be reported. */
export type Validation = "strict" | "lenient";

/** What leads to the records of an answer. */
const WAYS: readonly (string | number)[] = ["data", "results", "mrc_20", "mrc_721"];

/** Whether a list or an object is missing on the way to the records, or is itself the record: there is no field to keep. */
const leavesNothing = ({ structural, path }: Issue): boolean =>
  structural === true && path.every((step) => typeof step === "number" || WAYS.includes(step));

export function decode<Op extends AnyOperation>(
  operation: Op,
  request: PreparedRequest,
  received: ParsedResponse,
  validation: Validation,
  watch: Instrumentation,
): OperationResults<Op> {
  const simple = request.wire.simple === true ? operation.simpleResults : undefined;
  const schema = simple ?? operation.results;
  const { issues, value } = check(schema, received.results);
  // The schema is that of the operation, which types cannot follow from its definition to its results.
  if (issues === undefined) return value as OperationResults<Op>;

  const told = issues.map((issue) => ({
    ...issue,
    path: operation.enveloped ? ["results", ...issue.path] : issue.path,
    received: presentable(issue.received, received.redact),
  }));
  if (validation === "strict" || issues.some(leavesNothing))
    throw new ResponseValidationError(
      issues.length === 1
        ? "A field of the answer is not what the specification says"
        : `${issues.length} fields of the answer are not what the specification says`,
      {
        operation: operation.id,
        method: operation.method,
        url: request.url,
        attempts: received.attempts,
        issues: told,
        httpStatus: received.response.status,
        body: excerpt(received.text, received.redact),
      },
    );
  for (const { path, expected, received: value } of told)
    watch.onValidationIssue({
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

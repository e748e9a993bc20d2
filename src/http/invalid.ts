// Describes invalid results and parameters in full. Loaded when a response is first invalid, or
// when a caller's own zod schema gives no description of the expected value.
import type { RESULTS } from "../contract/envelope.ts";
import { ResponseValidationError } from "../errors/index.ts";
import { presentable } from "../errors/presentable.ts";
import { excerpt } from "../errors/redact.ts";
import { decodeLeniently } from "../models/fast-path.ts";
import { findIssues } from "../models/find-issues.ts";
import { check } from "../models/issues.ts";
import type { AnySchema } from "../models/schema.ts";
import type { ParsedResponse } from "./fetch.ts";
import type { Instrumentation } from "./hooks.ts";
import type { PreparedRequest } from "./request.ts";

export { check } from "../models/issues.ts";

/** Whether an invalid field fails the call ("strict"), or is kept and reported ("lenient"). */
export type Validation = "strict" | "lenient";

export interface Reporting {
  readonly validation: Validation;
  readonly instrumentation?: Pick<Instrumentation, "onValidationIssue">;
}

/**
 * Decodes results, keeps invalid fields as received, and reports them. Throws if validation is
 * strict, or if records are missing.
 */
export function decodeInvalid(
  schema: AnySchema,
  { operation, url }: PreparedRequest,
  { results, redact, response, text, attempts }: ParsedResponse,
  { validation, instrumentation }: Reporting,
): unknown {
  const invalid = findIssues(schema, results);
  const { broken, issueCount } = invalid;
  // A caller's own schema may be valid, but decodable only by zod.
  if (issueCount === 0) return check(schema, results).value;
  const issues = invalid.issues.map(({ path, received, ...issue }) => ({
    ...issue,
    path: [...(operation.enveloped ? ["results" satisfies typeof RESULTS] : []), ...path].map(
      (step) => (typeof step === "string" ? redact(step) : step),
    ),
    received: presentable(received, redact),
  }));
  if (validation === "strict" || broken)
    throw new ResponseValidationError(
      `Invalid response: ${issueCount === 1 ? "a field is" : `${issueCount} fields are`} not in the documented form`,
      {
        operation: operation.id,
        operationName: operation.name,
        method: operation.method,
        url,
        attempts,
        issues,
        issueCount,
        httpStatus: response.status,
        body: excerpt(text, redact),
      },
    );
  for (const { path, expected, received } of issues)
    instrumentation?.onValidationIssue?.({
      operation: operation.id,
      name: operation.name,
      url,
      attempt: attempts,
      path: path.join("."),
      expected,
      received,
      issueCount,
    });
  return decodeLeniently(schema, results);
}

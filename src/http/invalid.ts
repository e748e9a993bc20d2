// Describes invalid results and parameters. Loaded with the first invalid response, or when a
// caller's own zod schema does not say which value it expects.
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
 * strict, or if the results have no records.
 */
export function decodeInvalid(
  schema: AnySchema,
  { operation, url }: PreparedRequest,
  { results, redact, response, text, attempts }: ParsedResponse,
  { validation, instrumentation }: Reporting,
): unknown {
  const invalid = findIssues(schema, results);
  const { broken, issueCount } = invalid;
  // The results may be valid, but decodable only by zod if the caller has extended the schema.
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

// Checks responses against the contract: envelope, results and every field.

import { isExactEnvelope, RESULTS, readEnvelope } from "../../../src/contract/envelope.ts";
import { type AnyOperation, type OperationId, operations } from "../../../src/contract/index.ts";
import { operationLabel } from "../../../src/contract/operation-names.ts";
import { check, explain } from "../../../src/models/issues.ts";
import { jsonIn } from "../../../src/models/json.ts";

/** How to treat a response that violates the contract: respond 500 and fail the test, or log a warning. */
export type Conformance = "throw" | "warn";

/** A response that violates the contract. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly operation: OperationId;

  constructor(operation: OperationId, problem: string) {
    super(`response of ${operationLabel(operation)} violates the contract: ${problem}`);
    this.operation = operation;
  }
}

/** The violation in the results of an operation, if there is one. */
export function resultsViolation(
  id: OperationId,
  results: unknown,
  simple: boolean,
): ConformanceError | undefined {
  const operation: AnyOperation = operations[id];
  const schema = (simple && operation.simpleResults) || operation.results;
  const { issues, issueCount } = check(schema, results);
  if (issues === undefined) return undefined;
  const [first] = issues;
  const more = issueCount > 1 ? ` (and ${issueCount - 1} more)` : "";
  return new ConformanceError(id, `${RESULTS}.${explain(first)}${more}`);
}

/** The violation in a whole response, if there is one. */
export function responseViolation(
  id: OperationId,
  target: string,
  status: number,
  contentType: unknown,
  text: string,
): ConformanceError | undefined {
  const simple = /[?&]simple=true(&|$)/.test(target);
  const violation = (problem: string) => new ConformanceError(id, problem);
  if (!/^application\/json\s*(;|$)/i.test(String(contentType)))
    return violation(`expected the content type application/json, received ${contentType}`);
  const body = jsonIn(text);
  if (body === undefined)
    return violation(`expected JSON, received ${JSON.stringify(text.slice(0, 80))}`);
  const envelope = isExactEnvelope(body) ? readEnvelope(body) : undefined;
  if (status !== 200 || envelope?.success === false)
    return envelope ? undefined : violation("expected an envelope with status and message (S1)");
  if (!operations[id].enveloped) return resultsViolation(id, body, simple);
  if (!envelope) return violation("expected an envelope with status, message and results");
  return resultsViolation(id, envelope.results, simple);
}

// Whether an answer keeps the contract: envelope, results and every field in them.
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { check, explain, isObject } from "../../src/models/issues.ts";

/** What to do with an answer that breaks the contract: answer 500 instead and fail the test, or say so. */
export type Conformance = "throw" | "warn";

/** An answer that left, or would have left, without keeping the contract. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly operation: OperationId;

  constructor(operation: OperationId, what: string) {
    super(`an answer of ${operation} breaks the contract: ${what}`);
    this.operation = operation;
  }
}

/** What is wrong with the results of an operation, if anything is. */
export function resultsViolation(
  id: OperationId,
  results: unknown,
  simple: boolean,
): ConformanceError | undefined {
  const operation: AnyOperation = operations[id];
  const schema = (simple && operation.simpleResults) || operation.results;
  const { issues } = check(schema, results);
  if (issues === undefined) return undefined;
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return new ConformanceError(id, `results.${explain(first)}${more}`);
}

/** What is wrong with a whole answer, status and text, if anything is. */
export function answerViolation(
  id: OperationId,
  status: number,
  contentType: string | null,
  text: string,
  simple: boolean,
): ConformanceError | undefined {
  const broken = (what: string) => new ConformanceError(id, what);
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? ""))
    return broken(`expected the content type application/json, received ${contentType}`);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return broken(`expected JSON, received ${JSON.stringify(text.slice(0, 80))}`);
  }
  const fields = isObject(answer) ? answer : {};
  const isEnvelope = typeof fields.status === "string" && typeof fields.message === "string";
  if (status !== 200 || (isEnvelope && !isSuccess(fields)))
    return isEnvelope ? undefined : broken("expected an envelope with status and message (S1)");
  if (!operations[id].enveloped) return resultsViolation(id, answer, simple);
  if (!isEnvelope) return broken("expected an envelope with status, message and results");
  return resultsViolation(id, fields.results, simple);
}

const isSuccess = ({ status, message }: Readonly<Record<string, unknown>>): boolean =>
  status === "200" && String(message).trim().toLowerCase() === "success";

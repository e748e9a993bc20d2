// Checks a response against the contract: its content type, its envelope, and the exact form of
// every field.

import { functionsOf } from "../models/codec.ts";
import { check, describe, expectedOf, isObject } from "../models/issues.ts";
import { jsonIn } from "../models/json.ts";
import { readingOf } from "../models/reading.ts";
import { type AnySchema, definitionOf } from "../models/schema.ts";
import { isEnvelope, isExactEnvelope, RESULTS, readEnvelope } from "./envelope.ts";
import { type AnyOperation, type OperationId, operations } from "./index.ts";
import { operationLabel } from "./operation-names.ts";

/** Whether a response that violates the contract becomes a 500 and fails the test, or is logged. */
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

/** A difference between a response and its specified form. */
export interface Departure {
  /** `content type`, `body`, `envelope`, or a path such as `results.data.0.value`. */
  readonly field: string;
  readonly expected: string;
  readonly received: string;
  /** The rule by which the client accepts it; undefined if it violates the contract. */
  readonly reads?: string | undefined;
}

export interface JudgedResponse {
  readonly status: number;
  readonly contentType: unknown;
  readonly text: string;
}

/** Whether our own service adds a field: the reason of a failure (S11), fields of an ABI (S32). */
const isOurAddition = ({ failure, id }: AnyOperation, field: string): boolean =>
  id === "X1"
    ? field === `${RESULTS}.data.description`
    : failure === "not-verified" && /\.\d+\./.test(field);

/**
 * Yields the departures that the client accepts: other forms of values (R7, R13 to R16), missing
 * fields (R4) and unknown fields (R3).
 */
function* readable(schema: AnySchema, value: unknown, field: string): Generator<Departure> {
  const def = definitionOf(schema);
  const toSpecified = readingOf(schema);
  const received = describe(value);
  if (toSpecified && toSpecified(value) !== value) {
    const reads = value === "" ? "R13" : value === null ? "R15" : "R16";
    yield { field, expected: reads === "R13" ? "null" : "a list", received, reads };
  } else if (def.type === "optional" || def.type === "default")
    yield* readable(def.innerType, value, field);
  else if (def.type === "nullable") {
    if (value !== null) yield* readable(def.innerType, value, field);
  } else if (def.type === "array" && Array.isArray(value))
    for (const [index, item] of value.entries())
      yield* readable(def.element, item, `${field}.${index}`);
  else if (def.type === "object" && isObject(value)) {
    for (const [name, inner] of Object.entries(def.shape)) {
      const path = `${field}.${name}`;
      if (Object.hasOwn(value, name)) yield* readable(inner, value[name], path);
      else if (definitionOf(inner).type === "default")
        yield { field: path, expected: "the field", received: "nothing", reads: "R4" };
    }
    for (const name of Object.keys(value)) {
      const unexpected = {
        expected: "no such field",
        received: describe(value[name]),
        reads: "R3",
      };
      if (!Object.hasOwn(def.shape, name)) yield { field: `${field}.${name}`, ...unexpected };
    }
  } else {
    const codec = functionsOf(schema);
    const decoded = codec?.decode(value);
    if (codec === undefined || decoded === undefined || codec.encode(decoded) === value) return;
    const reads = decoded instanceof Date ? "R14" : "R7";
    yield { field, expected: expectedOf(schema), received, reads };
  }
}

/** Yields the departures of an operation's results, first those that violate the contract. */
function* resultsDepartures(
  operation: AnyOperation,
  results: unknown,
  simple: boolean,
): Generator<Departure> {
  const schema = (simple && operation.simpleResults) || operation.results;
  for (const { path, expected, received } of check(schema, results).issues ?? [])
    yield { field: [RESULTS, ...path].join("."), expected, received: describe(received) };
  for (const departure of readable(schema, results, RESULTS))
    if (!isOurAddition(operation, departure.field)) yield departure;
}

/** Yields the departure of an error's body from the specified envelope (S1). */
function* errorDeparture(status: number, body: unknown): Generator<Departure> {
  const { status: written, message, results, ...others } = isObject(body) ? body : {};
  const isExact = written === `${status}` && message && results === null;
  if (isExact && isExactEnvelope(body) && Object.keys(others).length === 0) return;
  yield {
    field: "envelope of errors",
    expected: "an envelope with status and message (S1)",
    received: describe(body),
    reads: isExactEnvelope(body) ? "R1" : undefined,
  };
}

/** Yields the departures of a response: a success, an error, or a failure with status 200. */
export function* responseDepartures(
  operation: AnyOperation,
  { status, contentType, text }: JudgedResponse,
  simple: boolean,
): Generator<Departure> {
  if (!/^application\/json\s*(;|$)/i.test(String(contentType)))
    yield {
      field: "content type",
      expected: "the content type application/json",
      received: String(contentType),
    };
  const body = jsonIn(text);
  if (body === undefined)
    return yield { field: "body", expected: "JSON", received: describe(text.slice(0, 80)) };
  if (status !== 200) return yield* errorDeparture(status, body);
  if (!operation.enveloped) {
    if (!isEnvelope(body)) return yield* resultsDepartures(operation, body, simple);
    yield { field: "envelope", expected: "no envelope", received: "an envelope", reads: "R2" };
    return yield* resultsDepartures(operation, readEnvelope(body).results, simple);
  }
  if (!isExactEnvelope(body))
    return yield {
      field: "envelope",
      expected: "an envelope with status, message and results",
      received: describe(body),
    };
  const { success, results } = readEnvelope(body);
  if (!success) {
    // Etherscan's envelope has `result` instead of `results`.
    if (!Object.hasOwn(body, RESULTS))
      yield {
        field: "envelope of failures",
        expected: `an envelope with status, message and ${RESULTS}`,
        received: `an object with ${Object.keys(body).slice(0, 10).join(", ")}`,
      };
    return;
  }
  const names = Object.keys(body).filter((name) => !/^(status|message|results)$/.test(name));
  if (body.status !== "200" || body.message !== "success" || names.length > 0)
    yield {
      field: "envelope",
      expected: 'status "200", message "success", results',
      received: `status ${describe(body.status)}, message ${describe(body.message)}${names.length ? ` and ${names.join(", ")}` : ""}`,
      reads: "R1",
    };
  yield* resultsDepartures(operation, results, simple);
}

function violationIn(
  id: OperationId,
  departures: Iterable<Departure>,
): ConformanceError | undefined {
  const [first, ...others] = [...departures].filter(({ reads }) => reads === undefined);
  if (first === undefined) return undefined;
  const { field, expected, received } = first;
  const place = field.startsWith(RESULTS) ? `${field}: ` : "";
  const names = others.slice(0, 20).map((departure) => departure.field);
  const more = others.length > 0 ? ` (and ${others.length} more: ${names.join(", ")})` : "";
  return new ConformanceError(id, `${place}expected ${expected}, received ${received}${more}`);
}

/** Returns the first violation in the results of an operation, if any. */
export const resultsViolation = (
  id: OperationId,
  results: unknown,
  simple: boolean,
): ConformanceError | undefined =>
  violationIn(id, resultsDepartures(operations[id], results, simple));

/** Returns the first violation in a whole response, if any. */
export const responseViolation = (
  id: OperationId,
  target: string,
  response: JudgedResponse,
): ConformanceError | undefined =>
  violationIn(
    id,
    responseDepartures(operations[id], response, /[?&]simple=true(&|$)/.test(target)),
  );

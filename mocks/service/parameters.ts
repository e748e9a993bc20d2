// Reads the parameters in a request's path, query and JSON body, and checks them against its
// operation.

import { type AnyOperation, checkInput, isOptional } from "../../src/contract/index.ts";
import { check, explain, type Issue, isObject } from "../../src/models/issues.ts";
import { InvalidJsonError, parseJson } from "../../src/models/json.ts";
import { didYouMean } from "../../src/models/suggest.ts";
import { createDecoder } from "../input/text-coding.ts";
import { ServiceError } from "../message/api.ts";
import { MAX_BODY_BYTES, type ServiceRequest } from "../message/message.ts";
import { pathOf, type RouteMatch } from "./router.ts";
import type { Api } from "./service.ts";

export type ReadParameters = {
  /** Values before the check, by their names in the specification. Faults match them. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Parameter names that the operation does not define. */
  readonly unknown: readonly string[];
} & (
  | {
      /** Checked, with defaults filled in. */
      readonly input: Readonly<Record<string, unknown>>;
    }
  | { readonly error: unknown }
);

/**
 * Decodes percent-encoding. Leaves invalid encoding as it is, so that the parameter's schema
 * refuses it.
 */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Maximum number of unknown names noted, because a query or a body has room for thousands. */
const MAX_UNKNOWN = 20;

/** Maximum length of an unknown name in a message. */
const MAX_NAME = 40;

/**
 * Adds the parameters of a query to `raw`; a repeated parameter becomes an array. Returns the
 * unknown names.
 */
function readQuery(
  query: string,
  { places, aliases }: AnyOperation,
  raw: Record<string, unknown>,
): string[] {
  if (query === "") return [];
  const unknown: string[] = [];
  for (const [spelling, value] of new URLSearchParams(query)) {
    const name = aliases[spelling] ?? spelling;
    if (!places.query.includes(spelling)) unknown.push(spelling);
    else raw[name] = Object.hasOwn(raw, name) ? [raw[name], value].flat() : value;
  }
  return unknown.slice(0, MAX_UNKNOWN);
}

/**
 * Adds the parameters in a JSON body to `raw`: its fields, or the whole body as one parameter.
 * Returns the unknown names.
 */
function readBody(
  request: ServiceRequest,
  { places: { body: bodyNames }, aliases, wholeBody, input }: AnyOperation,
  raw: Record<string, unknown>,
  maxValues: number,
): string[] {
  const mayBeMissing = bodyNames.every((name) => isOptional(input.shape[name]));
  if (bodyNames.length === 0 || (mayBeMissing && !request.body?.length)) return [];
  const body = readJson(request, maxValues);
  if (wholeBody !== undefined) {
    raw[wholeBody] = body;
    return [];
  }
  if (!isObject(body))
    throw new ServiceError(
      400,
      `body: expected a JSON object, received ${Array.isArray(body) ? "an array" : body === null ? "null" : `a ${typeof body}`}`,
    );
  for (const name of bodyNames)
    if (Object.hasOwn(body, name)) raw[aliases[name] ?? name] = body[name];
  return Object.keys(body)
    .filter((name) => !bodyNames.includes(name))
    .slice(0, MAX_UNKNOWN);
}

/** Reads all parameters of a request, and checks them by the operation's schema. */
export function readParameters(
  { id, operation, values }: RouteMatch,
  request: ServiceRequest,
  {
    inDialect,
    unknownParameters,
    maxValues,
  }: Pick<Api, "inDialect" | "unknownParameters" | "maxValues">,
): ReadParameters {
  const { target } = request;
  // Without a prototype, because a dialect may call a parameter "constructor".
  const raw: Record<string, unknown> = Object.create(null);
  const unknown: string[] = [];
  const specified = (parameters: Readonly<Record<string, unknown>>) =>
    inDialect?.(id)?.toStandard(parameters) ?? parameters;
  try {
    for (const [index, name] of operation.places.path.entries())
      raw[name] = decoded(values[index] ?? "");
    const path = pathOf(target);
    unknown.push(...readQuery(target.slice(path.length + 1), operation, raw));
    unknown.push(...readBody(request, operation, raw, maxValues));
    const refused = unknownParameters === "refused" ? unknown : [];
    return { raw: specified(raw), unknown, input: specified(checked(operation, raw, refused)) };
  } catch (error) {
    return { raw: specified(raw), unknown, error };
  }
}

/** Explains an issue, and suggests the nearest valid value. */
function explainIssue(issue: Issue): string {
  const { options, path, received } = issue;
  const hint =
    options && path.length === 1 && typeof received === "string"
      ? didYouMean(received, options)
      : "";
  return explain(issue) + hint;
}

function unknownName(spelling: string, options: readonly string[]): Issue {
  const name = spelling.slice(0, MAX_NAME);
  const expected = options.length ? `one of ${options.join(", ")}` : "no parameter";
  return { path: [name], expected, received: name, options };
}

/**
 * Returns the parameters as the schema decodes them. Throws a {@link ServiceError} 400 that lists
 * up to 20 issues.
 */
function checked(
  operation: AnyOperation,
  raw: Readonly<Record<string, unknown>>,
  refused: readonly string[],
): Readonly<Record<string, unknown>> {
  const repeated = operation.places.query.find((name) => Array.isArray(raw[name]));
  if (repeated !== undefined)
    throw new ServiceError(400, `${repeated}: expected at most once, received several times`);
  const { value, issues = [], issueCount = 0 } = checkInput(operation, raw, check);
  if (value && refused.length === 0) return value;
  const names = Object.keys(operation.input.shape);
  const lines = [...issues, ...refused.map((name) => unknownName(name, names))].map(explainIssue);
  const more = issueCount - issues.length;
  throw new ServiceError(400, [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("; "));
}

/** The number of values in JSON, nested values included. */
const valuesIn = (json: unknown): number =>
  typeof json === "object" && json !== null
    ? Object.values(json).reduce<number>((sum, value) => sum + valuesIn(value), 1)
    : 1;

const utf8 = createDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body. Throws a {@link ServiceError}: 415 for another content type or a compressed
 * body, 413 for a body that is too large, 400 for invalid JSON, or too many values or levels.
 */
function readJson(
  { headers, body = new Uint8Array() }: ServiceRequest,
  maxValues: number,
): unknown {
  const type = String(headers["content-type"] ?? "");
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new ServiceError(
      415,
      `Content-Type: expected application/json, received ${type === "" ? "none" : JSON.stringify(type.slice(0, 80))}`,
    );
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity")
    throw new ServiceError(
      415,
      `Content-Encoding: expected none, received ${JSON.stringify(`${coding}`.slice(0, 80))}`,
    );
  if (body.length > MAX_BODY_BYTES)
    throw new ServiceError(413, `the body is larger than ${MAX_BODY_BYTES} bytes`);
  let json: unknown;
  try {
    json = parseJson(utf8.decode(body));
  } catch (error) {
    const isExplained = error instanceof InvalidJsonError;
    throw new ServiceError(400, isExplained ? error.message : "the body is not UTF-8");
  }
  // Limits the values, because checking and explaining a million of them would take seconds.
  if (valuesIn(json) > maxValues)
    throw new ServiceError(400, `body: expected at most ${maxValues} values, received more`);
  return json;
}

// Reads and checks the parameters of a request, as the contract defines them.
import { type AnyOperation, checkInput } from "../../src/contract/index.ts";
import { explain, type Issue, isObject } from "../../src/models/issues.ts";
import { maxBodyValues, type ServiceRequest } from "../message.ts";
import { ServiceError } from "../operations/handler.ts";
import { didYouMean } from "../suggest.ts";
import { readJson } from "./json-body.ts";
import type { Route } from "./router.ts";

/** Invalid encoding stays as it is: the parameter's schema refuses it. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How many ignored names of a query or a body are noted: they have room for thousands. */
const maxIgnored = 20;

/** Unknown names are ignored (S5) and returned; a known name twice is an error. */
function readQuery(
  query: string,
  known: readonly string[],
  raw: Record<string, unknown>,
): string[] {
  const ignored: string[] = [];
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const [key, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const name = decoded(key.replaceAll("+", " "));
    if (!known.includes(name)) {
      if (ignored.length < maxIgnored) ignored.push(name);
    } else if (Object.hasOwn(raw, name))
      throw new ServiceError(400, `${name}: expected at most once, received several times`);
    else raw[name] = decoded(value.replaceAll("+", " "));
  }
  return ignored;
}

/** The fields of a JSON body; unknown ones are ignored as they are in the query. */
function readBody(
  request: ServiceRequest,
  known: readonly string[],
  raw: Record<string, unknown>,
): string[] {
  const fields = readJson(request, maxBodyValues);
  if (!isObject(fields))
    throw new ServiceError(
      400,
      `body: expected a JSON object, received ${Array.isArray(fields) ? "an array" : fields === null ? "null" : `a ${typeof fields}`}`,
    );
  for (const name of known) if (Object.hasOwn(fields, name)) raw[name] = fields[name];
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .slice(0, maxIgnored);
}

/** Collects all parameters of a request in `raw`, unchecked; returns the names that are ignored. */
export function collectParameters(
  { operation, names }: Route,
  values: readonly string[],
  query: string,
  request: ServiceRequest,
  raw: Record<string, unknown>,
): readonly string[] {
  for (const [index, name] of names.entries()) raw[name] = decoded(values[index] ?? "");
  const ignored = readQuery(query, operation.places.query, raw);
  if (operation.places.body.length) ignored.push(...readBody(request, operation.places.body, raw));
  return ignored;
}

/** The message of an issue, with the nearest valid value. */
function explainIssue(issue: Issue): string {
  const { options, path, received } = issue;
  const hint =
    options && path.length === 1 && typeof received === "string"
      ? didYouMean(received, options)
      : "";
  return explain(issue) + hint;
}

/** The message of all issues, up to the first 20. */
export function explainIssues(issues: readonly Issue[], issueCount: number): string {
  const lines = issues.map(explainIssue);
  const more = issueCount - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** Checks the parameters against the contract and fills in defaults. */
export function checkParameters(
  operation: AnyOperation,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { value, issues, issueCount } = checkInput(operation, raw);
  if (issues) throw new ServiceError(400, explainIssues(issues, issueCount));
  return value;
}

// Reads and checks the parameters of a request, as the contract defines them.
import { type AnyOperation, checkInput } from "../../src/contract/index.ts";
import { explain, type Issue, isObject } from "../../src/models/issues.ts";
import { maxBodyBytes, type ServiceRequest } from "../message.ts";
import { ServiceError } from "../operations/handler.ts";
import { didYouMean } from "../suggest.ts";
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
    if (!known.includes(name)) ignored.push(name);
    else if (Object.hasOwn(raw, name))
      throw new ServiceError(400, `${name}: expected at most once, received several times`);
    else raw[name] = decoded(value.replaceAll("+", " "));
  }
  return ignored;
}

/** How many ignored fields of a body are noted: it has room for thousands. */
const maxIgnored = 20;

const contentType = "content-type";
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The fields of a JSON body; unknown ones are ignored as they are in the query. */
function readBody(
  { headers, body = new Uint8Array() }: ServiceRequest,
  known: readonly string[],
  raw: Record<string, unknown>,
): string[] {
  const type = String(headers[contentType] ?? "");
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new ServiceError(
      415,
      `Content-Type: expected application/json, received ${type === "" ? "none" : JSON.stringify(type.slice(0, 80))}`,
    );
  if (body.length > maxBodyBytes)
    throw new ServiceError(413, `the body is larger than ${maxBodyBytes} bytes`);
  const fields = jsonObject(body);
  for (const name of known) if (Object.hasOwn(fields, name)) raw[name] = fields[name];
  return Object.keys(fields).filter((name) => !known.includes(name));
}

function jsonObject(body: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    throw new ServiceError(400, "body: expected JSON, received something else");
  }
  if (!isObject(value))
    throw new ServiceError(
      400,
      `body: expected a JSON object, received ${Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`}`,
    );
  return { ...value };
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
  if (operation.places.body.length)
    ignored.push(...readBody(request, operation.places.body, raw).slice(0, maxIgnored));
  return ignored;
}

/** The message of an issue, with the nearest valid value. */
export function explainIssue(issue: Issue): string {
  const { options, path, received } = issue;
  const hint =
    options && path.length === 1 && typeof received === "string"
      ? didYouMean(received, options)
      : "";
  return explain(issue) + hint;
}

/** Checks the parameters against the contract and fills in defaults. */
export function checkParameters(
  operation: AnyOperation,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { value, issues } = checkInput(operation, raw);
  if (issues) throw new ServiceError(400, issues.map(explainIssue).join("; "));
  return value;
}

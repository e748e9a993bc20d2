// Reads an operation's parameters out of a request: the contract says where each travels and what it may be.
import { type AnyOperation, checkInput } from "../../src/contract/index.ts";
import { explain, type Issue, isObject } from "../../src/models/issues.ts";
import { maxBodyBytes, type ServiceRequest } from "../message.ts";
import { ServiceError } from "../operations/handler.ts";
import { didYouMean } from "../suggest.ts";
import type { Route } from "./router.ts";

/** Text that is not properly encoded stays as it is: the parameter's schema refuses it. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Unknown names are ignored (S5); a known name twice is a contradiction. */
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

/** So many are looked at: a body has room for thousands. */
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

/** Gathers all parameters of a request in `raw`, unchecked; tells the names that no parameter has. */
export function collectParameters(
  { operation, names }: Route,
  values: readonly string[],
  query: string,
  question: ServiceRequest,
  raw: Record<string, unknown>,
): readonly string[] {
  for (const [index, name] of names.entries()) raw[name] = decoded(values[index] ?? "");
  const ignored = readQuery(query, operation.places.query, raw);
  if (operation.places.body.length)
    ignored.push(...readBody(question, operation.places.body, raw).slice(0, maxIgnored));
  return ignored;
}

/** What is wrong, naming the parameter, and what was probably meant. */
export function explainIssue(issue: Issue): string {
  const { options, path, received } = issue;
  const hint =
    options && path.length === 1 && typeof received === "string"
      ? didYouMean(received, options)
      : "";
  return explain(issue) + hint;
}

/** The parameters, checked against the contract and with defaults filled in. */
export function checkParameters(
  operation: AnyOperation,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { value, issues } = checkInput(operation, raw);
  if (issues) throw new ServiceError(400, issues.map(explainIssue).join("; "));
  return value;
}

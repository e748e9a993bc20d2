// Requests of the journal as code: a curl command, or a call of the client.
import { type AnyOperation, type OperationId, operations } from "../../../src/contract/index.ts";
import { asObject } from "../../../src/models/json.ts";
import type { Entry, Exchange } from "../service/admin.ts";

/** A request as the journal lists it. */
type SentRequest = Pick<Entry, "method" | "target" | "status" | "operation" | "input">;

/** A request as it was sent, with the status of its response. */
export type RawRequest = Pick<Entry, "method" | "target" | "status"> &
  Pick<Exchange["request"], "headers" | "body" | "encoding">;

export const sentOperation = ({ operation }: Pick<Entry, "operation">): AnyOperation | undefined =>
  operation !== undefined && Object.hasOwn(operations, operation)
    ? operations[operation as OperationId]
    : undefined;

/** Returns undefined if the journal no longer has the whole body. */
export function rawRequestOf(
  { method, target, status }: SentRequest,
  exchange: Exchange | null,
): RawRequest | undefined {
  if (exchange?.request.missing) return undefined;
  if (exchange) return { method, target, status, ...exchange.request };
  if (method !== "GET" && method !== "HEAD") return undefined;
  return { method, target, status, headers: { "api-key": HIDDEN }, body: "", encoding: "text" };
}

const literal = (value: unknown): string => JSON.stringify(value);

/** `{ limit: 3, condition: "from" }` */
const objectOf = (fields: readonly (readonly [string, unknown])[]): string =>
  `{ ${fields.map(([name, value]) => `${name}: ${literal(value)}`).join(", ")} }`;

/** Returns undefined if the request matches no operation or its parameters were refused. */
export function clientCodeOf(request: SentRequest): string | undefined {
  const operation = sentOperation(request);
  const { input, target } = request;
  if (operation === undefined || input === undefined) return undefined;
  const { path, query, body } = operation.places;
  const inQuery = new URLSearchParams(target.split("?")[1]);
  // The client sends defaults too, so the code leaves them out.
  const isDefault = (name: string) => {
    const { defaultValue } = asObject(operation.input.shape[name]?._zod.def);
    return defaultValue !== undefined && `${defaultValue}` === `${input[name]}`;
  };
  const call = (name: string, ...list: readonly string[]) =>
    `await explorer.${name}(${list.join(", ")});`;
  if (operation.id === "A1") return call("accounts.balances", literal(input.addresses));
  if (operation.id === "B1") return call(operation.name, `${input.block_number}n`);
  const options = [
    ...query.filter((name) => inQuery.has(name) && !isDefault(name)),
    ...body.filter((name) => input[name] !== undefined),
  ].map((name) => [name, input[name]] as const);
  const positional = path.map((name) => literal(input[name]));
  return call(operation.name, ...positional, ...(options.length > 0 ? [objectOf(options)] : []));
}

/** Writes a value as code, its lines indented by `indent`. */
export function codeOf(value: unknown, indent = ""): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Date) return `new Date("${value.toISOString()}")`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => codeOf(item, inner))
    : Object.entries(value).map(([name, item]) => `${propertyOf(name)}: ${codeOf(item, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

const propertyOf = (name: string): string =>
  /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);

/** Headers that curl sends itself, and those of a connection. */
const IGNORED =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|user-agent|accept|accept-encoding|accept-language|origin|referer|cookie|authorization|proxy-.*|sec-.*|admin-token)$/;

/** The journal's placeholder for an API key. */
const HIDDEN = "[api-key]";

/** Quotes a text as one word of a shell. A hidden key becomes an environment variable. */
const quoted = (text: string): string =>
  text
    .split(HIDDEN)
    .map((part) => `'${part.replaceAll("'", "'\\''")}'`)
    .join('"$EXPLORER_API_KEY"');

function headersOf({ headers, body }: RawRequest): readonly string[] {
  const sent = Object.entries(headers)
    .filter(([name]) => !IGNORED.test(name))
    // A semicolon makes curl send a header without a value.
    .map(([name, value]) =>
      value === HIDDEN
        ? `-H "${name}: $EXPLORER_API_KEY"`
        : `-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`,
    );
  // Otherwise curl adds the type of an HTML form.
  const hasType = body === "" || headers["content-type"] !== undefined;
  return hasType ? sent : [...sent, "-H 'content-type:'"];
}

/** The command that sends a request again. Returns undefined for a body that is not text. */
export function curlOf(request: RawRequest | undefined, origin: string): string | undefined {
  if (request === undefined || request.encoding === "base64") return undefined;
  const { method, target, body } = request;
  const verb = method === (body === "" ? "GET" : "POST") ? [] : [`-X ${quoted(method)}`];
  return [
    "curl --globoff --path-as-is",
    ...(method === "HEAD" ? ["--head"] : verb),
    quoted(origin + target),
    ...headersOf(request),
    ...(body === "" ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(" ");
}

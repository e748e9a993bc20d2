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
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|user-agent|accept-encoding|accept-language|origin|referer|cookie|authorization|proxy-.*|sec-.*|admin-token)$/;

/** The journal's placeholder for an API key. */
const HIDDEN = "[api-key]";

/** Quotes a text as one word of a shell. A hidden key becomes an environment variable. */
const quoted = (text: string): string =>
  text
    .split(HIDDEN)
    .map((part) => `'${part.replaceAll("'", "'\\''")}'`)
    .join('"$EXPLORER_API_KEY"');

/** Linux refuses an argument of more than 128 KiB. */
const MAX_WORD = 100_000;

const utf8 = new TextEncoder();
const toBase64 = (text: string): string =>
  btoa(Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join(""));

function keyHeader({ headers, status }: RawRequest): readonly string[] {
  const key = headers["api-key"];
  if (key === undefined) return [];
  if (key === "") return ["-H 'api-key;'"];
  // The command must fail as the request did, so it sends a key that no service knows.
  return [status === 401 ? "-H 'api-key: not-a-key'" : '-H "api-key: $EXPLORER_API_KEY"'];
}

function headersOf(request: RawRequest): readonly string[] {
  const sent = Object.entries(request.headers).filter(
    ([name]) => name !== "api-key" && !IGNORED.test(name),
  );
  // An empty value keeps curl from adding the header.
  const type = request.body !== "" && request.headers["content-type"] === undefined;
  return [
    ...keyHeader(request),
    ...sent.map(([name, value]) => `-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`),
    ...(type ? ["-H 'content-type:'"] : []),
    ...(request.headers.accept === undefined ? ["-H 'accept:'"] : []),
  ];
}

/** The command that sends a request again, broken ones byte for byte. */
export function curlOf(request: RawRequest | undefined, origin: string): string | undefined {
  if (request === undefined) return undefined;
  const { method, target, body, encoding } = request;
  const isPlain = target.startsWith("/") && !/[#\s]/.test(target);
  const isWord = encoding === "text" && body.length <= MAX_WORD && !body.includes("\0");
  const bytes = encoding === "base64" ? body : toBase64(body);
  const verb = method === (body === "" ? "GET" : "POST") ? [] : [`-X ${quoted(method)}`];
  const data = isWord ? `--data-raw ${quoted(body)}` : "-H 'expect:' --data-binary @-";
  const command = [
    "curl --globoff --path-as-is",
    ...(method === "HEAD" ? ["--head"] : verb),
    ...(isPlain
      ? [quoted(origin + target)]
      : [`--request-target ${quoted(target)}`, quoted(origin)]),
    ...headersOf(request),
    ...(body === "" ? [] : [data]),
  ].join(" ");
  return body === "" || isWord ? command : `printf %s '${bytes}' | base64 -d | ${command}`;
}

// A request of the journal as a curl command, and decoded results as code.
import type { Entry, Exchange } from "../service/admin.ts";

/** A request as it was sent. */
export type RawRequest = Pick<Entry, "method" | "target"> &
  Pick<Exchange["request"], "headers" | "body" | "encoding" | "missing">;

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

/** The command that sends a request again. Returns undefined for a body that is cut or not text. */
export function curlOf(request: RawRequest, origin: string): string | undefined {
  if (request.missing || request.encoding === "base64") return undefined;
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

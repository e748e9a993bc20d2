// The requests of the journal: those that the page keeps, and each as the client, a test or curl would send it.

import { type AnyOperation, type OperationId, operations } from "../../../src/contract/index.ts";
import { asObject, jsonIn } from "../../../src/models/json.ts";
import type { Entry, Exchange } from "../service/admin.ts";

/** Older requests are not kept on the page. */
export const MAX_ENTRIES = 1000;

/** The entries with those that changed in their places, and the newest of them all. */
export function merged(
  entries: readonly Entry[],
  changed: readonly Entry[],
  most = MAX_ENTRIES,
): readonly Entry[] {
  if (changed.length === 0) return entries;
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  for (const entry of changed) byNumber.set(entry.number, entry);
  return [...byNumber.values()].sort((one, other) => one.number - other.number).slice(-most);
}

/** What is needed of an entry of the journal. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly operation?: string | undefined;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** A request with its number and how it ended. */
type NotedRequest = SentRequest & Pick<Entry, "number" | "status" | "message">;

export const sentOperation = ({ operation }: SentRequest): AnyOperation | undefined =>
  operation !== undefined && Object.hasOwn(operations, operation)
    ? operations[operation as OperationId]
    : undefined;

/** The request as it came; of one that is no longer kept, what its entry says; undefined where its body is not known to the end. */
export function rawRequestOf(
  entry: NotedRequest,
  exchange: Exchange | null,
): RawRequest | undefined {
  const { method, target, status, input } = entry;
  if (exchange?.request.missing) return undefined;
  if (exchange) return { method, target, status, ...exchange.request };
  if (input === undefined && method !== "GET" && method !== "HEAD") return undefined;
  const body = sentOperation(entry)?.places.body ?? [];
  const given = body.flatMap((name) => (input?.[name] === undefined ? [] : [[name, input[name]]]));
  const headers = { "api-key": "[api-key]" };
  const sent =
    body.length > 0
      ? {
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(Object.fromEntries(given)),
        }
      : { headers, body: "" };
  return { method, target, status, ...sent, encoding: "text" };
}

const literal = (value: unknown): string => JSON.stringify(value);

/** `{ limit: 3, condition: "from" }` */
const objectOf = (fields: readonly (readonly [string, unknown])[]): string =>
  `{ ${fields.map(([name, value]) => `${name}: ${literal(value)}`).join(", ")} }`;

/** The call of the client that sends it; undefined where no operation is meant, or its parameters were refused. */
function callOf(request: SentRequest): string | undefined {
  const operation = sentOperation(request);
  const { input, target } = request;
  if (operation === undefined || input === undefined) return undefined;
  const { path, query, body } = operation.places;
  const inQuery = new URLSearchParams(target.split("?")[1]);
  // The client sends defaults, too.
  const isDefault = (name: string) => {
    const { defaultValue } = asObject(operation.input.shape[name]?._zod.def);
    return defaultValue !== undefined && `${defaultValue}` === `${input[name]}`;
  };
  const options = query
    .filter((name) => inQuery.has(name) && !isDefault(name))
    .map((name) => [name, input[name]] as const);
  const inBody = body
    .filter((name) => input[name] !== undefined)
    .map((name) => [name, input[name]] as const);
  const call = (...given: readonly string[]) =>
    `explorer.${operation.id === "A1" ? "accounts.balances" : operation.name}(${given.join(", ")})`;
  if (operation.id === "A1") return call(literal(input.addresses));
  const positional = path.map((name) => literal(input[name]));
  if (operation.id === "B1") return call(`${input.block_number}n`);
  const rest = [...options, ...inBody];
  return call(...positional, ...(rest.length > 0 ? [objectOf(rest)] : []));
}

/** The statement of the client that sends it; undefined where no operation is meant, or its parameters were refused. */
export function clientCodeOf(request: SentRequest): string | undefined {
  const call = callOf(request);
  return call && `await ${call};`;
}

/** A request of the journal, and what the client makes of its response: results or an error. */
export interface Recorded {
  readonly entry: NotedRequest;
  readonly exchange: Exchange | null;
  readonly outcome?: ClientOutcome | undefined;
}

export type ClientOutcome =
  | { readonly results: unknown }
  | { readonly error: { readonly name: string; readonly httpStatus?: number | undefined } };

/** The properties of a fault that say when it applies: in a test, it applies to the next request. */
const CONDITIONS = [
  "nth",
  "probability",
  "once",
  "times",
  "until",
  "untilBlock",
  "address",
  "operation",
];

/** The fault that does to the next request what one of these did to this one. */
function nextFault(
  fault: Readonly<Record<string, unknown>>,
  { message }: NotedRequest,
  { response }: Exchange,
): object {
  if (fault.fault === "token-bucket" || fault.fault === "rate-limit") {
    // A test has no time to be over a limit, or to wait until it is not.
    const headers = { "retry-after": response.headers["retry-after"] ?? "1" };
    return { fault: "status", status: 429, message, headers, once: true };
  }
  const effect = Object.entries(fault).filter(([name]) => !CONDITIONS.includes(name));
  return { ...Object.fromEntries(effect), once: true };
}

/** The HTTP status that an error of the client has. */
export function httpStatusOf(error: unknown): number | undefined {
  const { httpStatus } = asObject(error);
  return typeof httpStatus === "number" ? httpStatus : undefined;
}

/** Longer results are compared by their number alone. */
const MAX_EXPECTED = 4000;

/** What the client's method returns of results: the payload alone. */
function payloadOf(results: object): unknown {
  const { data } = asObject(results);
  if (Object.keys(results).join() !== "data") return results;
  const values = Array.isArray(data) ? [] : Object.values(asObject(data));
  return values.length === 1 ? values[0] : data;
}

/** What a matcher says of these results. */
function expectationOf(results: unknown, operation: string | undefined): string {
  const value = operation === "C3" ? results : payloadOf(asObject(results));
  const code = codeOf(value, "  ");
  if (typeof value !== "object") return `.resolves.toBe(${code})`;
  if (code.length <= MAX_EXPECTED) return `.resolves.toMatchObject(${code})`;
  const { count, data } = asObject(results);
  if (Array.isArray(data) && typeof count === "number")
    return `.resolves.toMatchObject({ count: ${count} })`;
  return ".resolves.toBeDefined()";
}

/** The lines of a test that make a request, and say what was received. */
function linesOf({ entry, exchange, outcome }: Recorded): readonly string[] {
  const { number, method, target, status } = entry;
  const faults = exchange?.faults ?? [];
  const lines = [
    `// #${number}: ${method} ${target.replaceAll(/\s/g, " ").slice(0, 120)}`,
    ...faults.flatMap((fault) =>
      exchange ? [`mock.faults.add(${JSON.stringify(nextFault(fault, entry, exchange))});`] : [],
    ),
  ];
  const call = callOf(entry);
  if (call !== undefined && outcome !== undefined) {
    // The client asks for balances in batches, and returns them in another form.
    if (entry.operation === "A1" && "results" in outcome)
      return [...lines, `await expect(${call}).resolves.toBeDefined();`];
    if ("results" in outcome)
      return [...lines, `await expect(${call})${expectationOf(outcome.results, entry.operation)};`];
    return [
      ...lines,
      `await expect(${call}).rejects.toMatchObject(${JSON.stringify(outcome.error)});`,
    ];
  }
  const raw = rawRequestOf(entry, exchange);
  // The faults would apply to the next one.
  if (raw === undefined)
    return [...lines.slice(0, 1), "// Left out: its body is not kept in full."];
  const { headers, body, encoding } = raw;
  const type = headers["content-type"];
  const kept = {
    ...(headers["api-key"] && { "api-key": "any" }),
    ...(type !== undefined && { "content-type": type }),
  };
  const init = [
    ...(method === "GET" ? [] : [`method: ${literal(method)}`]),
    `headers: ${literal(kept)}`,
    ...(body === "" || encoding === "base64" ? [] : [`body: ${literal(body)}`]),
  ];
  const request = `mock.fetch(mock.baseUrl + ${literal(target)}, { ${init.join(", ")} })`;
  return [
    ...lines,
    status === 0
      ? `await expect(${request}).rejects.toThrow();`
      : `expect((await ${request}).status).toBe(${status});`,
  ];
}

/** Where the chain of a test comes from. */
export interface TestChain {
  readonly kind: string;
  /** The name of a folder, or the host and port of a node. */
  readonly name: string | null;
}

/** The chain in a test: how it is made, and what the test imports for it. */
function chainOf({ kind, name }: TestChain): readonly [name: string, code: string] {
  if (kind === "demo") return ["loadDemo", "await loadDemo({ verified: true })"];
  if (kind === "folder") return ["loadChain", `await loadChain(${literal(name)})`];
  if (kind === "node") return ["followNode", `await followNode(${literal(`http://${name}`)})`];
  return ["buildChain", "buildChain() /* the chain of your test */"];
}

/** A vitest test that sends these requests again, each with the faults that applied, and expects the responses received. */
export function testOf(recorded: readonly Recorded[], source: TestChain): string {
  const [maker, chain] = chainOf(source);
  const isNode = source.kind === "node";
  const body = recorded.flatMap((one) => linesOf(one));
  return `${[
    'import { ExplorerClient } from "mrc-explorer";',
    `import { createExplorer, ${maker} } from "mrc-explorer/mocks/node";`,
    'import { expect, test } from "vitest";',
    "",
    'test("answers as recorded", async () => {',
    `  const chain = ${chain};`,
    "  const mock = createExplorer({ chain });",
    "  // Without retries, each call is one request, as it was.",
    '  const options = { apiKey: "any", retry: 0, timeout: 2000 };',
    "  const explorer = new ExplorerClient({ ...options, baseUrl: mock.baseUrl, fetch: mock.fetch });",
    "",
    ...body.map((line) => `  ${line}`),
    ...(isNode ? ["  await chain.close();"] : []),
    "});",
  ].join("\n")}\n`;
}

/** The code of a value, in lines of `indent` and more spaces. */
export function codeOf(value: unknown, indent = ""): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Date) return `new Date("${value.toISOString()}")`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => codeOf(one, inner))
    : Object.entries(value).map(([name, one]) => `${propertyOf(name)}: ${codeOf(one, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

/** A property of that name, also in a literal. */
const propertyOf = (name: string): string =>
  name === "__proto__"
    ? '["__proto__"]'
    : /^[a-z_$][\w$]*$/i.test(name)
      ? name
      : JSON.stringify(name);

/** What is needed of a request. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** 401 where its key was refused. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly encoding: "text" | "base64";
}

/** What programs send on their own, or what belongs to a connection. */
const IGNORED =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|user-agent|accept-encoding|accept-language|origin|referer|cookie|authorization|proxy-.*|sec-.*|admin-token)$/;

/** What stands in place of a key in the journal. */
const HIDDEN = "[api-key]";

/** One word of a shell, whatever is in it; a hidden key comes from the environment. */
const quoted = (text: string): string =>
  text
    .split(HIDDEN)
    .map((part) => `'${part.replaceAll("'", "'\\''")}'`)
    .join('"$EXPLORER_API_KEY"');

/** Longer words are refused by the system. */
const MAX_WORD = 100_000;

const utf8 = new TextEncoder();
const toBase64 = (text: string): string =>
  btoa(Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join(""));

function keyHeader({ headers, status }: RawRequest): readonly string[] {
  const key = headers["api-key"];
  if (key === undefined) return [];
  if (key === "") return ["-H 'api-key;'"];
  // A key that was refused is refused again.
  return [status === 401 ? "-H 'api-key: not-a-key'" : '-H "api-key: $EXPLORER_API_KEY"'];
}

function headersOf(request: RawRequest): readonly string[] {
  const given = Object.entries(request.headers).filter(
    ([name]) => name !== "api-key" && !IGNORED.test(name),
  );
  // What curl would add.
  const type = request.body !== "" && request.headers["content-type"] === undefined;
  return [
    ...keyHeader(request),
    ...given.map(
      ([name, value]) => `-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(type ? ["-H 'content-type:'"] : []),
    ...(request.headers.accept === undefined ? ["-H 'accept:'"] : []),
  ];
}

/** The command that sends it again; undefined where nobody knows all of it. */
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

export interface BodyDifference {
  /** `results.data.0.value`; "" for the whole. */
  readonly path: string;
  /** As JSON; undefined where one of them has nothing there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** More are only counted. */
export const MAX_DIFFERENCES = 200;

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

function* compare(before: unknown, after: unknown, path: string): Generator<BodyDifference> {
  if (Object.is(before, after)) return;
  if (isNested(before) && isNested(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) {
      const [one, other] = [before, after].map((object) =>
        Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined,
      );
      yield* compare(one, other, path === "" ? name : `${path}.${name}`);
    }
    return;
  }
  yield { path, before: JSON.stringify(before), after: JSON.stringify(after) };
}

/** The differences of two bodies, in the order of the first. */
export function bodyDifferences(before: string, after: string): readonly BodyDifference[] {
  if (before === after) return [];
  const [one, other] = [jsonIn(before), jsonIn(after)];
  const found = one === undefined || other === undefined ? [] : [...compare(one, other, "")];
  return found.length > 0 ? found : [{ path: "", before, after }];
}

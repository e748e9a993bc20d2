// One HTTP request to a node, with one JSON-RPC call or a batch of them: the responses, what their errors mean (in one table), or why there are none; and the parts of its URL that may be shown.

import * as z from "zod/mini";
import { redactor } from "../../../src/errors/redact.ts";
import { rootMessage } from "../../../src/http/attempt.ts";
import { retryAfter } from "../../../src/http/retry-after.ts";
import { check, explain } from "../../../src/models/issues.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { anything } from "../../ingest/read.ts";

export type RpcRequest = {
  readonly method: string;
  readonly params: readonly unknown[];
};

/** The response to one call. */
export type RpcResponse = { readonly result: unknown } | { readonly error: JsonRpcError };

/** An error in a JSON-RPC response. */
export interface JsonRpcError {
  readonly code?: number | undefined;
  readonly message: string;
  /** The node gave it to the same call again and again, while it answered others. */
  readonly isForGood?: boolean | undefined;
}

/**
 * For good:
 * - `reverted`: the call ran and failed. It would fail again.
 * - `unsupported`: the node does not have the method.
 * - `unavailable`: the node does not have the block, or no longer has its state.
 * - `refused`: the same answer to the same call for two seconds, while others succeed.
 *
 * To be asked again about:
 * - `overload`: the node limits how much is asked.
 * - `transient`: anything else. The same request may succeed later.
 */
export type FailureKind =
  | "reverted"
  | "unsupported"
  | "unavailable"
  | "refused"
  | "overload"
  | "transient";

interface Row {
  readonly kind: FailureKind;
  /** Error codes with this meaning on all nodes. */
  readonly codes: readonly number[];
  /** Nodes agree on little but these words. */
  readonly words: RegExp;
}

/** Codes count before words, and earlier rows before later ones. */
const TABLE: readonly Row[] = [
  {
    kind: "reverted",
    codes: [3, -32015],
    words:
      /revert|invalid opcode|invalidfeopcode|opcode .*not (defined|supported)|out of gas|stack ?(under|over)flow|invalid jump|bad jump|static state change|write protection|vm exception|evm error|insufficient (sender )?(funds|balance)|enough funds|lack of funds|exceeds account balance|processing could not be completed due to an exception/i,
  },
  {
    kind: "overload",
    codes: [-32005],
    words: /\brate\b|limit exceeded|too many|capacity|overload|busy|per (second|minute|day)/i,
  },
  { kind: "transient", codes: [], words: /too large|time(d )?[ -]?out/i },
  {
    kind: "unavailable",
    codes: [-32001],
    words:
      /missing trie node|header not found|block not found|unknown block|invalid block tag|block height|blockoutofrange|pruned|(historical|old) (state|data)|no state (is )?available|state .*(not |un)available|not have state|\barchive\b/i,
  },
  {
    kind: "unsupported",
    codes: [-32601, -32004],
    words:
      /(method|\b(trace|debug)_\w+) .*(not (found|supported|available|allowed|whitelisted|implemented|enabled)|does ?n[o']t exist|disabled)|(unknown|unsupported) method|only supports the default tracer|tracer .*not (found|supported)/i,
  },
];

/** "Invalid params": if the words say no more, the node lacks the method, or what the call asks of it. */
const INVALID_PARAMS = -32602;

/** What an error means. */
export function kindOf({ code, message, isForGood }: JsonRpcError): FailureKind {
  const row =
    TABLE.find(({ codes }) => code !== undefined && codes.includes(code)) ??
    TABLE.find(({ words }) => words.test(message));
  const kind = row?.kind ?? (code === INVALID_PARAMS ? "unsupported" : "transient");
  return kind === "transient" && isForGood ? "refused" : kind;
}

/** What to do if the node limits how much is requested, to end an error message. */
const LIMIT_ADVICE = ". What to do: wait, or send fewer requests at once (--concurrency, --batch)";

/** Whether an error is about the size of a batch: geth gives it the id of the first call. */
const refusesBatch = (error: JsonRpcError): boolean =>
  /\bbatch/i.test(error.message) &&
  !/\brate|per (second|minute|day)/i.test(error.message) &&
  kindOf(error) !== "reverted";

/** Whether a call failed for the size of its batch: geth answers the first calls, and the others like this. */
export const isTooMuch = (error: JsonRpcError): boolean =>
  kindOf(error) === "transient" &&
  /response (is )?too (large|big)|request timed out/i.test(error.message);

/** An error that the node returned. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly method: string;
  readonly code: number | undefined;
  readonly kind: FailureKind;

  constructor(method: string, error: JsonRpcError) {
    const { code, message } = error;
    const kind = kindOf(error);
    const shown = `${message}${code === undefined ? "" : ` (${code})`}`;
    const advice = kind === "overload" ? LIMIT_ADVICE : "";
    super(`the node returned an error for ${method}: ${shown}${advice}`);
    this.method = method;
    this.code = code;
    this.kind = kind;
  }
}

/** A request the node did not respond to in a way to use. */
export class PostError extends Error {
  override readonly name = "PostError";
  /**
   * - `batch`: the node refuses a batch, or one of this size.
   * - `final`: it refuses whatever is asked, such as a wrong key.
   * - `transient`: it may respond later.
   */
  readonly kind: "batch" | "final" | "transient";
  /** Milliseconds the node asks to wait. */
  readonly retryAfter: number | undefined;
  /** Too many requests: all others should wait too. */
  readonly rateLimited: boolean;

  constructor(
    message: string,
    kind: PostError["kind"],
    {
      retryAfter,
      rateLimited = false,
      cause,
    }: { retryAfter?: number | undefined; rateLimited?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.retryAfter = retryAfter;
    this.rateLimited = rateLimited;
  }
}

/** The address of a node, and how to send requests to it. */
export interface PostTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly post: Post;
  /** Milliseconds until the request times out, body included. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** An error in a response; unknown fields are kept. */
const errorSchema = z.looseObject({ code: z.optional(z.number()), message: z.string() });
/** A response; an error about a batch as a whole has no id. */
const responseSchema = z.object({ id: anything, result: anything, error: z.nullish(errorSchema) });
const responsesSchema = z.union([z.array(responseSchema), responseSchema]);

const ADVICE =
  ". What to do: check the key in the node's URL, its user and password, or --header (headers)";

/** From this length on, parsing a response takes so long that others must not wait for two of them. */
const LONG_TEXT = 2 ** 18;

let turns: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop in which no other long response is parsed. */
function ownTurn(): Promise<void> {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)));
  return turns;
}

/**
 * Sends the calls as one HTTP request. The responses are in the order of the calls; undefined for one that the node left out.
 *
 * @throws {@link PostError} if there are none
 */
export async function post(
  target: PostTarget,
  requests: readonly RpcRequest[],
): Promise<(RpcResponse | undefined)[]> {
  // From 1: tevm leaves out the response to an id of 0.
  const calls = requests.map((request, index) => ({ jsonrpc: "2.0", id: index + 1, ...request }));
  // Not every node accepts a batch of one.
  const answered = await send(
    target,
    JSON.stringify(calls.length === 1 ? calls[0] : calls),
    requests,
  );
  const { status, text } = answered;
  if (text.length >= LONG_TEXT) await ownTurn();
  const from = shownUrl(target.url);
  if (status === 401 || status === 403)
    throw new PostError(`${from} refused access (HTTP ${status})${ADVICE}`, "final");
  if (status === 429) {
    const message = `${from} allows no more requests for now (HTTP 429)${LIMIT_ADVICE}`;
    throw new PostError(message, "transient", {
      retryAfter: retryAfter(answered.headers, true),
      rateLimited: true,
    });
  }
  // Some nodes answer a failed call with an HTTP error that has the JSON-RPC response as its body.
  const { responses, issue } = responsesIn(text);
  if (responses === undefined)
    throw unusable(
      `${from}, received HTTP ${status} with ${issue}`,
      status,
      answered.headers,
      requests.length,
    );
  for (const { error } of responses)
    if (error) error.message = withoutSecrets(error.message, target);
  const ofBatch = responses.find(
    ({ error, id }) => error && (id === null || id === undefined || refusesBatch(error)),
  );
  if (ofBatch?.error && requests.length > 1) {
    const { error } = ofBatch;
    // A gateway may refuse all calls of a method with one error.
    if (isRefusalOfMethod(error, requests)) return requests.map(() => ({ error }));
    throw aboutBatch(from, error);
  }
  const byId = new Map(responses.map((one) => [one.id, one]));
  return requests.map((_, index) => {
    const found = byId.get(index + 1) ?? ofBatch;
    if (found?.error) return { error: found.error };
    return found?.result === undefined ? undefined : { result: found.result };
  });
}

/** Shorter parts of a path are names of networks and versions. */
const MIN_SECRET = 12;

/** A text of the node without the secrets of its address and headers: it may repeat what it was sent. */
function withoutSecrets(text: string, { url, headers }: PostTarget): string {
  const { pathname, searchParams } = new URL(url);
  const { "content-type": _, ...own } = headers;
  const secrets = [
    ...pathname.split("/").filter((part) => part.length >= MIN_SECRET),
    ...searchParams.values(),
    ...Object.values(own).flatMap((value) => value.split(" ")),
  ];
  return secrets.reduce((clean, secret) => redactor(secret)(clean), text);
}

/** The responses in a body, or what is wrong with it. */
function responsesIn(text: string) {
  const body = jsonIn(text);
  if (body === undefined)
    return { issue: text.trimStart().startsWith("<") ? "an HTML page" : "a body that is no JSON" };
  const { value, issues } = check(responsesSchema, body);
  if (value === undefined) return { issue: `another body: ${explain(issues[0])}` };
  const responses = Array.isArray(value) ? value : [value];
  const isResponse = responses.some(({ error, result }) => error || result !== undefined);
  return isResponse ? { responses } : { issue: "a body without result or error" };
}

const isRefusalOfMethod = (error: JsonRpcError, [first, ...others]: readonly RpcRequest[]) =>
  !refusesBatch(error) &&
  kindOf(error) === "unsupported" &&
  others.every(({ method }) => method === first?.method);

/** An error about a batch as a whole: a rate limit, or the batch itself. */
function aboutBatch(from: string, error: JsonRpcError): PostError {
  const rateLimited = !refusesBatch(error) && kindOf(error) === "overload";
  const message = `${from} refused a batch of requests: ${error.message}${rateLimited ? LIMIT_ADVICE : ""}`;
  return new PostError(message, rateLimited ? "transient" : "batch", { rateLimited });
}

/** An HTTP response without JSON-RPC in it. */
function unusable(fact: string, status: number, headers: Headers, calls: number): PostError {
  const message = `expected a JSON-RPC response from ${fact}. What to do: check that the URL is the one for JSON-RPC`;
  if (status >= 500 || status === 408 || status === 425 || status < 400) {
    return new PostError(message, "transient", {
      retryAfter: retryAfter(headers, false),
    });
  }
  return new PostError(message, calls > 1 ? "batch" : "final");
}

/** A response to a POST, read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a body to a URL. Rejects with the signal's reason once it aborts. */
export type Post = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Answered>;

const MAX_REDIRECTS = 5;
/** Redirects that keep method and body. */
const REDIRECTS: ReadonlySet<number> = new Set([307, 308]);

/** Compressing costs more than it saves on this machine. */
const encodingFor = ({ hostname }: URL): Readonly<Record<string, string>> =>
  /^(localhost|\[::1\]|127\..*)$/.test(hostname) ? { "accept-encoding": "identity" } : {};

/** Posts by a fetch function, which keeps connections, and follows redirects that keep method and body. */
export const postBy =
  (fetch: typeof globalThis.fetch): Post =>
  async (first, body, given, signal) => {
    let [url, own] = [new URL(first), given];
    for (let redirects = 0; ; redirects += 1) {
      const headers = { ...encodingFor(url), ...own };
      const init = { method: "POST", headers, body, signal, redirect: "manual" } as const;
      const response = await fetch(url.href, init);
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null)
        return { status: response.status, headers: response.headers, text: await response.text() };
      if (redirects === MAX_REDIRECTS) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
      await response.body?.cancel();
      const next = new URL(location, url);
      // They may be secrets.
      if (next.origin !== url.origin) own = { "content-type": "application/json" };
      url = next;
    }
  };

/** The URL without credentials, which fetch rejects. */
export function withoutUser(url: string): string {
  const address = new URL(url);
  address.username = "";
  address.password = "";
  return address.href;
}

/** The header for the credentials in a URL, if it has any. */
export function authorizationIn(url: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return {};
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** What a part of a URL stands for; the part itself if it encodes nothing, such as the password `50%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The URL without parts that may be secret: credentials, path (which may contain a key) and query. */
const shownUrl = (url: string): string => new URL(url).origin;

async function send(
  { url, headers, post, timeout, signal }: PostTarget,
  body: string,
  requests: readonly RpcRequest[],
) {
  signal.throwIfAborted();
  // Not `AbortSignal.any`: a signal that lasts as long as the follower would keep a trace of each request.
  const request = new AbortController();
  const stop = () => request.abort(signal.reason);
  signal.addEventListener("abort", stop);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    request.abort();
  }, timeout);
  try {
    return await post(url, body, headers, request.signal);
  } catch (error) {
    signal.throwIfAborted();
    const what = timedOut
      ? `${methodsOf(requests)} timed out after ${timeout / 1000} s`
      : rootMessage(error);
    throw new PostError(`cannot reach the node at ${shownUrl(url)}: ${what}`, "transient", {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** The body of the response to one call, whatever it is. @throws {@link PostError} if there is none */
export async function postForText(target: PostTarget, request: RpcRequest): Promise<string> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...request });
  return (await send(target, body, [request])).text;
}

/** The methods of a request, for people. */
const methodsOf = (requests: readonly RpcRequest[]): string =>
  [...new Set(requests.map(({ method }) => method))].join(", ");

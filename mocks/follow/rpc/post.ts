// Sends one HTTP request to a node, with one JSON-RPC call or a batch of them.

import * as z from "zod/mini";
import { redactor } from "../../../src/errors/find-key.ts";
import { excerpt } from "../../../src/errors/redact.ts";
import { rootMessage } from "../../../src/http/attempt.ts";
import { cancelBody, InvalidBodyError, readBody } from "../../../src/http/body.ts";
import { retryAfter } from "../../../src/http/retry-after.ts";
import { check, explain } from "../../../src/models/issues.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { anything } from "../../ingest/read.ts";
import { type JsonRpcError, kindOf, LIMIT_ADVICE, refusesBatch } from "./errors.ts";

export type RpcRequest = {
  readonly method: string;
  readonly params: readonly unknown[];
};

export type RpcResponse = { readonly result: unknown } | { readonly error: JsonRpcError };

/** A request without a usable response. */
export class PostError extends Error {
  override readonly name = "PostError";
  // - `batch`: the node refuses a batch, or one of this size.
  // - `final`: the node would refuse the request again, as with a wrong key.
  // - `transient`: a retry may succeed.
  readonly kind: "batch" | "final" | "transient";
  /** Milliseconds to wait, as the node requests. */
  readonly retryAfter: number | undefined;
  /** Whether there were too many requests, so that all others should wait too. */
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
  /** Texts that must not appear in messages, even if the node's errors repeat them. */
  readonly secrets: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds until the request times out, body included. */
  readonly timeout: number;
  /** Maximum size of a response in bytes, after decompression. */
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
}

/** An error in a response; unknown fields are kept. */
const errorSchema = z.looseObject({ code: z.optional(z.number()), message: z.string() });
/** A response; an error about a batch as a whole has no id. */
const responseSchema = z.object({ id: anything, result: anything, error: z.nullish(errorSchema) });
const responsesSchema = z.union([z.array(responseSchema), responseSchema]);

type RawResponse = z.output<typeof responseSchema>;

// Sends the calls as one HTTP request. Returns the responses in the order of the calls. A response
// that the node left out is undefined.
// @throws {@link PostError} if there are none
export async function post(
  target: PostTarget,
  requests: readonly RpcRequest[],
): Promise<(RpcResponse | undefined)[]> {
  // Ids begin at 1, because tevm leaves out the response to an id of 0.
  const calls = requests.map((request, index) => ({ jsonrpc: "2.0", id: index + 1, ...request }));
  // Sends a single call without an array, because not every node accepts a batch of one.
  const body = JSON.stringify(calls.length === 1 ? calls[0] : calls);
  const httpResponse = await send(target, body, requests);
  const responses = responsesIn(target, httpResponse, requests.length);
  const batchError = responses.find(
    ({ error, id }) => error && (id === null || id === undefined || refusesBatch(error)),
  )?.error;
  if (batchError && requests.length > 1) {
    // A gateway that does not support a method may return one error for the whole batch.
    if (isRefusalOfMethod(batchError, requests)) return requests.map(() => ({ error: batchError }));
    throw aboutBatch(shownUrl(target.url), batchError);
  }
  const byId = new Map(responses.map((response) => [response.id, response]));
  return requests.map((_, index) => {
    const response = byId.get(index + 1);
    const error = response === undefined ? batchError : response.error;
    if (error) return { error };
    return response?.result === undefined ? undefined : { result: response.result };
  });
}

// Returns the JSON-RPC responses in a body, also with an HTTP error status, which some nodes send
// for a failed call.
// @throws PostError
function responsesIn(
  target: PostTarget,
  { status, headers, text }: HttpResponse,
  calls: number,
): readonly RawResponse[] {
  const from = shownUrl(target.url);
  if (status === 429)
    throw new PostError(
      `${from} allows no more requests for now (HTTP 429)${LIMIT_ADVICE}`,
      "transient",
      { retryAfter: pauseIn(headers, true), rateLimited: true },
    );
  const { responses, issue } = parsed(text);
  for (const { error } of responses ?? []) if (error) error.message = shown(error.message, target);
  if (status === 401 || status === 403) {
    const isAboutMethod = responses?.every(({ error }) => error && kindOf(error) === "unsupported");
    if (responses && isAboutMethod) return responses;
    throw new PostError(
      `${from} refused access (HTTP ${status}). What to do: check the key in the node's URL, its user and password, or --header (headers)`,
      "final",
    );
  }
  if (responses) return responses;
  const message = `expected a JSON-RPC response from ${from}, received HTTP ${status} with ${issue}. What to do: check that the URL is the one for JSON-RPC`;
  const isTransient = status >= 500 || status === 408 || status === 425 || status < 400;
  if (isTransient)
    throw new PostError(message, "transient", { retryAfter: pauseIn(headers, false) });
  throw new PostError(message, calls > 1 ? "batch" : "final");
}

/** Limit of a pause that a node requests, because one wrong answer must not stop the follower. */
const MAX_REQUESTED_PAUSE = 60_000;

function pauseIn(headers: Headers, rateLimited: boolean): number | undefined {
  const pause = retryAfter(headers, rateLimited);
  return pause && Math.min(pause, MAX_REQUESTED_PAUSE);
}

/** Parses a body. Returns its responses, or a description of the body if it has none. */
function parsed(text: string): {
  readonly responses?: readonly RawResponse[];
  readonly issue?: string;
} {
  const body = jsonIn(text);
  if (body === undefined)
    return { issue: text.trimStart().startsWith("<") ? "an HTML page" : "a body that is not JSON" };
  const { value, issues } = check(responsesSchema, body);
  if (value === undefined) return { issue: `another body: ${explain(issues[0])}` };
  const responses = Array.isArray(value) ? value : [value];
  const isResponse = responses.some(({ error, result }) => error || result !== undefined);
  return isResponse ? { responses } : { issue: "a body without result or error" };
}

/** Maximum length of a node's message. */
const MAX_MESSAGE = 500;

/**
 * Returns a node's text shortened, on one line, and without secrets of the node's URL and headers.
 */
const shown = (text: string, { secrets }: PostTarget): string =>
  excerpt(
    text,
    (cut) => secrets.reduce((clean, secret) => redactor(secret)(clean), cut),
    MAX_MESSAGE,
  );

const isRefusalOfMethod = (error: JsonRpcError, [first, ...others]: readonly RpcRequest[]) =>
  !refusesBatch(error) &&
  kindOf(error) === "unsupported" &&
  others.every(({ method }) => method === first?.method);

function aboutBatch(from: string, error: JsonRpcError): PostError {
  const rateLimited = !refusesBatch(error) && kindOf(error) === "overload";
  const message = `${from} refused a batch of requests: ${error.message}${rateLimited ? LIMIT_ADVICE : ""}`;
  return new PostError(message, rateLimited ? "transient" : "batch", { rateLimited });
}

interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Requests no compression from a node on this machine, because it would cost more than it saves.
 */
const encodingFor = (url: string): Readonly<Record<string, string>> =>
  /^(localhost|\[::1\]|127\..*)$/.test(new URL(url).hostname)
    ? { "accept-encoding": "identity" }
    : {};

// Returns the URL without parts that may be secret: credentials, path (which may contain a key) and
// query.
const shownUrl = (url: string): string => new URL(url).origin;

/** Maximum number of redirects of one request. */
const MAX_REDIRECTS = 5;

// Returns the URL that a response redirects to; undefined if it is no redirect.
// @throws PostError for another origin, because a node must not choose which servers get requests
// of this machine, and headers that may be secrets
function redirectIn(target: PostTarget, { status, headers }: Response): string | undefined {
  const location = headers.get("location") ?? "";
  if (![301, 302, 307, 308].includes(status) || !URL.canParse(location, target.url))
    return undefined;
  const [from, to] = [new URL(target.url), new URL(location, target.url)];
  if (to.origin === from.origin || (to.protocol === "https:" && to.host === from.host))
    return to.href;
  throw new PostError(
    `${shownUrl(target.url)} redirects requests to ${shown(to.origin, target)}. What to do: if you trust that address, use it as the node's URL`,
    "final",
  );
}

async function send(
  target: PostTarget,
  body: string,
  requests: readonly RpcRequest[],
  redirects = 0,
): Promise<HttpResponse> {
  const { url, headers, fetch, timeout, maxResponseBytes, signal } = target;
  signal.throwIfAborted();
  // Avoids `AbortSignal.any`, because a long-lived signal would keep a reference to each request:
  // https://github.com/nodejs/node/issues/55351
  const request = new AbortController();
  const stop = () => request.abort(signal.reason);
  signal.addEventListener("abort", stop);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    request.abort();
  }, timeout);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...encodingFor(url), ...headers },
      body,
      redirect: "manual",
      signal: request.signal,
    });
    const next = redirects < MAX_REDIRECTS ? redirectIn(target, response) : undefined;
    if (next !== undefined) {
      cancelBody(response);
      return await send({ ...target, url: next }, body, requests, redirects + 1);
    }
    const { text } = await readBody(response, maxResponseBytes, request.signal);
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PostError) throw error;
    if (error instanceof InvalidBodyError)
      throw new PostError(
        `cannot read the response of ${shownUrl(url)} to ${methodsOf(requests)}: ${error.message}`,
        requests.length > 1 ? "batch" : "final",
        { cause: error },
      );
    const reason = timedOut
      ? `${methodsOf(requests)} timed out after ${timeout / 1000} s`
      : rootMessage(error);
    throw new PostError(`cannot reach the node at ${shownUrl(url)}: ${reason}`, "transient", {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

// Sends one call, and returns the body of the response, even if it is not JSON-RPC.
// @throws {@link PostError} if there is none
export async function postForText(target: PostTarget, request: RpcRequest): Promise<string> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...request });
  return (await send(target, body, [request])).text;
}

const methodsOf = (requests: readonly RpcRequest[]): string =>
  [...new Set(requests.map(({ method }) => method))].join(", ");

// A proxy for web pages: forwards their requests to the explorer and adds the API key, so that
// pages never see it.

/**
 * The handler of a proxy that adds the API key: {@link createProxyHandler}. It runs wherever
 * `fetch` does: Node, Bun, Deno, workers.
 *
 * @module mrc-explorer/proxy
 */

import { paths, wemixPaths } from "./contract/paths.ts";
import { repeatsKey } from "./errors/find-key.ts";
import { ParameterError } from "./errors/parameter.ts";
import { AbortScope, abortable } from "./http/abort.ts";
import { type ApiKey, createApiKeyProvider } from "./http/api-key.ts";
import {
  baseOf,
  checkLimits,
  checkUrl,
  invalidOption,
  isPositive,
  orVariable,
  variable,
} from "./http/base-url.ts";
import { unknownOption } from "./models/suggest.ts";

/** The options of {@link createProxyHandler}. */
export interface ProxyHandlerOptions {
  /**
   * The URL of the explorer, without `/v1`. @default the environment variable `EXPLORER_BASE_URL`
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * The API key, or a function that returns it. @default the environment variable
   * `EXPLORER_API_KEY`
   */
  readonly apiKey?: ApiKey | undefined;
  /**
   * The path of the proxy on your server: the part of its URLs before `/v1`. @default
   * "/api/explorer"
   */
  readonly path?: string | undefined;
  /**
   * The origins of other pages that may use the proxy (CORS): `["https://dapp.example"]`. @default
   * none: only pages of the proxy's own origin
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * How many requests the proxy forwards per interval, for all pages together. Further requests get
   * a 429.
   * @default 100 in 1,000 ms
   */
  readonly rateLimit?: { readonly requests: number; readonly perMs: number } | undefined;
  /** Milliseconds to wait for the explorer. @default 15_000 */
  readonly timeout?: number | undefined;
  /** The largest response to forward, in bytes. @default 33_554_432 (32 MiB) */
  readonly maxResponseBytes?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** The longest body of a request. The longest valid body, for 20 balances, is shorter. */
const MAX_BODY_BYTES = 4096;
/** The longest query of a request. The longest valid query of any operation is shorter. */
const MAX_QUERY_LENGTH = 2048;

/** A1 is the only POST that reads. C3 is not forwarded, because it submits a source. */
const { A1: BALANCE, C3: _, ...readPaths } = paths;
/** The paths of operations that read, in all dialects. A parameter is a number, hash or word. */
const operationPaths = [...Object.values(readPaths), ...Object.values(wemixPaths)].map(
  (path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[\\w-]+")}$`),
);
/** The headers of a response that the client reads. */
const FORWARDED =
  "content-type date retry-after ratelimit-remaining ratelimit-reset x-ratelimit-remaining x-ratelimit-reset".split(
    " ",
  );
/**
 * Headers that keep browsers from running a response as a document or script of the page's origin.
 */
const asData = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
} as const;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:$|[ ;])/i;

const failure = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  Response.json({ status: `${status}`, message, results: null }, { status, headers });

async function bytesOf(
  { body }: Request | Response,
  max: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.length;
    if (length > max) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Creates a function that counts a request, and returns the seconds to wait; 0 if none. */
function limiter(requests: number, perMs: number): () => number {
  let count = 0;
  let endsAt = 0;
  return () => {
    const now = Date.now();
    // Also ends the interval if the clock was set back, because it would otherwise last too long.
    if (now >= endsAt || now < endsAt - perMs) {
      count = 0;
      endsAt = now + perMs;
    }
    count++;
    return count > requests ? Math.ceil((endsAt - now) / 1000) : 0;
  };
}

interface ForwardedRequest {
  /** The path and query. */
  readonly target: string;
  readonly method: string;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** Reads a page's request, or returns the response that refuses it. */
async function readRequest(request: Request, path: string): Promise<ForwardedRequest | Response> {
  const { pathname, search } = new URL(request.url);
  const { method } = request;
  const target = pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : pathname;
  const isPost = method === "POST" && target === BALANCE;
  if (!isPost && (method !== "GET" || !operationPaths.some((path) => path.test(target))))
    return failure(
      404,
      `This proxy forwards GET requests of operations, such as /v1/blocks/7, and POST ${BALANCE}`,
    );
  if (search.length > MAX_QUERY_LENGTH) return failure(414, "The query is too long");
  const body = isPost ? await bytesOf(request, MAX_BODY_BYTES) : null;
  if (body === undefined) return failure(413, `The body is longer than ${MAX_BODY_BYTES} bytes`);
  return { target: target + search, method, body };
}

/** Returns the explorer's response as a page may receive it, or a 502 instead. */
async function responseFor(response: Response, key: string, maxBytes: number): Promise<Response> {
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400))
    return failure(502, "The explorer redirects requests: check baseUrl");
  const content = await bytesOf(response, maxBytes);
  if (content === undefined) return failure(502, `The response is longer than ${maxBytes} bytes`);
  const { status } = response;
  if (status > 599) return failure(502, `The explorer's status is ${status}`);
  const headers = new Headers();
  for (const name of FORWARDED) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (!JSON_TYPE.test(headers.get("content-type") ?? "")) headers.set("content-type", "text/plain");
  const text = new TextDecoder().decode(content);
  if ([text, ...headers.values()].some((part) => repeatsKey(key, part)))
    return failure(502, "The explorer's response repeats the API key, so it was withheld");
  return new Response(content.length > 0 ? content : null, { status, headers });
}

/** Returns the CORS headers, which let a page of another origin read the response. */
function corsHeaders(request: Request, origins: readonly string[]): Record<string, string> {
  const origin = request.headers.get("origin") ?? "";
  const vary: Record<string, string> = origins.length > 0 ? { vary: "origin" } : {};
  if (!origins.includes(origin)) return vary;
  return {
    ...vary,
    "access-control-allow-origin": origin,
    "access-control-expose-headers": FORWARDED.join(", "),
    ...(request.method === "OPTIONS" && {
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "",
      "access-control-max-age": "7200",
    }),
  };
}

/** The names of all options. The type makes the compiler report a missing name. */
const optionNames = Object.keys({
  baseUrl: 0,
  apiKey: 0,
  path: 0,
  origins: 0,
  rateLimit: 0,
  timeout: 0,
  maxResponseBytes: 0,
  fetch: 0,
} satisfies Record<keyof ProxyHandlerOptions, 0>);

/** Refuses options that would break the proxy without an error. */
function checkOptions(options: ProxyHandlerOptions): void {
  const unknown = Object.keys(options).filter((name) => !optionNames.includes(name));
  if (unknown.length)
    throw new ParameterError(
      "Invalid options",
      unknown.map((name) => unknownOption([], name, optionNames)),
    );
  const { fetch, maxResponseBytes, origins = [], path = "", rateLimit, timeout } = options;
  if (typeof path !== "string" || !/^(\/[^/?#]+)*$/.test(path))
    throw invalidOption(["path"], "a path such as /api/explorer, without a slash at its end", path);
  if (!Array.isArray(origins)) throw invalidOption(["origins"], "a list of origins", origins);
  for (const origin of origins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw invalidOption(["origins"], "origins such as https://dapp.example", origin);
  if (fetch !== undefined && typeof fetch !== "function")
    throw invalidOption(["fetch"], "a function", fetch);
  checkLimits({ timeout, maxResponseBytes });
  if (rateLimit === undefined) return;
  const { perMs, requests, ...others } = Object(rateLimit);
  if (!isPositive(requests) || !isPositive(perMs) || Object.keys(others).length > 0)
    throw invalidOption(["rateLimit"], "{ requests, perMs }, two numbers above 0", rateLimit);
}

/**
 * Creates the handler of a proxy. It takes a `Request` and returns a `Response`, the standard
 * signature of a fetch handler. The proxy forwards only requests that read: GETs of operations, and
 * the POST for balances. It forwards bodies byte for byte, as data that no browser runs, and
 * withholds a response that repeats the API key.
 *
 * @throws `ParameterError` if URL or API key are missing, or an option is invalid
 * @example
 * // Next: app/api/explorer/[...path]/route.ts
 * const handler = createProxyHandler();
 * export { handler as GET, handler as POST };
 */
export function createProxyHandler(
  options: ProxyHandlerOptions = {},
): (request: Request) => Promise<Response> {
  checkOptions(options);
  const base = baseOf(checkUrl(options.baseUrl ?? variable("EXPLORER_BASE_URL")));
  const key = options.apiKey ?? variable("EXPLORER_API_KEY");
  if (key === undefined)
    throw invalidOption(["apiKey"], orVariable("an API key", "EXPLORER_API_KEY"), undefined);
  const apiKey = createApiKeyProvider(key);
  const { path = "/api/explorer", origins = [], timeout = 15_000 } = options;
  const { maxResponseBytes = 32 * 2 ** 20, rateLimit = { requests: 100, perMs: 1_000 } } = options;
  const send = options.fetch ?? ((...args) => fetch(...args));
  const wait = limiter(rateLimit.requests, rateLimit.perMs);

  const forward = async (request: Request, signal: AbortSignal): Promise<Response> => {
    const forwarded = await abortable(readRequest(request, path), signal);
    if (forwarded instanceof Response) return forwarded;
    const seconds = wait();
    if (seconds) return failure(429, "Too many requests", { "retry-after": `${seconds}` });
    const { body, method, target } = forwarded;
    const { value } = await apiKey(signal);
    const response = await send(base + target, {
      ...{ method, body, signal, redirect: "manual" },
      headers: { "api-key": `${value}`, ...(body && { "content-type": "application/json" }) },
    });
    return responseFor(response, `${value}`, maxResponseBytes);
  };

  return async (request) => {
    const cors = corsHeaders(request, origins);
    const isPreflight = "access-control-allow-methods" in cors;
    const scope = new AbortScope()
      .follow(request.signal)
      .timeout(timeout, () => new Error(`No response within ${timeout} ms`));
    const { signal } = scope;
    const response = isPreflight
      ? new Response(null, { status: 204 })
      : // Hides the reason, because it may contain the explorer's address.
        await abortable(forward(request, signal), signal).catch(() =>
          failure(502, "The explorer does not answer"),
        );
    scope.close();
    for (const [name, value] of Object.entries({ ...cors, ...asData }))
      response.headers.set(name, value);
    return response;
  };
}

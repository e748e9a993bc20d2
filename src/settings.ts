// The options of a client, and what they come to.
import * as z from "zod/mini";
import { oneOf } from "./contract/parameters.ts";
import { ParameterError } from "./errors/index.ts";
import { type ApiKey, type ApiKeyProvider, createApiKeyProvider } from "./http/api-key.ts";
import { Cache, type CacheStore, defaultConfirmations } from "./http/cache.ts";
import type { Validation } from "./http/decode.ts";
import { type Debug, type Hooks, instrument } from "./http/hooks.ts";
import type { RateLimit } from "./http/rate-limiter.ts";
import {
  headers,
  oneOrMore,
  parseOptions,
  positive,
  transformed,
  zeroOrMore,
} from "./http/request-options.ts";
import { type RetryOptions, retryPolicy } from "./http/retry.ts";
import type { TransportSettings } from "./http/transport.ts";

/** Options of an `ExplorerClient`. */
export interface ExplorerClientOptions {
  /**
   * The address of the service, without `/v1`: "https://explorer.example.com".
   * Left out in Node, the environment variable `EXPLORER_BASE_URL`.
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * The key every request carries in the header `api-key`, or a function that gives it. The function is asked before each attempt, so keys
   * can be rotated; requests that start together share one asking. Left out in Node, the environment variable `EXPLORER_API_KEY`.
   */
  readonly apiKey?: ApiKey | undefined;
  /** Milliseconds for one attempt, the body included: 15 000, and 90 000 where the service compiles (C3). */
  readonly timeout?: number | undefined;
  /** Milliseconds for a call altogether: its turn, its attempts and pauses. Without it, `retry` and `timeout` are the bounds. */
  readonly totalTimeout?: number | undefined;
  /** How failures that may pass are retried; a number is how often (3). Nothing is ever retried that is not safe to send twice. */
  readonly retry?: number | RetryOptions | undefined;
  /** Requests under way at once: 10. After a 429 fewer, until answers come again. */
  readonly concurrency?: number | undefined;
  /** At most so many requests begin in so many milliseconds: `{ requests: 5, perMs: 1000 }`. No limit if left out. */
  readonly rateLimit?: RateLimit | undefined;
  /** Whether equal GETs that are under way at once share one request: true. */
  readonly dedupe?: boolean | undefined;
  /**
   * Where answers are kept that can no longer change: a Keyv, a Map, or anything with `get` and `set`. Kept are ABI and source of verified
   * contracts, and what is asked about transactions and blocks that are known to lie under enough others. Nothing is, if left out.
   */
  readonly cache?: CacheStore | undefined;
  /** Blocks on top of a block after which its answers may be kept in `cache`: 128. */
  readonly confirmations?: number | undefined;
  /** The largest answer that is read, in bytes: 32 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Headers every request carries besides. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called as requests, answers, retries and validation issues happen. */
  readonly hooks?: Hooks | undefined;
  /** Writes a line per request, answer and retry: `true` to the console, or to this function. */
  readonly debug?: Debug | undefined;
  /**
   * What a field that is not as specified does: "strict" (default) fails the call, "lenient" keeps the field as received
   * and tells `onValidationIssue`.
   */
  readonly validation?: Validation | undefined;
}

const schema = /*#__PURE__*/ z.object({
  baseUrl: /*#__PURE__*/ transformed(usableUrl),
  apiKey: /*#__PURE__*/ transformed(usableKey),
  timeout: /*#__PURE__*/ z.optional(positive),
  totalTimeout: /*#__PURE__*/ z.optional(positive),
  retry: /*#__PURE__*/ z.object({
    limit: zeroOrMore,
    backoffLimit: zeroOrMore,
    maxRetryAfter: zeroOrMore,
  }),
  concurrency: /*#__PURE__*/ z.optional(oneOrMore),
  rateLimit: /*#__PURE__*/ z.optional(
    /*#__PURE__*/ z.object({ requests: oneOrMore, perMs: positive }),
  ),
  confirmations: /*#__PURE__*/ z.optional(zeroOrMore),
  maxResponseBytes: /*#__PURE__*/ z.optional(positive),
  headers,
  validation: /*#__PURE__*/ z.optional(/*#__PURE__*/ oneOf(["strict", "lenient"])),
});

/** Fills in the defaults and refuses what cannot work, all of it at once. */
export function resolveSettings(options: ExplorerClientOptions): TransportSettings {
  const retry = retryPolicy(options.retry);
  const {
    baseUrl,
    apiKey,
    confirmations = defaultConfirmations,
    ...checked
  } = parseOptions("The client cannot be made", schema, {
    ...options,
    baseUrl: options.baseUrl ?? environment("EXPLORER_BASE_URL"),
    apiKey: options.apiKey ?? environment("EXPLORER_API_KEY"),
    headers: options.headers,
    retry,
  });
  warnOfPlainHttp(baseUrl);
  return {
    baseUrl,
    apiKey: apiKey,
    // Called without a receiver: a browser's own refuses any other than the window.
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    headers: checked.headers,
    timeout: checked.timeout,
    totalTimeout: checked.totalTimeout,
    retry,
    concurrency: checked.concurrency ?? 10,
    rateLimit: checked.rateLimit,
    cache: options.cache && new Cache(options.cache, confirmations),
    dedupe: options.dedupe ?? true,
    maxResponseBytes: checked.maxResponseBytes ?? 32 * 2 ** 20,
    validation: checked.validation ?? "strict",
    instrumentation: instrument(options.hooks ?? {}, options.debug ?? false),
  };
}

/** An environment variable, where there is an environment. */
function environment(name: string): string | undefined {
  const { process } = globalThis as {
    process?: { env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.[name] || undefined;
}

const wrong = (option: string, expected: string, received: unknown) =>
  new ParameterError("The client cannot be made", [{ path: [option], expected, received }]);

function usableKey(given: ApiKey | undefined): ApiKeyProvider {
  if (given !== undefined) return createApiKeyProvider(given);
  throw wrong("apiKey", "a key, or the environment variable EXPLORER_API_KEY", undefined);
}

function usableUrl(given: string | URL | undefined): URL {
  if (given === undefined)
    throw wrong("baseUrl", "an address, or the environment variable EXPLORER_BASE_URL", undefined);
  const text = String(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw wrong("baseUrl", "an address that begins with https:// or http://", text);
  if (url.username || url.password || url.search || url.hash)
    throw wrong("baseUrl", "an address without user, password, query or fragment", url.origin);
  return url;
}

const warned = new Set<string>();

/** Over plain http anybody on the way reads the key; on the way to oneself there is nobody. */
function warnOfPlainHttp({ protocol, hostname, origin }: URL): void {
  const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "http:" || loopback || warned.has(origin)) return;
  warned.add(origin);
  console.warn(
    `mrc-explorer: ${origin} is asked over plain http, so anybody on the way can read the api-key. Use https.`,
  );
}

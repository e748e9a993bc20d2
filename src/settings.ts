// Checks the options of a client, and applies defaults.
import * as z from "zod/mini";
import type { Dialect } from "./contract/dialect.ts";
import type { DialectName } from "./contract/dialects.ts";
import { loadCode } from "./errors/connection.ts";
import { ParameterError } from "./errors/index.ts";
import { unredacted } from "./errors/redact.ts";
import { type ApiKey, type ApiKeyProvider, createApiKeyProvider } from "./http/api-key.ts";
import {
  checkUrl,
  invalidOption,
  isRelativeToPage,
  orVariable,
  variable,
} from "./http/base-url.ts";
import type { Cache, CacheStore } from "./http/cache.ts";
import type { Fetch } from "./http/fetch.ts";
import { createLog, type Hooks, instrument, type Logger, type WriteLog } from "./http/hooks.ts";
import type { Validation } from "./http/invalid.ts";
import { canSharePromises, type RateLimit, RateLimiter } from "./http/rate-limiter.ts";
import {
  callback,
  fetchOptions,
  headers,
  oneOrMore,
  parseOptions,
  positive,
  transformed,
  trueOrFalse,
  zeroOrMore,
} from "./http/request.ts";
import { type RetryOptions, retryPolicy } from "./http/retry.ts";
import type { TransportSettings } from "./http/transport-settings.ts";
import { describedIssue } from "./models/mismatch.ts";
import { oneOf } from "./models/primitives.ts";

/**
 * Options of an {@link ExplorerClient}.
 *
 * @example
 * new ExplorerClient({ baseUrl: "https://explorer.example.com", apiKey: process.env.EXPLORER_API_KEY, retry: 5 });
 */
export interface ExplorerClientOptions {
  /**
   * The URL of the explorer, without `/v1`. In a page, an address such as `/api/explorer` is
   * relative to the page's origin and needs no API key, because the proxy there adds it.
   *
   * @default the environment variable `EXPLORER_BASE_URL` (Node, Deno, Bun)
   * @example
   * new ExplorerClient({ baseUrl: "https://explorer.example.com" });
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * The API key, sent as the header `api-key`, or a function that returns it. Use a function if
   * keys rotate: it is called before each attempt, and attempts that start together share one call.
   *
   * @default the environment variable `EXPLORER_API_KEY` (Node, Deno, Bun)
   * @example
   * new ExplorerClient({ apiKey: async () => (await readFile("api-key.txt", "utf8")).trim() });
   */
  readonly apiKey?: ApiKey | undefined;
  /**
   * Milliseconds for one attempt, including its body. After that, the attempt is retried or fails
   * with a {@link TimeoutError}.
   *
   * @default 15_000, and 90_000 for `contracts.verify`, because the service compiles the source
   */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds for a whole call: waiting for a slot, attempts and pauses between them. Set it
   * when a user waits for the result.
   *
   * @default no limit beyond `timeout` and `retry`
   */
  readonly totalTimeout?: number | undefined;
  /**
   * How transient failures are retried; a number sets the limit only. Requests that are unsafe to
   * repeat are never retried.
   *
   * @default 3
   * @example
   * new ExplorerClient({ retry: { limit: 5, backoffLimit: 3_000 } });
   */
  readonly retry?: number | RetryOptions | undefined;
  /**
   * How many requests may be in flight at once. In Cloudflare Workers and Vercel's edge runtime,
   * this option has no effect, because calls cannot wait for each other there.
   *
   * @default 10
   */
  readonly concurrency?: number | undefined;
  /**
   * How many requests may start per interval. Set it to the limit of your API key. If several
   * processes share the key, use `acquire` to wait for a limiter that they share.
   *
   * @default no limit
   * @example
   * new ExplorerClient({ rateLimit: { requests: 5, perMs: 1_000 } });
   */
  readonly rateLimit?: RateLimit | undefined;
  /**
   * Whether identical GETs that are in flight at once share one request. In Cloudflare Workers,
   * each GET sends its own request, because a Worker must not await another request's promise.
   *
   * @default true
   */
  readonly dedupe?: boolean | undefined;
  /**
   * Stores responses that can no longer change: ABI and source of verified contracts, and responses
   * about transactions and blocks with enough `confirmations`. The store is a Keyv, a Map, or any
   * object with `get` and `set`.
   *
   * @default no cache
   * @example
   * new ExplorerClient({ cache: new Map() });
   */
  readonly cache?: CacheStore | undefined;
  /**
   * How many blocks must be on top of a block before `cache` stores responses about it.
   *
   * @default 128
   */
  readonly confirmations?: number | undefined;
  /**
   * The largest response to read, in bytes; a larger one fails with a {@link
   * ResponseValidationError}.
   *
   * @default 33_554_432 (32 MiB)
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Replaces the global `fetch`, for proxies and tests: undici's, node-fetch's, or any function
   * that takes a URL and plain options.
   *
   * @default globalThis.fetch
   * @example
   * new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Further options for `fetch`: `cache`, `credentials`, Next.js's `next`, undici's `dispatcher`.
   *
   * @example
   * new ExplorerClient({ fetchOptions: { cache: "no-store" } });
   */
  readonly fetchOptions?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Additional headers for every request. `api-key` is rejected: set `apiKey`.
   *
   * @example
   * new ExplorerClient({ headers: { "user-agent": "my-dapp/1.0" } });
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Functions called for requests, responses, retries and validation issues, for logs and metrics.
   *
   * @example
   * new ExplorerClient({ hooks: { onRetry: ({ name, error }) => console.warn(name, error.shortMessage) } });
   */
  readonly hooks?: Hooks | undefined;
  /**
   * A logger with levels, such as `console` or pino. It receives requests and responses (`debug`),
   * retries and invalid fields (`info`), other problems (`warn`), hooks that throw (`error`).
   *
   * @default warnings and errors go to the console
   * @example
   * new ExplorerClient({ logger: console });
   */
  readonly logger?: Logger | undefined;
  /**
   * How to treat an invalid field of a response: "strict" fails the call with a {@link
   * ResponseValidationError}, "lenient" keeps the field as received and calls
   * `hooks.onValidationIssue`. Use "lenient" with an explorer whose responses differ from the
   * documented form.
   *
   * @default "strict"
   */
  readonly validation?: Validation | undefined;
  /**
   * The names of paths and parameters that the explorer uses: `"wemix"` for WEMIX's explorer, or a
   * dialect made with {@link defineDialect}. Methods, records and types stay the same.
   *
   * @default "metadium"
   * @example
   * new ExplorerClient({ baseUrl: "https://explorerapi.wemix.com", dialect: "wemix" });
   */
  readonly dialect?: DialectName | Dialect | undefined;
  /**
   * Whether a mixed-case address must have a valid checksum (EIP-55). Otherwise, calls reject with
   * a {@link ParameterError} that shows the correct address. Use `false` for a chain with another
   * checksum rule.
   *
   * @default true
   */
  readonly checksum?: boolean | undefined;
}

const LEVELS = ["debug", "info", "warn", "error"];

const logger = z.custom<Logger>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    LEVELS.every((level) => ["function", "undefined"].includes(typeof Object(value)[level])),
  `an object with methods for levels: ${LEVELS.join(", ")}`,
);

const dialectSchema = z.custom<DialectName | Dialect>(
  (value) =>
    value === "metadium" || value === "wemix" || typeof Object(value).operations === "object",
  "metadium, wemix, or a dialect made with defineDialect",
);

const optionsSchema = z.strictObject({
  baseUrl: transformed((url: string | URL | undefined) => checkUrl(url)),
  apiKey: transformed(checkKey),
  timeout: z.optional(positive),
  totalTimeout: z.optional(positive),
  retry: z.strictObject({
    limit: zeroOrMore,
    backoffLimit: zeroOrMore,
    maxRetryAfter: zeroOrMore,
    delay: callback,
    shouldRetry: callback,
    jitter: trueOrFalse,
  }),
  concurrency: z.optional(oneOrMore),
  rateLimit: z.optional(
    z.strictObject({
      requests: oneOrMore,
      perMs: positive,
      acquire: z.optional(callback),
    }),
  ),
  confirmations: z.optional(zeroOrMore),
  maxResponseBytes: z.optional(positive),
  headers,
  validation: z.optional(oneOf(["strict", "lenient"])),
  checksum: z.optional(trueOrFalse),
  dialect: z.optional(dialectSchema),
  fetch: z.optional(callback),
  fetchOptions: z.optional(fetchOptions),
  logger: z.optional(logger),
  dedupe: z.optional(trueOrFalse),
  cache: z.optional(
    z.custom<CacheStore>(
      (value) =>
        [Object(value).get, Object(value).set].every((method) => typeof method === "function"),
      "an object with get and set",
    ),
  ),
  hooks: z.optional(
    z.strictObject({
      onRequest: z.optional(callback),
      onResponse: z.optional(callback),
      onRetry: z.optional(callback),
      onError: z.optional(callback),
      onValidationIssue: z.optional(callback),
    } satisfies Record<keyof Hooks, unknown>),
  ),
});

const limiters = new WeakMap<ExplorerClientOptions, RateLimiter>();

/**
 * Returns the options of a client with changes. Both clients share one limiter, unless the changes
 * affect the service, the key or the limits.
 */
export function derivedOptions(
  from: ExplorerClientOptions,
  changes: ExplorerClientOptions,
  limiter: RateLimiter,
): ExplorerClientOptions {
  const options = { ...from, ...changes };
  if (!["baseUrl", "apiKey", "concurrency", "rateLimit"].some((name) => name in changes))
    limiters.set(options, limiter);
  return options;
}

/** Environment variables that replace missing options. */
const VARIABLES = { baseUrl: "EXPLORER_BASE_URL", apiKey: "EXPLORER_API_KEY" } as const;

/** Checks all options at once and applies defaults. */
export function resolveSettings(clientOptions: ExplorerClientOptions): TransportSettings {
  // Hides the string, because it may be an API key, the only argument of many other clients.
  if (typeof clientOptions === "string")
    throw new ParameterError("Invalid client options", [
      describedIssue(
        [],
        "an object with baseUrl and apiKey",
        `a text of ${(clientOptions as string).length} characters`,
      ),
    ]);
  const options: ExplorerClientOptions = Object(clientOptions);
  const retry = retryPolicy(options.retry);
  const dialect = lazyDialect(options.dialect);
  const key = options.apiKey ?? variable(VARIABLES.apiKey);
  const withoutKey = key === undefined ? keylessProvider(options.baseUrl, dialect) : undefined;
  const { baseUrl, apiKey, confirmations, ...checked } = parseOptions(
    "Invalid client options",
    optionsSchema,
    {
      ...options,
      baseUrl: options.baseUrl ?? variable(VARIABLES.baseUrl),
      apiKey: withoutKey ? "none" : key,
      headers: options.headers,
      retry,
    },
    undefined,
    (issue) => {
      const [option] = issue.path;
      if (option !== "baseUrl" && option !== "apiKey") return issue;
      const isFromVariable = options[option] === undefined && variable(VARIABLES[option]);
      return isFromVariable ? { ...issue, path: [VARIABLES[option]] } : issue;
    },
  );
  const rateLimit = options.rateLimit && { ...options.rateLimit };
  const canShare = canSharePromises();
  const log = createLog(options.logger);
  warnAboutPlainHttp(baseUrl, log);
  return {
    baseUrl,
    apiKey: withoutKey ?? apiKey,
    // Calls `fetch` on `globalThis`, because browsers throw "Illegal invocation" for other
    // receivers.
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    fetchOptions: { ...checked.fetchOptions },
    // A client with a custom `fetch` may poll without pauses, as tests do.
    minPollInterval: options.fetch ? 0 : 20,
    headers: checked.headers,
    timeout: checked.timeout,
    totalTimeout: checked.totalTimeout,
    retry,
    rateLimit,
    limiter:
      limiters.get(options) ?? new RateLimiter(checked.concurrency ?? 10, rateLimit, canShare),
    cache: options.cache && lazyCache(options.cache, log, confirmations),
    canShare,
    dedupe: options.dedupe ?? true,
    maxResponseBytes: checked.maxResponseBytes ?? 32 * 2 ** 20,
    validation: checked.validation ?? "strict",
    checksum: checked.checksum ?? true,
    dialect,
    instrumentation: instrument(options, log),
  };
}

/**
 * Loads a value with the first call. After a failure, the next call tries again. Stores the value
 * instead of its promise, because requests of a Cloudflare Worker must not share promises.
 */
function lazily<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let value: Value | undefined;
  return async () => {
    if (value !== undefined) return value;
    const loaded = await loadCode(load);
    value ??= loaded;
    return value;
  };
}

const lazyDialect = (selected: DialectName | Dialect | undefined): TransportSettings["dialect"] =>
  selected === undefined || selected === "metadium"
    ? undefined
    : lazily(async () => {
        const code = await import("./contract/dialects.ts");
        return code.loadDialect(selected);
      });

/**
 * Returns a provider without a key if the client needs none, because the base URL is a proxy on the
 * page's own origin, or because the dialect makes the key optional.
 */
function keylessProvider(
  baseUrl: unknown,
  dialect: TransportSettings["dialect"],
): ApiKeyProvider | undefined {
  const noKey = { value: undefined, redact: unredacted };
  if (isRelativeToPage(baseUrl)) return async () => noKey;
  return (
    dialect && (async () => ((await dialect()).dialect.key === "optional" ? noKey : missingKey()))
  );
}

const lazyCache = (...options: ConstructorParameters<typeof Cache>): (() => Promise<Cache>) =>
  lazily(async () => {
    const code = await import("./http/cache.ts");
    return new code.Cache(...options);
  });

function checkKey(key: ApiKey | undefined): ApiKeyProvider {
  return key === undefined ? missingKey() : createApiKeyProvider(key);
}

function missingKey(): never {
  throw invalidOption(["apiKey"], orVariable("an API key", VARIABLES.apiKey), undefined);
}

const warned = new Set<string>();

/**
 * Warns once per origin that plain HTTP exposes the API key in transit. Never warns for localhost,
 * because such requests stay on this machine.
 */
function warnAboutPlainHttp({ protocol, hostname, origin }: URL, log: WriteLog): void {
  const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "http:" || loopback || warned.has(origin)) return;
  warned.add(origin);
  log("warn", `Requests to ${origin} use unencrypted HTTP; the API key is exposed. Use https.`);
}

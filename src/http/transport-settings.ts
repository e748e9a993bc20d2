// The settings of a transport: the client's options with defaults applied.
import type { LoadedDialect } from "../contract/dialects.ts";
import type { ApiKeyProvider } from "./api-key.ts";
import type { Cache } from "./cache.ts";
import type { Fetch } from "./fetch.ts";
import type { Instrumentation } from "./hooks.ts";
import type { Validation } from "./invalid.ts";
import type { RateLimit, RateLimiter } from "./rate-limiter.ts";
import type { RetryPolicy } from "./retry.ts";

export interface TransportSettings {
  readonly baseUrl: URL;
  readonly apiKey: ApiKeyProvider;
  readonly fetch: Fetch;
  /** The shortest `pollInterval` of a watch, in milliseconds. */
  readonly minPollInterval: number;
  readonly fetchOptions: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number | undefined;
  readonly totalTimeout: number | undefined;
  readonly retry: RetryPolicy;
  readonly rateLimit: RateLimit | undefined;
  readonly limiter: RateLimiter;
  /** Whether calls may wait for each other. */
  readonly canShare: boolean;
  readonly dedupe: boolean;
  /** Loads the cache with the first call, because most programs do not use one. */
  readonly cache: (() => Promise<Cache>) | undefined;
  readonly maxResponseBytes: number;
  /** Loads the explorer's dialect, if it has one. */
  readonly dialect: (() => Promise<LoadedDialect>) | undefined;
  readonly validation: Validation;
  readonly checksum: boolean;
  readonly instrumentation: Instrumentation;
}

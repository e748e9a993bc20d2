// The address of a service, or several: if one fails, the next one is used.
import { ApiError, ExplorerError, ParameterError } from "../errors/index.ts";
import { isTransient } from "./retry.ts";

/** The error of an invalid option of a client. */
export const invalidOption = (
  path: readonly (string | number)[],
  expected: string,
  received: unknown,
) => new ParameterError("Invalid client options", [{ path, expected, received }]);

/** Checks an address. */
export function checkUrl(given: unknown, path: readonly (string | number)[] = ["baseUrl"]): URL {
  if (given === undefined)
    throw invalidOption(path, "a URL, or the environment variable EXPLORER_BASE_URL", undefined);
  const text = String(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalidOption(path, "an https:// or http:// URL", text);
  // An empty query or fragment is a part of the URL, too.
  if (url.username || url.password || /[?#]/.test(url.href))
    throw invalidOption(path, "a URL without user, password, query or fragment", url.origin);
  if (/\/v1\/*$/i.test(url.pathname))
    throw invalidOption(path, "the URL without /v1, which the client adds", text);
  return url;
}

/** The text that paths are appended to. */
export const baseOf = (url: URL): string => url.href.replace(/\/+$/, "");

/** Several addresses of one service, for `baseUrl`: see {@link fallback}. */
export class Fallback {
  readonly urls: readonly URL[];
  /** Milliseconds for which an address is skipped after a failure. */
  readonly rest: number;
  /** When the rest of each address ends; 0 for those that work. */
  readonly #restUntil: number[];

  constructor(urls: readonly URL[], rest: number) {
    this.urls = urls;
    this.rest = rest;
    this.#restUntil = urls.map(() => 0);
  }

  /** The route of one call. */
  route(): CallRoute {
    return new CallRoute(this, this.#restUntil);
  }
}

/** The route of one call through several addresses. */
export class CallRoute {
  readonly #bases: readonly string[];
  readonly #rest: number;
  /** That of all calls. */
  readonly #restUntil: number[];
  /** Where its last attempt went. */
  #index = 0;

  constructor({ urls, rest }: Fallback, restUntil: number[]) {
    this.#bases = urls.map(baseOf);
    this.#rest = rest;
    this.#restUntil = restUntil;
  }

  get length(): number {
    return this.#bases.length;
  }

  /** The URL of the next attempt: at the first address that is not resting, or else the one whose rest ends first. */
  next(url: string): string {
    const now = performance.now();
    const path = url.slice(this.#bases[this.#index]?.length);
    const until = this.#restUntil;
    const working = until.findIndex((end) => end <= now);
    this.#index = working < 0 ? until.indexOf(Math.min(...until)) : working;
    // One attempt tries an address after its rest; others follow when it has succeeded.
    if (until[this.#index]) until[this.#index] = now + this.#rest;
    return this.#bases[this.#index] + path;
  }

  succeeded(): void {
    this.#restUntil[this.#index] = 0;
  }

  /** Skips the address of a failed attempt for some time; returns whether the next attempt goes to another one at once. */
  failed(error: unknown): boolean {
    if (!(error instanceof ExplorerError) || !isTransient(error)) return false;
    const { retryAfter = this.#rest } = error instanceof ApiError ? error : {};
    const now = performance.now();
    this.#restUntil[this.#index] = now + retryAfter;
    return this.#restUntil.some((end) => end <= now);
  }
}

/**
 * Several addresses of one service, for the client's `baseUrl`, in order of preference. They must serve the same chain and accept the same API key, which
 * is sent to each.
 *
 * Requests go to the first address. If an attempt fails in a way that is retried (no connection, a timeout, 408, 429, 5xx), the next one
 * goes to the next address without a pause; `retry` counts rounds through all of them. An address that failed is skipped for `rest`
 * milliseconds, or for as long as its `Retry-After` says. Then one request tries it, and if that succeeds, all go there again. Hooks and errors
 * report the URL that was requested.
 *
 * @param options `rest`: milliseconds, 30,000 by default
 * @throws {@link ParameterError} if there is no address, or one is invalid
 * @example
 * new ExplorerClient({ baseUrl: fallback(["https://explorer.example.com", "https://backup.example.com"]) });
 */
export function fallback(
  urls: readonly (string | URL)[],
  { rest = 30_000 }: { readonly rest?: number | undefined } = {},
): Fallback {
  if (!Array.isArray(urls) || urls.length === 0)
    throw invalidOption(["baseUrl"], "one URL or more", urls);
  if (!(rest > 0)) throw invalidOption(["rest"], "a number of milliseconds above 0", rest);
  return new Fallback(
    urls.map((url, index) => checkUrl(url, ["baseUrl", index])),
    rest,
  );
}

// The part of `fetch` that the client uses, small enough for the platform's, undici's and
// node-fetch's implementations to fit.
import type { Redact } from "../errors/redact.ts";

/** The options that the client passes to {@link Fetch}, which every implementation supports. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: "manual";
  signal: AbortSignal;
}

/** The parts of a response that the client reads. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  /** Whether the implementation followed a redirect. */
  readonly redirected?: boolean | undefined;
  /** "opaqueredirect" if a browser hides a redirect. */
  readonly type?: string | undefined;
  readonly headers: {
    get(name: string): string | null;
    forEach(each: (value: string, name: string) => void): void;
  };
  /** A web or Node stream; missing in React Native. */
  readonly body?: object | null | undefined;
  text(): Promise<string>;
}

/** A function that sends requests as the platform's `fetch` does. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** A response whose body was read. */
export interface ReadResponse {
  readonly response: Response;
  readonly text: string;
  readonly redact: Redact;
  readonly attempts: number;
}

export interface ParsedResponse extends ReadResponse {
  readonly results: unknown;
}

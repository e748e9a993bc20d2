// Hooks and the debug log: events of a client's traffic.
import { type ExplorerError, formatDuration } from "../errors/base.ts";

/** A request that is about to be sent. */
export interface RequestEvent {
  /** The number of the operation in the specification: "A2". */
  readonly operation: string;
  /** The method of the client: "accounts.transactions". */
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Milliseconds it waited for the rate limiter (`concurrency`, `rateLimit`, a pause after a 429). */
  readonly waited: number;
}

/** A response whose body is read. */
export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  /** Milliseconds from sending the request to the last byte of the response. */
  readonly duration: number;
  /** The size of the body, decompressed. */
  readonly bytes: number;
}

/** A failed attempt that will be retried. */
export interface RetryEvent extends Omit<RequestEvent, "waited"> {
  readonly error: ExplorerError;
  /** Milliseconds from sending the request to the failure. */
  readonly duration: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
}

/** An invalid field that was kept as received (`validation: "lenient"`). */
export interface ValidationIssueEvent {
  readonly operation: string;
  readonly name: string;
  readonly url: string;
  /** The number of the attempt; 0 if the response came from the cache. */
  readonly attempt: number;
  /** The path of the field: "results.data.3.value". */
  readonly path: string;
  readonly expected: string;
  readonly received: unknown;
  /** How many fields of the response are invalid; the first 20 are reported. */
  readonly issueCount: number;
}

/**
 * Functions called for events of a client. What they throw is logged to the console and changes nothing. None receives the API key.
 *
 * @example
 * new ExplorerClient({ hooks: { onResponse: ({ name, status, duration }) => console.info(name, status, duration) } });
 */
export interface Hooks {
  /** Called before each attempt is sent. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called when a response is read, whatever its status. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called when a failed attempt will be retried. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called for each invalid field with `validation: "lenient"`; for the first 20 of a response. */
  readonly onValidationIssue?: ((event: ValidationIssueEvent) => void) | undefined;
}

/** Where `debug` writes its lines: `true` for the console. */
export type Debug = boolean | ((line: string) => void);

export type Instrumentation = { readonly [Hook in keyof Hooks]-?: NonNullable<Hooks[Hook]> };

/** Functions that pass events to the hooks and to the debug log. */
export function instrument(hooks: Hooks, debug: Debug): Instrumentation {
  const log =
    typeof debug === "function"
      ? debug
      : (line: string) => {
          if (debug) console.debug(`mrc-explorer ${line}`);
        };
  const emit =
    <Event>(name: keyof Hooks, line: (event: Event) => string, hook?: (event: Event) => void) =>
    (event: Event) => {
      const report = (error: unknown) => console.error(`mrc-explorer: ${name} threw`, error);
      try {
        if (debug) log(line(event));
        // A hook may be async in spite of its type: its rejection must not end the process.
        Promise.resolve(hook?.(event)).catch(report);
      } catch (error) {
        report(error);
      }
    };
  return {
    onRequest: emit("onRequest", requestLine, hooks.onRequest),
    onResponse: emit("onResponse", responseLine, hooks.onResponse),
    onRetry: emit("onRetry", retryLine, hooks.onRetry),
    onValidationIssue: emit("onValidationIssue", issueLine, hooks.onValidationIssue),
  };
}

const prefix = ({ operation, attempt }: { operation: string; attempt: number }, arrow: string) =>
  `${operation.padEnd(3)} #${attempt} ${arrow}`;

const requestLine = (event: RequestEvent) =>
  `${prefix(event, "→")} ${event.method} ${event.url}${event.waited >= 1 ? ` (waited ${formatDuration(event.waited)})` : ""}`;

const responseLine = (event: ResponseEvent) =>
  `${prefix(event, "←")} ${event.status} in ${formatDuration(event.duration)}, ${event.bytes} bytes`;

const retryLine = (event: RetryEvent) =>
  `${prefix(event, "↻")} ${event.error.shortMessage}; retry in ${formatDuration(event.delay)}`;

const issueLine = (event: ValidationIssueEvent) =>
  `${event.operation.padEnd(3)} !  ${event.path}: expected ${event.expected}`;

// What can be watched of a client's traffic: hooks, and the lines of `debug`.
import { type ExplorerError, formatDuration } from "../errors/base.ts";

/** A request as it leaves. */
export interface RequestEvent {
  /** The number of the operation in the specification: "A2". */
  readonly operation: string;
  /** The method of the client: "accounts.transactions". */
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly url: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Milliseconds it waited for its turn (`concurrency`, `rateLimit`, a pause after a 429). */
  readonly waited: number;
}

/** An answer, its body read. */
export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  /** Milliseconds from sending to the last byte. */
  readonly duration: number;
  /** The size of the body, decompressed. */
  readonly bytes: number;
}

/** A failed attempt that will be tried again. */
export interface RetryEvent extends Omit<RequestEvent, "waited"> {
  readonly error: ExplorerError;
  /** Milliseconds from sending to the failure. */
  readonly duration: number;
  /** Milliseconds until the next try. */
  readonly delay: number;
}

/** A field that was not what it should be, and was kept as received (`validation: "lenient"`). */
export interface ValidationIssueEvent {
  readonly operation: string;
  readonly name: string;
  readonly url: string;
  /** The attempt that was answered; 0 where the cache answered. */
  readonly attempt: number;
  /** Where it stands: "results.data.3.value". */
  readonly path: string;
  readonly expected: string;
  readonly received: unknown;
}

/** Called as things happen; what they throw is reported on the console and changes nothing. None ever sees the key. */
export interface Hooks {
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  readonly onValidationIssue?: ((event: ValidationIssueEvent) => void) | undefined;
}

/** Where the lines of `debug` go: `true` for the console. */
export type Debug = boolean | ((line: string) => void);

export type Instrumentation = { readonly [Hook in keyof Hooks]-?: NonNullable<Hooks[Hook]> };

/** Tells the hooks and the debug log. */
export function instrument(hooks: Hooks, debug: Debug): Instrumentation {
  const log =
    typeof debug === "function"
      ? debug
      : (line: string) => {
          if (debug) console.debug(`mrc-explorer ${line}`);
        };
  const tell =
    <Event>(hook: keyof Hooks, line: (event: Event) => string, told?: (event: Event) => void) =>
    (event: Event) => {
      const failed = (error: unknown) => console.error(`mrc-explorer: ${hook} threw`, error);
      try {
        if (debug) log(line(event));
        // A hook may well be async, whatever its type says: its rejection must not end the process.
        Promise.resolve(told?.(event)).catch(failed);
      } catch (error) {
        failed(error);
      }
    };
  return {
    onRequest: tell("onRequest", requestLine, hooks.onRequest),
    onResponse: tell("onResponse", responseLine, hooks.onResponse),
    onRetry: tell("onRetry", retryLine, hooks.onRetry),
    onValidationIssue: tell("onValidationIssue", issueLine, hooks.onValidationIssue),
  };
}

const head = ({ operation, attempt }: { operation: string; attempt: number }, arrow: string) =>
  `${operation.padEnd(3)} #${attempt} ${arrow}`;

const requestLine = (event: RequestEvent) =>
  `${head(event, "→")} ${event.method} ${event.url}${event.waited >= 1 ? ` (waited ${formatDuration(event.waited)})` : ""}`;

const responseLine = (event: ResponseEvent) =>
  `${head(event, "←")} ${event.status} in ${formatDuration(event.duration)}, ${event.bytes} bytes`;

const retryLine = (event: RetryEvent) =>
  `${head(event, "↻")} ${event.error.shortMessage}; again in ${formatDuration(event.delay)}`;

const issueLine = (event: ValidationIssueEvent) =>
  `${event.operation.padEnd(3)} !  ${event.path}: expected ${event.expected}`;

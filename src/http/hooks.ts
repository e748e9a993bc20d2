// Reports a client's traffic to its hooks and its logger.
import { ExplorerError, formatDuration } from "../errors/base.ts";
import { checkHeaders } from "./api-key.ts";

/** A request that is about to be sent. */
export interface RequestEvent {
  /** The number of the operation in the explorer's API documentation: "A2". */
  readonly operation: string;
  /** The method of the client: "accounts.transactions". */
  readonly name: string;
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "DELETE";
  /** The URL of the request; it never contains the API key. */
  readonly url: string;
  /** The number of the call, which all its attempts share. */
  readonly call: number;
  /** The number of the attempt: 1 for the first. */
  readonly attempt: number;
  /** Milliseconds of waiting for `concurrency`, `rateLimit` or the pause after a 429. */
  readonly waited: number;
}

/** A response whose body was read. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  readonly status: number;
  /** Milliseconds from sending the request to the last byte of the response. */
  readonly duration: number;
  /** The size of the decompressed body. */
  readonly bytes: number;
}

/** A failed attempt that will be retried. */
export interface RetryEvent extends Omit<RequestEvent, "waited"> {
  /** The error of the failed attempt. */
  readonly error: ExplorerError;
  /** Milliseconds from sending the request to the failure. */
  readonly duration: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
}

/** A call that failed or was aborted after a request was sent, and will not be retried. */
export interface FailureEvent extends Omit<RequestEvent, "waited"> {
  /** An {@link ExplorerError}, or the reason of an abort. */
  readonly error: unknown;
}

/** An invalid field that was kept as received (`validation: "lenient"`). */
export interface ValidationIssueEvent {
  /** The number of the operation in the explorer's API documentation: "A2". */
  readonly operation: string;
  /** The method of the client: "accounts.transactions". */
  readonly name: string;
  /** The URL of the request. */
  readonly url: string;
  /** The number of the attempt; 0 if the response came from the cache. */
  readonly attempt: number;
  /** The path of the field: "results.data.3.value". */
  readonly path: string;
  /** A description of the value that the client expects there. */
  readonly expected: string;
  /** The received value, or a description of it. */
  readonly received: unknown;
  /** How many fields of the response are invalid; the first 20 are reported. */
  readonly issueCount: number;
}

/**
 * Functions that the client calls for its events. An error that they throw is logged, and the call
 * continues. They never receive the API key.
 *
 * @example
 * new ExplorerClient({ hooks: { onResponse: ({ name, status }) => console.info(name, status) } });
 */
export interface Hooks {
  /**
   * Called before each attempt is sent. It may return headers to add, or a promise of headers, for
   * which the attempt waits.
   *
   * @example
   * new ExplorerClient({ hooks: { onRequest: ({ attempt }) => ({ "x-attempt": `${attempt}` }) } });
   */
  readonly onRequest?:
    | ((event: RequestEvent) => void)
    | ((event: RequestEvent) => AddedHeaders | undefined | Promise<AddedHeaders | undefined>)
    | undefined;
  /** Called when a response was read, whatever its status. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called when a failed attempt will be retried. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called when a call fails for good, with the error of its last attempt or an abort's reason. */
  readonly onError?: ((event: FailureEvent) => void) | undefined;
  /** Called with `validation: "lenient"` for each of the first 20 invalid fields of a response. */
  readonly onValidationIssue?: ((event: ValidationIssueEvent) => void) | undefined;
}

/** Headers that `onRequest` adds. */
type AddedHeaders = Readonly<Record<string, string>>;

/**
 * A logger such as `console`, pino or winston. Each method gets a line of text, and the event or
 * the error. Levels without a method are not logged.
 *
 * @example
 * new ExplorerClient({ logger: { warn: (line) => console.info(line), error: console.error } });
 */
export interface Logger {
  /** Requests, responses and failed calls. */
  debug?(line: string, detail?: unknown): void;
  /** Retries, and invalid fields that are kept. */
  info?(line: string, detail?: unknown): void;
  /** Problems that fail no call: unencrypted HTTP, a failing cache, an outage during a watch. */
  warn?(line: string, detail?: unknown): void;
  /** Hooks that throw. */
  error?(line: string, detail?: unknown): void;
}

type Level = keyof Logger;

const consoleLogger: Logger = {
  warn: (...line) => console.warn(...line),
  error: (...line) => console.error(...line),
};

/** Writes a line to a logger, and ignores errors of the logger. */
export type WriteLog = (level: Level, line: string | (() => string), detail?: unknown) => void;

export const createLog =
  (logger: Logger = consoleLogger): WriteLog =>
  (level, line, ...detail) => {
    try {
      logger[level]?.(`mrc-explorer: ${typeof line === "string" ? line : line()}`, ...detail);
    } catch {
      // The error cannot be reported, because the logger itself has failed.
    }
  };

/** The functions that report events; each is undefined if neither hook nor logger wants it. */
export interface Instrumentation {
  readonly onRequest: ((event: RequestEvent) => Promise<AddedHeaders> | undefined) | undefined;
  readonly onResponse: ((event: ResponseEvent) => void) | undefined;
  readonly onRetry: ((event: RetryEvent) => void) | undefined;
  readonly onError: ((event: FailureEvent) => void) | undefined;
  readonly onValidationIssue: ((event: ValidationIssueEvent) => void) | undefined;
  readonly log: WriteLog;
}

interface Listeners {
  readonly hooks?: Hooks | undefined;
  readonly logger?: Logger | undefined;
}

/** Passes events to the hooks and to the logger. */
export function instrument({ hooks = {}, logger }: Listeners, log: WriteLog): Instrumentation {
  const emitter = <Event>(
    name: keyof Hooks,
    level: Level,
    lineOf: (event: Event) => string,
    hook: ((event: Event) => unknown) | undefined,
  ) => {
    if (!hook && !logger?.[level]) return undefined;
    return (event: Event): Promise<unknown> | undefined => {
      const report = (error: unknown) => log("error", `${name} threw`, error);
      try {
        log(level, () => lineOf(event), event);
        // A hook may be async in spite of its type, and its rejection must not end the process.
        return hook && Promise.resolve(hook(event)).catch(report);
      } catch (error) {
        report(error);
        return undefined;
      }
    };
  };
  const onRequest = emitter("onRequest", "debug", requestLine, hooks.onRequest);
  return {
    onRequest:
      onRequest &&
      ((event) =>
        onRequest(event)?.then((returned) => {
          try {
            return isRecord(returned) ? checkHeaders(returned) : {};
          } catch (error) {
            log("error", "onRequest returned headers that cannot be sent", error);
            return {};
          }
        })),
    onResponse: emitter("onResponse", "debug", responseLine, hooks.onResponse),
    onRetry: emitter("onRetry", "info", retryLine, hooks.onRetry),
    onError: emitter("onError", "debug", failureLine, hooks.onError),
    onValidationIssue: emitter("onValidationIssue", "info", issueLine, hooks.onValidationIssue),
    log,
  };
}

/** Returns whether a hook returned headers. A hook may return anything if it adds no headers. */
function isRecord(returned: unknown): returned is AddedHeaders {
  if (typeof returned !== "object" || returned === null) return false;
  const prototype = Object.getPrototypeOf(returned);
  return prototype === null || prototype === Object.prototype || returned instanceof Headers;
}

const prefix = ({ name, attempt }: { name: string; attempt: number }, arrow: string) =>
  `${name} #${attempt} ${arrow}`;

const requestLine = (event: RequestEvent) =>
  `${prefix(event, "→")} ${event.method} ${event.url}${event.waited >= 1 ? ` (waited ${formatDuration(event.waited)})` : ""}`;

const responseLine = (event: ResponseEvent) =>
  `${prefix(event, "←")} ${event.status} in ${formatDuration(event.duration)}, ${event.bytes} bytes`;

const retryLine = (event: RetryEvent) =>
  `${prefix(event, "↻")} ${event.error.shortMessage}; retry in ${formatDuration(event.delay)}`;

const failureLine = (event: FailureEvent) =>
  `${prefix(event, "×")} ${event.error instanceof ExplorerError ? event.error.shortMessage : "aborted"}`;

const issueLine = (event: ValidationIssueEvent) =>
  `${event.name} ! ${event.path}: expected ${event.expected}`;

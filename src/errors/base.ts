// The parent class of all errors of this package: a code, a short message, and lines about the
// request and its attempts.

/** Marks the errors of this package, including those of another copy in the same program. */
const brand = Symbol.for("mrc-explorer.error");

/** The request that failed, and how far it got. */
export interface ErrorContext {
  /** The number of the operation in the explorer's API documentation: "A2". */
  readonly operation?: string | undefined;
  /** The method of the client: "accounts.transactions". */
  readonly operationName?: string | undefined;
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** The request's URL; never contains the API key. */
  readonly url?: string | undefined;
  /** How many times the request was sent. */
  readonly attempts?: number | undefined;
  /** Milliseconds from the call to the failure. */
  readonly elapsed?: number | undefined;
}

/** The parts of an error's message. */
export interface ErrorDetails extends ErrorContext {
  readonly lines?: readonly string[] | undefined;
  /** The cause, free of secrets. */
  readonly cause?: unknown;
}

/** The code of an error; each class has its own. */
export type ErrorCode =
  | "PARAMETER"
  | "CONNECTION"
  | "REDIRECT"
  | "TIMEOUT"
  | "RESPONSE_VALIDATION"
  | "API"
  | "AUTHENTICATION"
  | "NOT_FOUND"
  | "NOT_AN_EXPLORER"
  | "INVALID_REQUEST"
  | "RATE_LIMIT"
  | "SERVER"
  | "NOT_VERIFIED"
  | "VERIFICATION"
  | "LIST"
  | "BATCH";

/** Returns the message of an error, or another thrown value as text. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Formats milliseconds for people: "250 ms", "1.5 s". */
export const formatDuration = (milliseconds: number): string =>
  milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${Number((milliseconds / 1000).toFixed(1))} s`;

const pascalCase = (code: ErrorCode): string =>
  code.replaceAll(
    /([A-Z])([A-Z]*)_?/g,
    (_, first: string, rest: string) => first + rest.toLowerCase(),
  );

/** Names a method with its number in the API documentation: "accounts.transactions (A2)". */
export const nameOperation = (id: string, name: string | undefined): string =>
  name ? `${name} (${id})` : id;

function* contextLines(context: ErrorContext) {
  const { operation, operationName, method, url, attempts, elapsed } = context;
  if (operation) yield `Operation: ${nameOperation(operation, operationName)}`;
  if (url) yield `Request: ${method ? `${method} ` : ""}${url}`;
  if (attempts !== undefined)
    yield `Attempts: ${attempts}${elapsed === undefined ? "" : ` in ${formatDuration(elapsed)}`}`;
}

/**
 * The parent class of every error of this package.
 *
 * `message` is for people and has several lines. Programs check `code`, or use {@link
 * isExplorerError}, which also recognises errors of another copy of this package. No error ever
 * contains the API key.
 */
export abstract class ExplorerError extends Error {
  abstract readonly code: ErrorCode;
  /** The first line of the message, for logs. Write your own messages for your users. */
  readonly shortMessage: string;
  /** The number of the operation in the explorer's API documentation: "A2". */
  readonly operation: string | undefined;
  /** The request's URL. */
  readonly url: string | undefined;
  /** How many times the request was sent; 0 if it was never sent. */
  readonly attempts: number;
  /** Milliseconds from the call to the failure. */
  readonly elapsed: number | undefined;
  /** Set if reading a list failed: `{ resume: cursor }` continues after the records read so far. */
  declare cursor?: string | undefined;
  /**
   * Set if reading a list failed: the records that `collect` had read. Empty for an iteration,
   * which has already yielded them.
   */
  declare records?: readonly unknown[] | undefined;

  constructor(shortMessage: string, details: ErrorDetails = {}) {
    const lines = [...contextLines(details), ...(details.lines ?? [])];
    const { cause } = details;
    super(
      [shortMessage, ...(lines.length ? ["", ...lines] : [])].join("\n"),
      cause === undefined ? undefined : { cause },
    );
    this.shortMessage = shortMessage;
    this.operation = details.operation;
    this.url = details.url;
    this.attempts = details.attempts ?? 0;
    this.elapsed = details.elapsed;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Returns the error as plain JSON, without its stack. A `bigint` becomes its digits. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { name, message } = this;
    return JSON.parse(
      JSON.stringify({ ...this, name, message }, (_, value: unknown) =>
        typeof value === "bigint"
          ? `${value}`
          : value instanceof Headers || value instanceof Map
            ? Object.fromEntries(value)
            : value,
      ),
    );
  }

  /** "RateLimitError", even if a bundler shortens class names. */
  override get name(): string {
    const { code } = this as { readonly code?: ErrorCode };
    return code ? `${pascalCase(code)}Error` : this.constructor.name;
  }
}

/** Whether a value is an error of any copy of this package. */
export const hasBrand = (value: unknown): value is ExplorerError =>
  typeof value === "object" && value !== null && brand in value;

/** Reports the message of each error, unless the previous error had the same message. */
export function oncePerMessage(report: (message: string) => void): (error: unknown) => void {
  let last: string | undefined;
  return (error) => {
    const message = messageOf(error);
    if (message !== last) report(message);
    last = message;
  };
}

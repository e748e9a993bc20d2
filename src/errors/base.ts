// What every error of this package is: a short message, lines that say what was asked and how it went, and a code.

/** Marks the errors of this package, also those of another copy of it in the same program. */
const brand = Symbol.for("mrc-explorer.error");

/** What was asked when it went wrong, and how far it got. */
export interface ErrorContext {
  /** The number of the operation in the specification: "A2". */
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  /** The address asked; never holds a key. */
  readonly url?: string | undefined;
  /** How many times it was sent. */
  readonly attempts?: number | undefined;
  /** Milliseconds from the call to the failure. */
  readonly elapsed?: number | undefined;
}

/** What makes up the text of an error. */
export interface ErrorDetails extends ErrorContext {
  /** Further lines for the message. */
  readonly lines?: readonly string[] | undefined;
  /** What it came from, already free of secrets. */
  readonly cause?: unknown;
}

/** The errors of this package, one code each. */
export type ErrorCode =
  | "PARAMETER"
  | "CONNECTION"
  | "REDIRECT"
  | "TIMEOUT"
  | "RESPONSE_VALIDATION"
  | "API"
  | "AUTHENTICATION"
  | "NOT_FOUND"
  | "INVALID_REQUEST"
  | "RATE_LIMIT"
  | "SERVER"
  | "NOT_VERIFIED"
  | "VERIFICATION"
  | "BATCH";

/** Milliseconds as a person reads them. */
export const formatDuration = (milliseconds: number): string =>
  milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${Number((milliseconds / 1000).toFixed(1))} s`;

const inCamelCase = (code: ErrorCode): string =>
  code.replaceAll(
    /([A-Z])([A-Z]*)_?/g,
    (_, first: string, rest: string) => first + rest.toLowerCase(),
  );

/** The lines that say what was asked. */
function* circumstances({ operation, method, url, attempts, elapsed }: ErrorContext) {
  if (operation !== undefined) yield `Operation: ${operation}`;
  if (url !== undefined) yield `Request: ${method === undefined ? "" : `${method} `}${url}`;
  if (attempts !== undefined)
    yield `Attempts: ${attempts}${elapsed === undefined ? "" : ` in ${formatDuration(elapsed)}`}`;
}

/**
 * The parent of every error this package throws.
 *
 * `message` is written for a person and has several lines; programs look at `code`, or use {@link isExplorerError},
 * which also knows errors of another copy of this package. No error ever holds the api-key.
 */
export abstract class ExplorerError extends Error {
  abstract readonly code: ErrorCode;
  /** The first line of the message. */
  readonly shortMessage: string;
  /** The number of the operation in the specification: "A2". */
  readonly operation: string | undefined;
  /** The address asked. */
  readonly url: string | undefined;
  /** How many times it was sent; 0 where nothing was. */
  readonly attempts: number;
  /** Milliseconds from the call to the failure. */
  readonly elapsed: number | undefined;
  /** Where an iteration stood that ended with this error: `{ resume: cursor }` goes on behind what it has yielded. */
  declare cursor?: string | undefined;

  constructor(shortMessage: string, details: ErrorDetails = {}) {
    const lines = [...circumstances(details), ...(details.lines ?? [])];
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

  /** All there is to it, as plain JSON; `bigint`s as their digits. */
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

  /** "RateLimitError", also where a bundler has shortened the names of classes. */
  override get name(): string {
    const { code } = this as { readonly code?: ErrorCode };
    return code === undefined ? this.constructor.name : `${inCamelCase(code)}Error`;
  }
}

/** Whether a value is an error of this package, of any copy of it. */
export const hasBrand = (value: unknown): value is ExplorerError =>
  typeof value === "object" && value !== null && brand in value;

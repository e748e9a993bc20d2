// A request that got no answer: the connection failed, led elsewhere, or took too long.
import { type ErrorDetails, ExplorerError, formatDuration } from "./base.ts";

/** No answer came: the name did not resolve, nobody listened, or the connection broke on the way. */
export class ConnectionError extends ExplorerError {
  readonly code: "CONNECTION" | "REDIRECT" = "CONNECTION";
}

/**
 * The server sent the client elsewhere, and it did not go: the api-key must never reach another origin.
 * `location` is where it pointed; a browser does not tell.
 */
export class RedirectError extends ConnectionError {
  override readonly code = "REDIRECT";
  readonly location: string | undefined;

  constructor(reason: string, location: string | undefined, details: ErrorDetails) {
    super(`The server answered with a redirect that was not followed: ${reason}`, {
      ...details,
      lines: [
        ...(location === undefined ? [] : [`Location: ${location}`]),
        ...(details.lines ?? []),
      ],
    });
    this.location = location;
  }
}

/** The time given for one attempt (`timeout`), or for all of them (`totalTimeout`), ran out. */
export class TimeoutError extends ExplorerError {
  readonly code = "TIMEOUT";
  /** Whose time ran out: that of one attempt or of all together. */
  readonly scope: "attempt" | "total";
  /** The milliseconds that were given. */
  readonly limit: number;

  constructor(scope: "attempt" | "total", limit: number, details: ErrorDetails) {
    super(
      scope === "attempt"
        ? `No complete answer within ${formatDuration(limit)} (timeout)`
        : `Not done within ${formatDuration(limit)} (totalTimeout)`,
      details,
    );
    this.scope = scope;
    this.limit = limit;
  }
}

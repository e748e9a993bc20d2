// Errors of requests without a usable response: failed connections, redirects and timeouts.
import { type ErrorDetails, ExplorerError, formatDuration, hasBrand } from "./base.ts";

/** No response arrived: DNS lookup failed, the connection was refused, or it broke. */
export class ConnectionError extends ExplorerError {
  readonly code: "CONNECTION" | "REDIRECT" = "CONNECTION";
  /**
   * Whether a retry cannot help, because of a refused certificate, a blocked port, or a bug in a
   * custom `fetch`.
   */
  readonly lasting: boolean;

  constructor(summary: string, details: ErrorDetails & { readonly lasting?: boolean } = {}) {
    super(summary, details);
    this.lasting = details.lasting ?? false;
  }
}

/**
 * Loads code that most programs never need. If a web page's file is gone, the error says so. The
 * next call tries again.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (cause) {
    if (hasBrand(cause)) throw cause;
    throw new ConnectionError("Could not load a part of mrc-explorer", {
      cause,
      lines: ["Reload the page: a newer version of the page may have replaced the file."],
    });
  }
}

/**
 * The server redirected the request, and the client did not follow, because the API key must never
 * reach another origin.
 */
export class RedirectError extends ConnectionError {
  override readonly code = "REDIRECT";
  /** The target of the redirect; undefined in browsers. */
  readonly location: string | undefined;

  constructor(reason: string, location: string | undefined, details: ErrorDetails) {
    super(`Redirect not followed: ${reason}`, {
      ...details,
      lines: [
        ...(location === undefined ? [] : [`Location: ${location}`]),
        ...(details.lines ?? []),
      ],
    });
    this.location = location;
  }
}

/** One attempt took longer than `timeout`, or the whole call longer than `totalTimeout`. */
export class TimeoutError extends ExplorerError {
  readonly code = "TIMEOUT";
  /** Which limit was exceeded: `timeout` of one attempt, or `totalTimeout` of the call. */
  readonly scope: "attempt" | "total";
  /** The limit in milliseconds. */
  readonly limit: number;

  constructor(scope: "attempt" | "total", limit: number, details: ErrorDetails) {
    super(
      `Timed out after ${formatDuration(limit)} (${scope === "attempt" ? "timeout" : "totalTimeout"})`,
      details,
    );
    this.scope = scope;
    this.limit = limit;
  }
}

// Error responses: one class for each case that a caller handles differently.
import { type ErrorCode, type ErrorDetails, ExplorerError, formatDuration } from "./base.ts";

/** The parts of an error response. */
export interface ApiErrorDetails
  extends ErrorDetails,
    Partial<Pick<ApiError, "status" | "reason" | "headers" | "body" | "retryAfter">> {
  /** The HTTP status of the response. */
  readonly httpStatus: number;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\w+/g) ?? [];

/** Adds the server's text to a summary, or uses only the text if it contains the summary. */
function headline(summary: string, reason = ""): string {
  const text = reason.trim();
  if (text === "") return summary;
  const words = wordsOf(text);
  const isRepeated = wordsOf(summary).every((word) => words.includes(word));
  return isRepeated ? text.charAt(0).toUpperCase() + text.slice(1) : `${summary}: ${text}`;
}

/**
 * The service responded with an error: an HTTP status outside 2xx, or an envelope without status
 * "200" and message "success".
 *
 * @example
 * const supply = await explorer.tokens.totalSupply(address).catch((error) => {
 *   if (error instanceof NotFoundError) return undefined; // not a token
 *   throw error;
 * });
 */
export class ApiError extends ExplorerError {
  readonly code: ErrorCode = "API";
  /** The HTTP status of the response. */
  readonly httpStatus: number;
  /** The `status` of the envelope, if the response has one. */
  readonly status: string | undefined;
  /**
   * The first 200 characters of the server's message, safe to print; the first 8,192 for
   * `contracts.verify`, where the message says why the source is refused.
   */
  readonly reason: string | undefined;
  /** The headers of the response, without the API key. */
  readonly headers: Headers;
  /** The beginning of the body, if it is not an envelope. */
  readonly body: string | undefined;
  /** How long the server asks to wait before the next request, in milliseconds. */
  readonly retryAfter: number | undefined;

  constructor(summary: string, details: ApiErrorDetails) {
    const { httpStatus, status, reason, body, retryAfter } = details;
    super(headline(summary, reason), {
      ...details,
      lines: [
        `Status: HTTP ${httpStatus}${status === undefined ? "" : `, status ${JSON.stringify(status)}`}`,
        ...(retryAfter === undefined ? [] : [`Retry after: ${formatDuration(retryAfter)}`]),
        ...(details.lines ?? []),
        ...(body ? [`Body: ${body}`] : []),
      ],
    });
    this.httpStatus = httpStatus;
    this.status = status;
    this.reason = reason;
    this.headers = details.headers ?? new Headers();
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** The API key is missing, unknown or not permitted (401, 403). */
export class AuthenticationError extends ApiError {
  override readonly code = "AUTHENTICATION";
}

/** The token, transaction, block or contract does not exist (404). */
export class NotFoundError extends ApiError {
  override readonly code = "NOT_FOUND";
}

/**
 * The address is a website, a node or another API, because its 404 does not have the form of an
 * explorer's error. Check `baseUrl`.
 */
export class NotAnExplorerError extends ApiError {
  override readonly code = "NOT_AN_EXPLORER";
}

/** The service rejects the request (other 4xx); a retry does not help. */
export class InvalidRequestError extends ApiError {
  override readonly code = "INVALID_REQUEST";
}

/** Too many requests (429); `retryAfter` says how many milliseconds the server asks to wait. */
export class RateLimitError extends ApiError {
  override readonly code = "RATE_LIMIT";
}

/** The service failed (5xx); a later retry may help. */
export class ServerError extends ApiError {
  override readonly code = "SERVER";
}

/** The contract is not verified, so the service has neither its ABI nor its source (C1, C2). */
export class NotVerifiedError extends ApiError {
  override readonly code = "NOT_VERIFIED";
}

/** The submitted source does not match the contract (C3); `reason` says why. */
export class VerificationError extends ApiError {
  override readonly code = "VERIFICATION";
}

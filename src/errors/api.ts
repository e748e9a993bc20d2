// An answer that says no: one class for each thing a caller would do differently.
import { type ErrorCode, type ErrorDetails, ExplorerError, formatDuration } from "./base.ts";

/** What is known of an answer that says no. */
export interface ApiErrorDetails extends ErrorDetails {
  readonly httpStatus: number;
  /** `status` of the envelope, where there was one. */
  readonly status?: string | undefined;
  /** `message` of the envelope, where there was one. */
  readonly reason?: string | undefined;
  /** The headers of the answer. */
  readonly headers?: Headers | undefined;
  /** The beginning of the body, where it was no envelope. */
  readonly body?: string | undefined;
  /** Milliseconds the server asks to wait. */
  readonly retryAfter?: number | undefined;
}

/**
 * The service answered, and the answer is not a success: another HTTP status than 2xx, or an envelope that does not say
 * status "200" and message "success" (R1).
 *
 * @example
 * const supply = await explorer.tokens.totalSupply(address).catch((error) => {
 *   if (error instanceof NotFoundError) return undefined; // not a token
 *   throw error;
 * });
 */
export class ApiError extends ExplorerError {
  readonly code: ErrorCode = "API";
  readonly httpStatus: number;
  /** `status` of the envelope, where there was one. */
  readonly status: string | undefined;
  /** What the server says, shortened and made safe to print. */
  readonly reason: string | undefined;
  readonly headers: Headers;
  /** The beginning of the body, where it was no envelope. */
  readonly body: string | undefined;
  /** Milliseconds the server asks to wait before asking again. */
  readonly retryAfter: number | undefined;

  constructor(what: string, details: ApiErrorDetails) {
    const { httpStatus, status, reason, body, retryAfter } = details;
    super(reason ? `${what}: ${reason}` : what, {
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

/** The key is missing, unknown, or not allowed to ask this (401, 403). */
export class AuthenticationError extends ApiError {
  override readonly code = "AUTHENTICATION";
}

/** There is no such thing: token, transaction, block, contract or path (404). */
export class NotFoundError extends ApiError {
  override readonly code = "NOT_FOUND";
}

/** The service refuses the request as it is; asking again will not help (other 4xx). */
export class InvalidRequestError extends ApiError {
  override readonly code = "INVALID_REQUEST";
}

/** Too many requests (429); `retryAfter` says how long the server wants peace, in milliseconds. */
export class RateLimitError extends ApiError {
  override readonly code = "RATE_LIMIT";
}

/** The service failed (5xx); asking again later may help. */
export class ServerError extends ApiError {
  override readonly code = "SERVER";
}

/** The contract is not verified, so the service has no ABI and no source of it (C1, C2). */
export class NotVerifiedError extends ApiError {
  override readonly code = "NOT_VERIFIED";
}

/** The service did not accept the source as that of the contract (C3); `reason` says why. */
export class VerificationError extends ApiError {
  override readonly code = "VERIFICATION";
}

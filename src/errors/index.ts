// Every error of the package, and `isExplorerError`, which recognises them.
import type {
  ApiError,
  AuthenticationError,
  InvalidRequestError,
  NotAnExplorerError,
  NotFoundError,
  NotVerifiedError,
  RateLimitError,
  ServerError,
  VerificationError,
} from "./api.ts";
import { type ErrorCode, type ExplorerError, hasBrand } from "./base.ts";
import type { ConnectionError, RedirectError, TimeoutError } from "./connection.ts";
import type { ParameterError } from "./parameter.ts";
import type { ResponseValidationError } from "./response-validation.ts";
import type { BatchError, ListError } from "./unfinished.ts";

export * from "./api.ts";
export { type ErrorCode, type ErrorContext, ExplorerError } from "./base.ts";
export * from "./connection.ts";
export * from "./parameter.ts";
export * from "./response-validation.ts";
export * from "./unfinished.ts";

interface ErrorByCode {
  PARAMETER: ParameterError;
  CONNECTION: ConnectionError;
  REDIRECT: RedirectError;
  TIMEOUT: TimeoutError;
  RESPONSE_VALIDATION: ResponseValidationError;
  API: ApiError;
  AUTHENTICATION: AuthenticationError;
  NOT_FOUND: NotFoundError;
  NOT_AN_EXPLORER: NotAnExplorerError;
  INVALID_REQUEST: InvalidRequestError;
  RATE_LIMIT: RateLimitError;
  SERVER: ServerError;
  NOT_VERIFIED: NotVerifiedError;
  VERIFICATION: VerificationError;
  LIST: ListError;
  BATCH: BatchError;
}

/**
 * Returns whether a value is an error of this package and, if you pass a code, has that code.
 * Unlike `instanceof`, it also recognises errors of another copy of the package (ESM and CommonJS,
 * or two versions).
 *
 * @example
 * const abi = await explorer.contracts.abi(contract).catch((error) => {
 *   if (isExplorerError(error, "NOT_VERIFIED")) return undefined;
 *   throw error;
 * });
 */
export function isExplorerError<Code extends ErrorCode = never>(
  error: unknown,
  code?: Code,
): error is [Code] extends [never]
  ? ExplorerError
  : Code extends keyof ErrorByCode
    ? ErrorByCode[Code]
    : ExplorerError {
  return hasBrand(error) && (code === undefined || error.code === code);
}

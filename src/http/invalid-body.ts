// The error for a body that is not JSON, not UTF-8, or too long.
import type { ErrorDetails } from "../errors/base.ts";
import { ResponseValidationError } from "../errors/index.ts";
import { excerpt, type Redact } from "../errors/redact.ts";

/** The description of a request for errors, without secrets. */
export interface ErrorSource {
  readonly redact: Redact;
  readonly context: () => ErrorDetails;
}

export const invalidBody = (
  { redact, context }: ErrorSource,
  httpStatus: number,
  reason: string,
  text?: string,
): ResponseValidationError =>
  new ResponseValidationError(`Invalid response: ${reason}`, {
    ...context(),
    httpStatus,
    body: text === undefined ? undefined : excerpt(text, redact),
  });

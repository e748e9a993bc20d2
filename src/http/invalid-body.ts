// The error of a body that cannot be read: no JSON, no text, or too long.
import type { ErrorDetails } from "../errors/base.ts";
import { ResponseValidationError } from "../errors/index.ts";
import { excerpt, type Redact } from "../errors/redact.ts";

/** How an error describes its request, without secrets. */
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

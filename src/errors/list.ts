// A list that cannot be read to its end, because of how the server answers.
import { type ErrorDetails, ExplorerError } from "./base.ts";

/** What the server does. */
export type ListErrorReason = "OFFSET_IGNORED" | "RESULT_WINDOW" | "NO_PROGRESS";

/**
 * A list cannot be read to its end, because of how the server answers. `reason` says what it does:
 *
 * - `OFFSET_IGNORED`: two offsets return the same page, and there may be more records.
 * - `RESULT_WINDOW`: it returns no records after a position, and the list cannot be read in smaller ranges of blocks.
 * - `NO_PROGRESS`: many requests in a row returned no new record.
 *
 * `records` holds what `collect` read so far, and `{ resume: cursor }` continues after it.
 */
export class ListError extends ExplorerError {
  readonly code = "LIST";
  readonly reason: ListErrorReason;

  constructor(reason: ListErrorReason, summary: string, details: ErrorDetails = {}) {
    super(summary, details);
    this.reason = reason;
  }
}

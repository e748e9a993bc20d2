// A list that cannot be read to its end, because of how the server answers.
import { type ErrorDetails, ExplorerError } from "./base.ts";

/** What the server does. */
export type ListErrorReason = "OFFSET_IGNORED" | "NO_PROGRESS" | "SHORTFALL";

/**
 * A list cannot be read to its end, because of how the server answers. `reason` says what it does:
 *
 * - `OFFSET_IGNORED`: two offsets bring the same page.
 * - `NO_PROGRESS`: many requests in a row brought no new record.
 * - `SHORTFALL`: its `count` promises more records than it sends; `onShortfall` makes this a report instead.
 *
 * All records up to `cursor` arrived.
 */
export class ListError extends ExplorerError {
  readonly code = "LIST";
  readonly reason: ListErrorReason;

  constructor(reason: ListErrorReason, summary: string, details: ErrorDetails = {}) {
    super(summary, details);
    this.reason = reason;
  }
}

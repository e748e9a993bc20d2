// The errors for lists and batches that could only be read in part. An entry point of its own,
// because programs load these errors with the code of lists.
import type { AccountBalance } from "../models/holdings.ts";
import type { Address } from "../models/primitives.ts";
import { type ErrorDetails, ExplorerError, messageOf } from "./base.ts";

const MAX_LISTED = 5;

/** Adds up the attempts of failed requests. Addresses of one request share its error. */
const attemptsOf = (errors: Iterable<unknown>): number =>
  [...new Set(errors)].reduce<number>(
    (sum, error) => sum + (error instanceof ExplorerError ? error.attempts : 0),
    0,
  );

/**
 * Some balances of a batch could not be fetched. `failed` lists their addresses to retry, and
 * `errors` says why each failed. `succeeded` holds the other balances, which you need not fetch
 * again.
 *
 * @example
 * const balances = await explorer.accounts.balances(addresses).catch((error) => {
 *   if (isExplorerError(error, "BATCH")) return error.succeeded;
 *   throw error;
 * });
 */
export class BatchError extends ExplorerError {
  readonly code = "BATCH";
  /** The balances that arrived, one per address. */
  readonly succeeded: readonly AccountBalance[];
  /** The addresses without a balance, each once. */
  readonly failed: readonly Address[];
  /** The error of each failed address. */
  readonly errors: ReadonlyMap<Address, unknown>;

  constructor(succeeded: readonly AccountBalance[], errors: ReadonlyMap<Address, unknown>) {
    const failed = [...errors.keys()];
    const [cause] = errors.values();
    const more = failed.length - MAX_LISTED;
    super(
      `Failed to fetch ${failed.length} of ${failed.length + succeeded.length} balances: ${
        cause instanceof ExplorerError ? cause.shortMessage : messageOf(cause)
      }`,
      {
        operation: "A1",
        operationName: "accounts.balances",
        url: cause instanceof ExplorerError ? cause.url : undefined,
        attempts: attemptsOf(errors.values()),
        cause,
        lines: [
          ...failed.slice(0, MAX_LISTED).map((address) => `- ${address}`),
          ...(more > 0 ? [`… and ${more} more`] : []),
        ],
      },
    );
    this.succeeded = succeeded;
    this.failed = failed;
    this.errors = errors;
  }
}

/** How a server contradicts itself. */
export type ListErrorReason = keyof typeof problems;

/** The fault of the server, and what to do about it. */
const problems = {
  OFFSET_IGNORED: [
    "The server does not treat `offset` as the position of a record: it returned known records, or none, although more follow",
    "Read the list in parts that fit on one page: by `startBlock` and `endBlock`, if the method has them.",
  ],
  RANGE_IGNORED: [
    "The server returned records outside the requested blocks, or no records of a block that has some",
    "Read the list without `startBlock` and `endBlock`, and skip the records that you do not need.",
  ],
  ORDER_CHANGED: [
    "The list changed its order: it began sorted by block, but then a record broke the order",
    "Read the list in small ranges of blocks, by `startBlock` and `endBlock`.",
  ],
  RESULT_WINDOW: [
    "The server returns no records after this position, although the list continues",
    "Read the list in parts: `split()` returns a cursor for each. A list without blocks cannot be read further.",
  ],
  NO_PROGRESS: [
    "Many requests in a row returned no new record: the list grows faster than it is read, or the server repeats its pages",
    "Read the list again with a larger `limit`, or when it grows more slowly.",
  ],
} as const;

/**
 * A list cannot be read further, because the server contradicts itself. The message says what to
 * do, and `reason` what the server did:
 *
 * - `OFFSET_IGNORED`: the server ignores `offset`, or counts pages with it instead of records.
 * - `RANGE_IGNORED`: a record is outside the requested blocks.
 * - `ORDER_CHANGED`: the list began sorted by block, but did not stay so.
 * - `RESULT_WINDOW`: the server returns no records after a position, and the list cannot be read in
 *   smaller ranges of blocks.
 * - `NO_PROGRESS`: many requests in a row returned no new record.
 *
 * `records` holds the records that `collect` has read, and `{ resume: cursor }` continues after
 * them.
 */
export class ListError extends ExplorerError {
  readonly code = "LIST";
  /** The fault of the server. */
  readonly reason: ListErrorReason;

  constructor(reason: ListErrorReason, details: ErrorDetails = {}) {
    const [summary, advice] = problems[reason];
    const hint = "`records` holds the records read so far, and `cursor` continues after them.";
    super(summary, { ...details, lines: [...(details.lines ?? []), advice, hint] });
    this.reason = reason;
  }
}

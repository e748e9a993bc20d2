// A request for many things of which some did not come.
import type { AccountBalance } from "../models/account-balance.ts";
import type { Address } from "../models/primitives.ts";
import { ExplorerError } from "./base.ts";

/** How many addresses the message spells out. */
const SPELT_OUT = 5;

/**
 * Some of many balances could not be had. What could is in `succeeded`, so nothing need be asked twice; `failed` are the
 * addresses to ask again, `errors` says why for each of them.
 *
 * @example
 * const balances = await explorer.accounts.balances(addresses).catch((error) => {
 *   if (isExplorerError(error, "BATCH")) return error.succeeded;
 *   throw error;
 * });
 */
export class BatchError extends ExplorerError {
  readonly code = "BATCH";
  /** The balances that came, each address once. */
  readonly succeeded: readonly AccountBalance[];
  /** The addresses without an answer, each once. */
  readonly failed: readonly Address[];
  /** Why, by address. */
  readonly errors: ReadonlyMap<Address, unknown>;

  constructor(succeeded: readonly AccountBalance[], errors: ReadonlyMap<Address, unknown>) {
    const failed = [...errors.keys()];
    const [cause] = errors.values();
    const more = failed.length - SPELT_OUT;
    super(
      `${failed.length} of ${failed.length + succeeded.length} balances could not be had: ${
        cause instanceof ExplorerError
          ? cause.shortMessage
          : cause instanceof Error
            ? cause.message
            : String(cause)
      }`,
      {
        operation: "A1",
        cause,
        lines: [
          ...failed.slice(0, SPELT_OUT).map((address) => `- ${address}`),
          ...(more > 0 ? [`… and ${more} more`] : []),
        ],
      },
    );
    this.succeeded = succeeded;
    this.failed = failed;
    this.errors = errors;
  }
}

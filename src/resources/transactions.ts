// The methods on one transaction: X1 to X3.
import { operations } from "../contract/index.ts";
import type { Call, RequestOptions, ResultPromise } from "../http/call.ts";
import { pickResult } from "../http/result-promise.ts";
import { paged, withSubject } from "../lists/paged-request.ts";
import type { InternalTransaction } from "../models/internal-transaction.ts";
import type { Hash, Status } from "../models/primitives.ts";
import type { ListRequest } from "./pages.ts";
import type { TransactionInternalTransactionsQuery } from "./queries.ts";

/**
 * One transaction: status and internal transactions (X1 to X3). The methods reject with a {@link
 * NotFoundError} if the transaction does not exist.
 */
export class Transactions {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns whether the transaction's execution succeeded (X1): "1" for success, "0" for an error;
   * null if the service does not know.
   *
   * @example
   * const failed = (await explorer.transactions.status(hash)) === "0";
   */
  status(hash: Hash, options?: RequestOptions): ResultPromise<Status | null> {
    const results = this.#call(operations.X1, { transaction_hash: hash }, options);
    return pickResult(results, ({ data }) => data.status);
  }

  /**
   * Returns the status of the receipt (X2): "1" for success, "0" for an error; null for
   * transactions before the Byzantium fork.
   *
   * @example
   * const status = await explorer.transactions.receiptStatus(hash); // "1"
   */
  receiptStatus(hash: Hash, options?: RequestOptions): ResultPromise<Status | null> {
    const results = this.#call(operations.X2, { transaction_hash: hash }, options);
    return pickResult(results, ({ data }) => data.status);
  }

  /**
   * Lists the internal transactions of a transaction (X3): the calls below the root, in the
   * service's order. The records are like those of {@link Accounts.internalTransactions}.
   *
   * @example
   * for await (const { trace_type, receiver, value } of explorer.transactions.internalTransactions(hash))
   *   console.log(trace_type, receiver, value);
   */
  internalTransactions(
    hash: Hash,
    query: TransactionInternalTransactionsQuery = {},
    options?: RequestOptions,
  ): ListRequest<InternalTransaction> {
    const input = withSubject(query, { transaction_hash: hash });
    return paged(this.#call, operations.X3, input, options);
  }
}

// The questions about one transaction: X1 to X3.
import { operations } from "../contract/index.ts";
import type { AnswerPromise, Call, RequestOptions } from "../http/call.ts";
import { paged } from "../lists/paged-request.ts";
import type { Hash, Status } from "../models/primitives.ts";
import { callOperation } from "./call-operation.ts";
import type { List, Query } from "./list.ts";

/** Which internal transactions of a transaction (X3), and how to read the list. */
export type TransactionInternalTransactionsQuery = Query<"X3", "transaction_hash">;

/** Questions about one transaction (X1 to X3). Each rejects with a {@link NotFoundError} if there is none with the hash. */
export class Transactions {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Whether contract execution went well (X1): "1" success, "0" error; null where the service does not know.
   *
   * @example
   * const failed = (await explorer.transactions.status(hash)) === "0";
   */
  status(hash: Hash, options?: RequestOptions): AnswerPromise<Status | null> {
    return callOperation(
      this.#call,
      operations.X1,
      { transaction_hash: hash },
      options,
      ({ data }) => data.status,
    );
  }

  /**
   * The status of the receipt (X2): "1" success, "0" error; null for transactions before the Byzantium fork.
   *
   * @example
   * const status = await explorer.transactions.receiptStatus(hash); // "1"
   */
  receiptStatus(hash: Hash, options?: RequestOptions): AnswerPromise<Status | null> {
    return callOperation(
      this.#call,
      operations.X2,
      { transaction_hash: hash },
      options,
      ({ data }) => data.status,
    );
  }

  /**
   * The internal transactions of a transaction (X3): the calls below its own, in the order the service gives; values and gas as in
   * {@link Accounts.internalTransactions}.
   *
   * @example
   * for await (const { trace_type, receiver, value } of explorer.transactions.internalTransactions(hash))
   *   console.log(trace_type, receiver, value);
   */
  internalTransactions(
    hash: Hash,
    query: TransactionInternalTransactionsQuery = {},
    options?: RequestOptions,
  ): List<"X3"> {
    return paged(this.#call, operations.X3, { ...query, transaction_hash: hash }, options);
  }
}

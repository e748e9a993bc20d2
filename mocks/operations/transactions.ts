// Transactions: execution status, receipt status, internal transactions (X1 to X3).

import type { ChainReader } from "../chain/reader.ts";
import type { ChainTransaction, Hex } from "../chain/records.ts";
import { ServiceError } from "../message/api.ts";
import { ascending, lower, outcome } from "./format.ts";
import type { OperationHandler } from "./handler.ts";
import { internalTransaction } from "./records.ts";

/** Returns the transaction with this hash, or throws a 404. */
function transactionOf(chain: ChainReader, hash: Hex): ChainTransaction {
  const transaction = chain.transaction(lower(hash));
  if (transaction === undefined)
    throw new ServiceError(404, `transaction_hash: no transaction ${hash}`);
  return transaction;
}

/** Falls back to the trace's error, because receipts before Byzantium have no status. */
export const X1: OperationHandler<"X1"> = (chain, { transaction_hash }) => {
  const { succeeded, error } = transactionOf(chain, transaction_hash);
  const status = outcome(succeeded ?? (error === null ? null : false));
  const failure = status === "0" && { description: error ?? "transaction failed" };
  return { data: { status, ...failure } };
};

export const X2: OperationHandler<"X2"> = (chain, { transaction_hash }) => ({
  data: { status: outcome(transactionOf(chain, transaction_hash).succeeded) },
});

/** In execution order (S4). */
export const X3: OperationHandler<"X3"> = (chain, { transaction_hash, input, ...paging }) =>
  ascending(
    chain.framesOf(transactionOf(chain, transaction_hash)),
    paging,
    internalTransaction(chain, input),
  );

// Operations on transactions: X1 to X3 (specification 4.3).
import { InternalTransaction } from "../models/internal-transaction.ts";
import { model } from "../models/model.ts";
import { hash, orNull, status } from "../models/primitives.ts";
import { dataOf, operation, pageOf } from "./operation.ts";
import { paging, withInput } from "./parameters.ts";
import { frames } from "./records.ts";

const parameters = { transaction_hash: hash };

export const X1 = /*#__PURE__*/ operation({
  id: "X1",
  name: "transactions.status",
  method: "GET",
  path: "/v1/transactions/{transaction_hash}/transaction-status",
  parameters,
  results: dataOf(model({ status: orNull(status) })),
  finality: "transaction",
});

export const X2 = /*#__PURE__*/ operation({
  id: "X2",
  name: "transactions.receiptStatus",
  method: "GET",
  path: "/v1/transactions/{transaction_hash}/receipt-status",
  parameters,
  results: dataOf(model({ status: orNull(status) })),
  finality: "transaction",
});

export const X3 = /*#__PURE__*/ operation({
  id: "X3",
  name: "transactions.internalTransactions",
  method: "GET",
  path: "/v1/transactions/{transaction_hash}/internal-transactions",
  parameters,
  query: { ...paging, ...withInput },
  results: pageOf(InternalTransaction),
  list: frames,
  finality: "transaction",
});

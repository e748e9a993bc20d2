// Operations on transactions: X1 to X3 (specification 4.3).
import { InternalTransaction } from "../models/internal-transaction.ts";
import { model } from "../models/model.ts";
import { hash, orNull, status } from "../models/primitives.ts";
import { identities } from "./lists.ts";
import { dataOf, operation, pageOf } from "./operation.ts";
import { paging, withInput } from "./parameters.ts";
import { paths } from "./paths.ts";

const parameters = { transaction_hash: hash };

export const transactions = {
  X1: operation({
    id: "X1",
    name: "transactions.status",
    path: paths.X1,
    parameters,
    results: dataOf(model({ status: orNull(status) })),
    finality: "transaction",
  }),
  X2: operation({
    id: "X2",
    name: "transactions.receiptStatus",
    path: paths.X2,
    parameters,
    results: dataOf(model({ status: orNull(status) })),
    finality: "transaction",
  }),
  X3: operation({
    id: "X3",
    name: "transactions.internalTransactions",
    path: paths.X3,
    parameters,
    query: { ...paging, ...withInput },
    results: pageOf(InternalTransaction),
    list: { identity: identities.internalTransactions },
    finality: "transaction",
  }),
};

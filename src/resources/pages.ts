// The results of the list methods: a request per list, and the page it resolves to.
import type { PagedRequest } from "../lists/paged-request.ts";
import type { SimpleTransaction, Transaction } from "../models/transaction.ts";

/** The results of a list operation as received: a page of records, and the server's count. */
export interface PageResults<Item> {
  /** The number of records in the list or, on some servers, only on the page. */
  count: number | null;
  /** The records of the page, newest first on most explorers. */
  data: Item[];
}

/** The results of A2 in its simple form. */
export interface SimpleTransactionsResults extends PageResults<SimpleTransaction> {
  /** The last block that the list covers; some servers do not send it. */
  to_block?: bigint | null | undefined;
}

/** A request for a list: await it for one page, or iterate it for every record. */
export type ListRequest<Item> = PagedRequest<Item, PageResults<Item>>;

/** The transactions of an account: full records, or simple ones if the query has `simple: true`. */
export type TransactionsRequest<Simple extends boolean> = PagedRequest<
  Simple extends true ? SimpleTransaction : Transaction,
  Simple extends true ? SimpleTransactionsResults : PageResults<Transaction>
>;

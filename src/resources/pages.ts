// The results of the list methods: a request per list, and the page it resolves to.
import type { Page, PagedRequest, TokenHolding } from "../lists/paged-request.ts";
import type { MinedBlock } from "../models/block.ts";
import type { EventLog } from "../models/event-log.ts";
import type { AccountTokens, TokenEntry } from "../models/holdings.ts";
import type { InternalTransaction } from "../models/internal-transaction.ts";
import type { CollectionToken } from "../models/inventory.ts";
import type { SimpleTransaction, Transaction } from "../models/transaction.ts";
import type { Mrc20Transfer, Mrc721Transfer } from "../models/transfer.ts";

/** The results of a list operation as received: a page of records, and the server's count. */
export interface PageResults<Item> {
  /** The number of records in the list or on the page, depending on the server (R8). */
  count: number | null;
  /** The records of the page, newest first on most explorers. */
  data: Item[];
}

/** The results of A2 in its simple form. */
export interface SimpleTransactionsResults extends PageResults<SimpleTransaction> {
  /** The last block the list covers; not every server sends it. */
  to_block?: bigint | null | undefined;
}

/** A list of records: await it for one page, iterate it for every record. */
export type ListRequest<Item> = PagedRequest<Item, PageResults<Item>>;

/** The transactions of an account: full records, or simple ones if the query has `simple: true`. */
export type TransactionsRequest<Simple extends boolean> = PagedRequest<
  Simple extends true ? SimpleTransaction : Transaction,
  Simple extends true ? SimpleTransactionsResults : PageResults<Transaction>
>;

/** A page of an account's transactions (A2). */
export type TransactionsPage = Page<Transaction, PageResults<Transaction>>;
/** A page of an account's transactions in their simple form (A2 with `simple: true`). */
export type SimpleTransactionsPage = Page<SimpleTransaction, SimpleTransactionsResults>;
/** A page of internal transactions (A3, X3). */
export type InternalTransactionsPage = Page<InternalTransaction, PageResults<InternalTransaction>>;
/** A page of MRC20 transfers (A4). */
export type Mrc20TransfersPage = Page<Mrc20Transfer, PageResults<Mrc20Transfer>>;
/** A page of MRC721 transfers (A5). */
export type Mrc721TransfersPage = Page<Mrc721Transfer, PageResults<Mrc721Transfer>>;
/** A page of an account's tokens of both standards (A6). */
export type AccountTokensPage = Page<TokenHolding, AccountTokens>;
/** A page of an account's tokens of one standard (A7, A8). */
export type TokenEntriesPage = Page<TokenEntry, PageResults<TokenEntry>>;
/** A page of a collection's tokens (A9). */
export type InventoryPage = Page<CollectionToken, PageResults<CollectionToken>>;
/** A page of the blocks a miner created (A10). */
export type MinedBlocksPage = Page<MinedBlock, PageResults<MinedBlock>>;
/** A page of event logs (L1). */
export type EventLogsPage = Page<EventLog, PageResults<EventLog>>;

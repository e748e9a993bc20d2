// The parameters of the list methods, documented field by field.
import type { IterationOptions, Period } from "../lists/paged-request.ts";
import type { WatchOptions } from "../lists/watch.ts";
import type { EventLog } from "../models/event-log.ts";
import type { Address, Decimal, Hash } from "../models/primitives.ts";
import type { EventArguments, EventItem } from "./event-filter.ts";

/** A block number: `90n`, `90` or `"90"`. */
export type BlockNumber = bigint | number | Decimal;

/**
 * Which part of a list to read, and how to iterate it.
 *
 * @example
 * const page = await explorer.accounts.mrc20Tokens(address, { limit: 100, offset: 200 });
 */
export interface PageQuery extends IterationOptions {
  /**
   * The number of records per page, from 1 to 1000. Iterating reads every page, whatever its size;
   * to read fewer records, use `maxItems`.
   *
   * @default 50
   */
  readonly limit?: number | null | undefined;
  /**
   * The index of the first record to read. To continue from a page, pass its cursor as `resume`
   * instead, because an offset shifts when the list grows.
   *
   * @default 0
   */
  readonly offset?: number | null | undefined;
}

/**
 * Which part of the combined list of an account's tokens to read, and whether to name collections.
 *
 * @example
 * const page = await explorer.accounts.tokens(address, { names: true });
 */
export interface TokensQuery extends PageQuery {
  /**
   * Adds `token_name` and `token_symbol` to MRC721 collections. This takes one more request for
   * every 1000 collections.
   *
   * @default false
   */
  readonly names?: boolean | null | undefined;
}

interface BlockRange extends Period {
  /**
   * The first block of the range, included. To select by time, use `since`.
   *
   * @default the first block of the chain
   */
  readonly startBlock?: BlockNumber | null | undefined;
  /**
   * The last block of the range, included. To select by time, use `until`.
   *
   * @default the newest block
   */
  readonly endBlock?: BlockNumber | null | undefined;
}

interface CallData {
  /**
   * Adds the call data to each record, as its field `input`. Responses grow considerably.
   *
   * @default false
   */
  readonly input?: boolean | null | undefined;
}

/**
 * Which normal transactions of an account to read (A2).
 *
 * @example
 * explorer.accounts.transactions(address, { condition: "from", startBlock: 80n, limit: 100 });
 */
export interface TransactionsQuery<Simple extends boolean = boolean>
  extends PageQuery,
    BlockRange,
    CallData {
  /**
   * `true` returns {@link SimpleTransaction} records, which have the fee (`tx_fee`) but no time and
   * block hash.
   *
   * @default false
   */
  readonly simple?: Simple | null | undefined;
  /**
   * The role of the account in the transaction: recipient (`"to"`), sender (`"from"`), created
   * contract (`"contract"`), or any (`"all"`).
   *
   * @default "all"
   */
  readonly condition?: "all" | "to" | "from" | "contract" | null | undefined;
}

/**
 * Which internal transactions of an account to read (A3).
 *
 * @example
 * explorer.accounts.internalTransactions(address, { startBlock: 50n, endBlock: 99n, input: true });
 */
export interface InternalTransactionsQuery extends PageQuery, BlockRange, CallData {}

/**
 * Which token transfers of an account to read (A4, A5).
 *
 * @example
 * explorer.accounts.mrc20Transfers(address, { startBlock: 80n, maxItems: 500 });
 */
export interface TransfersQuery extends PageQuery, BlockRange {}

/**
 * Which blocks of a miner to read (A10).
 *
 * @example
 * explorer.accounts.minedBlocks(miner, { since: "2026-10-01", until: "2026-11-01" });
 */
export interface MinedBlocksQuery extends PageQuery, Period {}

/**
 * Which tokens of a collection to read (A9).
 *
 * @example
 * explorer.accounts.inventory(collection, { limit: 1000 });
 */
export interface InventoryQuery extends PageQuery {
  /** Only the tokens of this collection, if the address covers several. */
  readonly token_address?: Address | null | undefined;
}

/**
 * Which internal transactions of one transaction to read (X3).
 *
 * @example
 * explorer.transactions.internalTransactions(hash, { input: true });
 */
export interface TransactionInternalTransactionsQuery extends PageQuery, CallData {}

/** The signature of an event: `"Transfer(address,address,uint256)"`. */
export type EventName = `${string}(${string})`;

interface EventLogFilter {
  /** The contract that emits the logs. */
  readonly address: Address;
  /**
   * The first topic: the signature of the event, such as `"Transfer(address,address,uint256)"`, or
   * its hash. An anonymous event has its first argument here.
   */
  readonly topic_0?: EventName | Hash | null | undefined;
  /** The second topic: the first indexed argument as 32 bytes or, padded for you, an address. */
  readonly topic_1?: Hash | null | undefined;
  /** The third topic. */
  readonly topic_2?: Hash | null | undefined;
  /** The fourth topic. */
  readonly topic_3?: Hash | null | undefined;
  /**
   * How several topics combine: all must match (`"and"`), or any (`"or"`).
   *
   * @default "and"
   */
  readonly operand?: "and" | "or" | null | undefined;
  /**
   * `"single"` selects by one topic only, `"conbine"` (as the API spells it) by all topics that you
   * pass.
   *
   * @default "conbine"
   */
  readonly type?: "single" | "conbine" | null | undefined;
}

/**
 * Which event logs of a contract to read (L1).
 *
 * @example
 * explorer.eventLogs.list({ address: token, topic_0: "Transfer(address,address,uint256)", startBlock: 80n });
 */
export interface EventLogsQuery<Event extends string | EventItem = string | EventItem>
  extends EventLogFilter,
    PageQuery,
    BlockRange {
  /**
   * The event, instead of `topic_0`: its declaration as text, or its item of an ABI.
   *
   * @example
   * const event = "event Transfer(address indexed from, address indexed to, uint256 value)";
   * for await (const log of explorer.eventLogs.list({ address: token, event, args: { to: holder } }))
   *   console.log(log.data);
   */
  readonly event?: Event | null | undefined;
  /**
   * Values of indexed arguments of `event` to select by: by name or, for an event without names, as
   * a list in which null matches any value.
   */
  readonly args?: EventArguments<Event> | null | undefined;
}

/**
 * Which transfers of a token to read (L1).
 *
 * @example
 * explorer.tokens.transfers(token, { from: holder, startBlock: 80n });
 */
export interface TokenTransfersQuery extends PageQuery, BlockRange {
  /** Only transfers from this holder. */
  readonly from?: Address | null | undefined;
  /** Only transfers to this holder. */
  readonly to?: Address | null | undefined;
}

/**
 * Which event logs of a contract to watch (L1), from which block on, and how often to poll.
 *
 * @example
 * explorer.eventLogs.watch({ address: token, topic_0: transferTopic, from: 80n, signal });
 */
export interface EventLogsWatch
  extends EventLogFilter,
    Pick<PageQuery, "limit" | "prefetch">,
    WatchOptions<EventLog> {
  /** The first block whose logs to yield. Required, because logs do not name their block. */
  readonly from: bigint | number;
}

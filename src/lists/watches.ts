// What the client's methods to watch yield, and the lists it comes from.
import * as z from "zod/mini";
import { type OperationInput, type Operations, operations } from "../contract/index.ts";
import { oneOf } from "../contract/parameters.ts";
import type { RequestOptions } from "../http/call.ts";
import type { WriteLog } from "../http/hooks.ts";
import { parseOptions } from "../http/request-options.ts";
import type { EventLog } from "../models/event-log.ts";
import type { InternalTransaction } from "../models/internal-transaction.ts";
import { list } from "../models/model.ts";
import type { Address } from "../models/primitives.ts";
import type { Transaction } from "../models/transaction.ts";
import type { Mrc20Transfer, Mrc721Transfer } from "../models/transfer.ts";
import type { WatchedList } from "./list-poller.ts";
import type { ItemOf, ListOperation } from "./list-records.ts";
import type { ListInput } from "./page.ts";
import { INVALID_OPTIONS, type WatchOptions, watch } from "./watch.ts";

/** The records of a watched account, by kind. */
export interface WatchedRecords {
  readonly transaction: Transaction;
  readonly internalTransaction: InternalTransaction;
  readonly mrc20Transfer: Mrc20Transfer;
  readonly mrc721Transfer: Mrc721Transfer;
}

/** A new record of a watched account: of any kind, or of the kinds in the type argument. */
export type AccountEvent<Kind extends keyof WatchedRecords = keyof WatchedRecords> = {
  [One in Kind]: { readonly kind: One; readonly record: WatchedRecords[One] };
}[Kind];

/**
 * Which records of an account to watch, and how often to poll.
 *
 * @example
 * explorer.accounts.watch(address, { kinds: ["transaction"], from: 80n, signal });
 */
export interface AccountWatch<Kind extends AccountEvent["kind"] = AccountEvent["kind"]>
  extends WatchOptions<AccountEvent<Kind>> {
  /**
   * The kinds of records to watch, at least one; each costs a request per poll.
   *
   * @default ["transaction", "mrc20Transfer", "mrc721Transfer"]
   */
  readonly kinds?: readonly Kind[] | undefined;
}

/** Requests a list; as an argument, because the client has it before this code is loaded. */
type RequestList = <Op extends ListOperation>(
  operation: Op,
  input: ListInput<Op>,
  options: RequestOptions,
) => ReturnType<WatchedList<unknown>["list"]>;

/** The new records of an account. */
export async function* watchAccount(
  request: RequestList,
  address: Address,
  query: AccountWatch | undefined,
  options: RequestOptions | undefined,
  log: WriteLog,
  left: AbortSignal,
): AsyncGenerator<AccountEvent, void, undefined> {
  const { kinds = ["transaction", "mrc20Transfer", "mrc721Transfer"], ...watchOptions } = Object(
    query,
  ) as AccountWatch;
  const watched = (kind: AccountEvent["kind"], operation: Operations["A2" | "A3" | "A4" | "A5"]) =>
    // The operation has the records of its kind: those of A2 in full, as the query does not set `simple`.
    watchable(
      request,
      operation,
      { address_hash: address },
      options,
      (record) => ({ kind, record }) as AccountEvent,
    );
  const lists = {
    transaction: watched("transaction", operations.A2),
    internalTransaction: watched("internalTransaction", operations.A3),
    mrc20Transfer: watched("mrc20Transfer", operations.A4),
    mrc721Transfer: watched("mrc721Transfer", operations.A5),
  };
  const known = z.object({ kinds: list(oneOf(Object.keys(lists) as (keyof typeof lists)[]), 1) });
  parseOptions(INVALID_OPTIONS, known, { kinds: kinds as AccountEvent["kind"][] });
  const signal = watchOptions.signal ?? options?.signal;
  const chosen = [...new Set(kinds)].map((kind) => lists[kind]);
  yield* watch(chosen, { ...watchOptions, signal }, log, left);
}

/** The new event logs that a query selects. */
export async function* watchLogs(
  request: RequestList,
  query: OperationInput<Operations["L1"]> & WatchOptions<EventLog>,
  options: RequestOptions | undefined,
  log: WriteLog,
  left: AbortSignal,
): AsyncGenerator<EventLog, void, undefined> {
  const { pollInterval, from, depth, signal, onReorganisation, onError, ...filter } = Object(
    query,
  ) as typeof query;
  const logs = watchable(request, operations.L1, filter, options, (record) => record);
  const until = signal ?? options?.signal;
  const watchOptions = { pollInterval, from, depth, signal: until, onReorganisation, onError };
  yield* watch([logs], watchOptions, log, left);
}

/** A list operation to watch. */
function watchable<Op extends ListOperation, Event>(
  request: RequestList,
  operation: Op,
  input: ListInput<Op>,
  options: RequestOptions | undefined,
  event: (record: ItemOf<Op>) => Event,
): WatchedList<Event> {
  return {
    operation,
    list: (poll, signal) => request(operation, { ...input, ...poll }, { ...options, signal }),
    // The list holds the operation's items; `ListRecord` is how iterating sees them.
    event: (record) => event(record as ItemOf<Op>),
  };
}

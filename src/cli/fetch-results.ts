// Fetches the results of a command: one page, every record, or balances of many addresses.
import { InvalidArgumentError } from "commander";
import {
  type AnyOperation,
  type OperationInput,
  type Operations,
  operations,
} from "../contract/index.ts";
import type { Call } from "../http/call.ts";
import { createTransport } from "../http/transport.ts";
import { BalanceRequest } from "../lists/balance-request.ts";
import { searchOf } from "../lists/block-search.ts";
import { paged } from "../lists/paged-request.ts";
import type { ListOperation } from "../lists/records.ts";
import { safeEncode } from "../models/fast-path.ts";
import type { Address } from "../models/primitives.ts";
import { verified } from "../resources/contracts.ts";
import { resolveSettings } from "../settings.ts";
import { AddressCursor } from "./addresses.ts";
import { type ConnectionOptions, clientOptions } from "./connection.ts";
import { LATEST } from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";

export const isList = (operation: AnyOperation | ListOperation): operation is ListOperation =>
  operation.list !== undefined;

/** Whether the operation takes any number of addresses. */
export const isBatch = ({ id }: AnyOperation): boolean => id === operations.A1.id;

export interface FetchOptions extends ConnectionOptions {
  /** Whether to fetch every record instead of one page. */
  readonly all: boolean;
  /** Number of pages to fetch ahead. */
  readonly prefetch?: number | undefined;
  /** Limit of the records on all pages together. */
  readonly max?: number | undefined;
  /** Cursor of the last page that an earlier run fetched. */
  readonly resume?: string | undefined;
  /** Whether to return all balances as one page. */
  readonly whole?: boolean;
  /** Called when a reorg has removed or moved records that were already read. */
  readonly onReorganisation?: () => void;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** A client to use instead of a new one. */
  readonly call?: Call;
}

/** Results in their wire form. */
export interface FetchedPage {
  readonly results: unknown;
  /** Cursor of the next page. */
  readonly cursor?: string;
  /** The list's number of records, if the explorer counts it. */
  readonly total?: number | undefined;
}

/** Yields the results of the operation: once, or page by page. */
export async function* fetchResults(
  operation: AnyOperation,
  input: Record<string, unknown>,
  options: FetchOptions,
  io: ProcessIO,
): AsyncGenerator<FetchedPage> {
  const { signal } = io;
  const call = clientCall(options, io);
  if (isBatch(operation)) {
    const { addresses } = input as OperationInput<Operations["A1"]>;
    yield* fetchBalances(call, addresses, options, signal);
  } else if (options.all && isList(operation)) {
    const { prefetch, max: maxItems, resume, onReorganisation } = options;
    const iteration = { prefetch, maxItems, resume, onReorganisation };
    const query = { ...(input as OperationInput<ListOperation>), ...iteration };
    let isEmpty = true;
    for await (const { data, count, cursor } of paged(call, operation, query, { signal }).pages()) {
      isEmpty = false;
      const results = toWire(operation, toResults(operation, data));
      yield { results, cursor, total: count ?? undefined };
    }
    // Yields one empty page, because otherwise the output would not show that A6 has two lists.
    if (isEmpty && operation.id === "A6") yield { results: toResults(operation, []), total: 0 };
  } else if (operation.id === operations.C3.id) {
    const submission = input as OperationInput<Operations["C3"]>;
    const { data, response } = await call(operations.C3, submission, { signal });
    yield { results: toWire(operation, await verified(data, response)) };
  } else if (isList(operation) && (input.since !== undefined || input.until !== undefined)) {
    // Uses a list of the client, because the operation itself has no parameters for a period.
    const query = input as OperationInput<ListOperation>;
    const { data, count } = await paged(call, operation, query, { signal });
    const { data: records } = Object(toWire(operation, toResults(operation, data)));
    yield {
      results: { ...(count !== null && { count: `${count}` }), data: records },
      total: count ?? undefined,
    };
  } else {
    const { block_number: place } = input;
    const isSought = place === LATEST || place instanceof Date;
    const block = isSought && { block_number: await findBlock(call, place, signal) };
    const { data } = await call(operation, { ...input, ...block }, { signal });
    yield { results: toWire(operation, data), total: totalIn(data) };
  }
}

/** Finds the number of the newest block, or of the last block at or before a time. */
async function findBlock(call: Call, place: typeof LATEST | Date, signal: AbortSignal) {
  const search = searchOf(call);
  if (place === LATEST) return (await search.latest({ signal })).number;
  const block = await search.at(place.getTime(), { signal });
  if (block) return block.number;
  const { timestamp } = (await search.first({ signal })).data;
  throw new InvalidArgumentError(
    `time: expected a time at or after that of the first block, ${timestamp.toISOString()}, received ${place.toISOString()}`,
  );
}

/** Returns the count of a list, or the sum of both lists of A6; undefined without a count. */
function totalIn(results: unknown): number | undefined {
  const { count, mrc_20, mrc_721 } = Object(results);
  const counts = mrc_20 && mrc_721 ? [mrc_20.count, mrc_721.count] : [count];
  const isCounted = counts.every((each) => typeof each === "number");
  return isCounted ? counts.reduce((sum, each) => sum + each, 0) : undefined;
}

/** Requests the current count of a list; undefined if the explorer does not count it. */
export async function countRecords(
  operation: ListOperation,
  input: Record<string, unknown>,
  options: FetchOptions,
  io: ProcessIO,
): Promise<number | undefined> {
  const page = { ...input, limit: 1, offset: 0 };
  for await (const { total } of fetchResults(operation, page, { ...options, all: false }, io))
    return total;
  return undefined;
}

/** Returns the call function of a command: the one in its options, or a new one. */
export const clientCall = (
  { call, fetch, ...options }: ConnectionOptions & Pick<FetchOptions, "call" | "fetch">,
  io: ProcessIO,
): Call =>
  call ??
  createTransport(resolveSettings({ ...clientOptions(options, io), ...(fetch && { fetch }) }));

/** Enough addresses for many requests, because a page must wait for the slowest of its requests. */
const ADDRESSES_PER_PAGE = 400;

async function* fetchBalances(
  call: Call,
  addresses: readonly Address[],
  { resume, whole }: FetchOptions,
  signal: AbortSignal,
): AsyncGenerator<FetchedPage> {
  const place = new AddressCursor();
  const left = place.rest(addresses, resume);
  const size = whole ? Math.max(left.length, 1) : ADDRESSES_PER_PAGE;
  for (let start = 0; start < left.length; start += size) {
    const page = left.slice(start, start + size);
    const data = await new BalanceRequest(call, page, { signal });
    const results = toWire(operations.A1, { data });
    yield { results, cursor: place.add(page), total: addresses.length };
  }
}

/** Wraps records in the results of their list. */
function toResults({ id }: ListOperation, records: readonly unknown[]): unknown {
  if (id !== "A6") return { count: null, data: records };
  const ofStandard = (wanted: string) => ({
    count: null,
    results: records.flatMap((item) => {
      const { standard, ...record } = Object(item);
      return standard === wanted ? [record] : [];
    }),
  });
  return { mrc_20: ofStandard("mrc20"), mrc_721: ofStandard("mrc721") };
}

/** Encodes results in their wire form, with the first schema that accepts them. */
export function toWire({ results, simpleResults }: AnyOperation, value: unknown): unknown {
  for (const schema of [results, simpleResults]) {
    const encoded = schema && safeEncode(schema, value);
    if (encoded?.success) return encoded.data;
  }
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part)),
  );
}

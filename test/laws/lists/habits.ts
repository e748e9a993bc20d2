// The habits of servers that lists meet: each is small, and can be combined with an order of
// records and a kind of `count`.
import { ApiError } from "../../../src/errors/index.ts";
import { type Habit, type SimulatedRecord, scrambled } from "./list-server.ts";

export const newestFirst: Habit = { order: (records) => records.toReversed() };
export const oldestFirst: Habit = {};
/** Stable, but not by block. */
export const byHash: Habit = { order: scrambled };

/** Newest first down to a block, or oldest first up to one; the others in no order. */
export const sortedAtFirst = (block: number, isNewestFirst: boolean): Habit => ({
  order: (records) => {
    const isSorted = (record: SimulatedRecord) => numberOf(record) >= block === isNewestFirst;
    const sorted = records.filter(isSorted);
    const others = scrambled(records.filter((record) => !isSorted(record)));
    return [...(isNewestFirst ? sorted.reverse() : sorted), ...others];
  },
});
/** The block of a record, also if it names only its time. */
const numberOf = ({ block_number, timestamp }: SimulatedRecord): number =>
  Number(block_number ?? Number(timestamp) / 1000);

/** Pages are shorter than requested. */
export const cap = (most: number): Habit => ({
  asked: (asked) => ({ ...asked, limit: Math.min(asked.limit, most) }),
});
/** The length of pages varies from answer to answer. */
export const varying = (lengths: readonly number[]): Habit => ({
  answer: ({ count, data }, _, __, turn) => ({
    count,
    data: data.slice(0, lengths[turn % lengths.length]),
  }),
});
/** Some answers hold no records, although there are some. */
export const emptyAtTimes = (every: number): Habit => ({
  answer: ({ count, data }, _, __, turn) => ({ count, data: (turn + 1) % every ? data : [] }),
});
/** The same number of records per page, whatever is requested. */
export const fixedPages = (limit: number): Habit => ({ asked: (asked) => ({ ...asked, limit }) });
/** Every record twice, so that pages are longer than `limit`. */
export const doubled: Habit = {
  answer: ({ count, data }) => ({ count, data: data.flatMap((record) => [record, record]) }),
};
export const stale = (lags: readonly number[]): Habit => ({ lags });

export const countOfPage: Habit = { answer: ({ data }) => ({ count: data.length, data }) };
export const noCount: Habit = { answer: ({ data }) => ({ count: null, data }) };
export const countOff = (by: number): Habit => ({
  answer: ({ count, data }) => ({ count: Math.max(0, (count ?? 0) + by), data }),
});
export const countIs = (count: number): Habit => ({ answer: ({ data }) => ({ count, data }) });
/** The count stops at a number, as that of a search index. */
export const countUpTo = (most: number): Habit => ({
  answer: ({ count, data }) => ({ count: Math.min(count ?? 0, most), data }),
});

export const ignoresOffset: Habit = { asked: (asked) => ({ ...asked, offset: 0 }) };
export const offsetIsPage: Habit = {
  asked: (asked) => ({ ...asked, offset: asked.offset * asked.limit }),
};
/** Beyond a position, a search index returns nothing, an error, or the last page it can. */
export const windowEmpty = (size: number): Habit => ({
  answer: ({ count, data }, { offset }) => ({ count, data: offset >= size ? [] : data }),
});
/** Pages end there, too. */
export const windowCut = (size: number): Habit => ({
  answer: ({ count, data }, { offset }) => ({
    count,
    data: data.slice(0, Math.max(0, size - offset)),
  }),
});
const refusal = (serverMessage: string) =>
  new ApiError(serverMessage, { httpStatus: 400, status: "400", serverMessage } as never);
export const windowError = (size: number): Habit => ({
  answer: (honest, { limit, offset }) => {
    if (offset + limit > size) throw refusal("Result window is too large");
    return honest;
  },
});
export const windowClamp = (size: number): Habit => ({
  asked: (asked) => ({ ...asked, offset: Math.min(asked.offset, Math.max(0, size - asked.limit)) }),
});
/** Ranges of more blocks are refused. */
export const rangeUpTo = (blocks: number): Habit => ({
  answer: (honest, { endBlock = Number.POSITIVE_INFINITY, startBlock = 0 }) => {
    if (endBlock - startBlock >= blocks) throw refusal("Block range is too large");
    return honest;
  },
});

export const ignoresBlocks: Habit = {
  asked: (asked) => ({ ...asked, startBlock: undefined, endBlock: undefined }),
};

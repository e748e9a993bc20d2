// The habits of servers that lists meet: each is small, and can be combined with an order of records.
import { ApiError } from "../../../src/errors/index.ts";
import { type Habit, scrambled } from "./list-server.ts";

export const newestFirst: Habit = { order: (records) => [...records].reverse() };
export const oldestFirst: Habit = {};
/** Stable, but not by block. */
export const byHash: Habit = { order: scrambled };

/** Pages are shorter than requested. */
export const cap = (most: number): Habit => ({
  asked: (asked) => ({ ...asked, limit: Math.min(asked.limit, most) }),
});
/** The same number of records per page, whatever is requested. */
export const fixedPages = (limit: number): Habit => ({ asked: (asked) => ({ ...asked, limit }) });
export const oneMore: Habit = { asked: (asked) => ({ ...asked, limit: asked.limit + 1 }) };
/** The length of pages varies from answer to answer. */
export const varying = (lengths: readonly number[]): Habit => ({
  answer: ({ count, data }, _, __, turn) => ({
    count,
    data: data.slice(0, lengths[turn % lengths.length]),
  }),
});

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
export const windowError = (size: number): Habit => ({
  answer: (honest, { limit, offset }) => {
    if (offset + limit > size)
      throw new ApiError("Result window is too large", {
        httpStatus: 400,
        status: "400",
        serverMessage: "Result window is too large",
      } as never);
    return honest;
  },
});
export const windowClamp = (size: number): Habit => ({
  asked: (asked) => ({ ...asked, offset: Math.min(asked.offset, Math.max(0, size - asked.limit)) }),
});

export const endExclusive: Habit = {
  asked: (asked) => ({
    ...asked,
    endBlock: asked.endBlock === undefined ? undefined : asked.endBlock - 1,
  }),
};
export const startExclusive: Habit = {
  asked: (asked) => ({
    ...asked,
    startBlock: asked.startBlock ? asked.startBlock + 1 : asked.startBlock,
  }),
};
export const ignoresBlocks: Habit = {
  asked: (asked) => ({ ...asked, startBlock: undefined, endBlock: undefined }),
};

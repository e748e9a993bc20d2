// Limits a list to a period: finds its first and last block or, if the operation takes no blocks,
// selects the records by time.
import { ParameterError } from "../errors/index.ts";
import { searchOf } from "./block-search.ts";
import { type Bound, type Moment, type Period, type PreparedList, takesBlocks } from "./list.ts";
import type { Range } from "./position.ts";
import { FAR_BLOCK, type ListOperation } from "./records.ts";

/** The beginning and the end of a period: a number is a block, a `Date` a time. */
export interface CheckedPeriod {
  readonly since?: number | Date | undefined;
  readonly until?: number | Date | undefined;
}

/** A day or a time of ISO 8601. Without an offset it is in UTC, wherever the program runs. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

const EXPECTED_TIME = 'a Date, or an ISO time such as "2026-10-01" or "2026-10-01T12:00:00Z"';

/** Returns the time of a `Date` or an ISO text; undefined for any other value. */
export function toTime(moment: unknown): Date | undefined {
  const text = typeof moment === "string" ? moment : "";
  const [, day, time = "00:00", offset = "Z"] = ISO.exec(text) ?? [];
  const date = moment instanceof Date ? moment : new Date(`${day}T${time}${offset}`);
  if (Number.isNaN(date.getTime())) return undefined;
  // JavaScript reads February 30 as March 2.
  const isShifted = day !== undefined && new Date(day).toISOString().slice(0, 10) !== day;
  return isShifted ? undefined : date;
}

/** Like {@link toTime}, but throws a {@link ParameterError} instead of returning undefined. */
export function requiredTime(summary: string, path: string, moment: unknown): Date {
  const time = toTime(moment);
  if (time) return time;
  throw new ParameterError(summary, [{ path: [path], expected: EXPECTED_TIME, received: moment }]);
}

const isBlock = (moment: Moment): moment is bigint | number =>
  (typeof moment === "bigint" || Number.isSafeInteger(moment)) && Number(moment) >= 0;

/** Throws a {@link ParameterError} unless the list can be limited to the period. */
export function checkPeriod(
  operation: ListOperation,
  period: Period,
  query: { readonly startBlock?: string; readonly endBlock?: string },
): CheckedPeriod {
  const refuse = (path: string, expected: string, received: unknown): never => {
    throw new ParameterError(
      `Invalid parameters for ${operation.name} (${operation.id})`,
      [{ path: [path], expected, received }],
      { operation: operation.id },
    );
  };
  const checked: { since?: number | Date; until?: number | Date } = {};
  for (const end of ["since", "until"] as const) {
    const moment = period[end] ?? undefined;
    if (moment === undefined) continue;
    if (!("place" in operation.list))
      refuse(end, "no period: the records of this list have no time to select them by", moment);
    if (query.startBlock !== undefined || query.endBlock !== undefined)
      refuse(end, "either since and until, or startBlock and endBlock, but not both", moment);
    const date = isBlock(moment) ? Number(moment) : toTime(moment);
    checked[end] = date ?? refuse(end, `${EXPECTED_TIME}, or a block number`, moment);
  }
  const { since, until } = checked;
  if (typeof since === typeof until && since !== undefined && Number(since) >= Number(until))
    refuse("until", "an end after `since`", period.until);
  return checked;
}

/** A range in which no list has records. */
const NO_BLOCKS: Range = { from: FAR_BLOCK, to: FAR_BLOCK };

/** Limits a list to the blocks of a period or, if it takes no blocks, its records by bounds. */
export async function limitTo(list: PreparedList, period: CheckedPeriod): Promise<PreparedList> {
  if (!takesBlocks(list)) return { ...list, bounds: boundsOf(period) };
  // A cursor contains the blocks that were found when reading began.
  const { position } = list;
  return { ...list, range: position?.part ?? (await blocksOf(list, period)), isRangeFound: true };
}

/** Finds the first and the last block of a period, as the chain is now. */
async function blocksOf(
  { call, options }: PreparedList,
  { since, until }: CheckedPeriod,
): Promise<Range> {
  const search = searchOf(call);
  const lastBefore = async (end: number | Date) =>
    typeof end === "number" ? end - 1 : await search.lastBefore(end.getTime(), options);
  const before = since === undefined ? -1 : await lastBefore(since);
  // A `since` in the future selects no block yet, because new blocks may still be before it.
  if (since instanceof Date && before === search.newestNumber) return NO_BLOCKS;
  const last = until === undefined ? undefined : await lastBefore(until);
  if (last !== undefined && last <= before) return NO_BLOCKS;
  return { from: before < 0 ? undefined : before + 1, to: last };
}

/** Returns bounds by time and by block, because one end may be a time and the other a block. */
function boundsOf({ since, until }: CheckedPeriod): readonly Bound[] {
  const bound = (by: Bound["by"], isOf: (end: number | Date) => boolean): Bound => ({
    by,
    from: since !== undefined && isOf(since) ? Number(since) : Number.NEGATIVE_INFINITY,
    until: until !== undefined && isOf(until) ? Number(until) : Number.POSITIVE_INFINITY,
  });
  return [
    bound("time", (end) => end instanceof Date),
    bound("block", (end) => typeof end === "number"),
  ];
}

export { searchOf } from "./block-search.ts";

// Reads the pages of a list one after the other: loaded when a list is first read, as many programs read none.
import * as z from "zod/mini";
import { limits, type OperationResults } from "../contract/index.ts";
import { ParameterError } from "../errors/index.ts";
import type { ResponseWithData } from "../http/call.ts";
import { number, parseOptions } from "../http/request-options.ts";
import {
  type IterationState,
  ListIterator,
  type PageRange,
  type Reorganisation,
} from "./list-iterator.ts";
import { type ListOperation, type ListRecord, maxLimitOf } from "./list-records.ts";
import { type ListSource, type Page, PagedRequest } from "./paged-request.ts";
import { PrefetchQueue } from "./prefetch-queue.ts";

/** Reads where a cursor stands. */
function standingOf({
  name,
  operation,
  iteration,
}: ListSource<unknown>): IterationState | undefined {
  const { resume } = iteration;
  if (resume === undefined) return undefined;
  try {
    const [of, standing] = JSON.parse(resume);
    if (of === name && Array.isArray(standing.tracks)) return standing;
  } catch {}
  const issue = { path: ["resume"], expected: `a cursor of a page of ${name}`, received: resume };
  throw new ParameterError("Cannot go on", [issue], { operation: operation.id });
}

/** More pages in flight than this no server would bear, and no memory. */
const MOST_AHEAD = 1000;

const bounds = z.object({
  prefetch: z.optional(
    number(
      `an integer from 0 to ${MOST_AHEAD}`,
      (value) => Number.isInteger(value) && value >= 0 && value <= MOST_AHEAD,
    ),
  ),
  maxItems: z.optional(
    number(
      "an integer from 0 to Infinity",
      (value) => (Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 0,
    ),
  ),
});

/** Where reading begins. */
function courseOf(source: ListSource<unknown>, limit: number): ListIterator {
  const { operation, range, iteration } = source;
  parseOptions("Iteration", bounds, iteration, { operation: operation.id });
  const report = (event: Reorganisation) => iteration.onReorganisation?.(event);
  return new ListIterator(operation, { limit, offset: range.offset }, report, standingOf(source));
}

/** A page of what is new in an answer. */
function pageOf<Item, Results>(
  source: ListSource<Results>,
  { course, part, early }: { course: ListIterator; part: PageRange; early: boolean },
  results: Results,
  most = source.iteration.maxItems,
): Page<Item, Results> {
  // `Results` are those of the source's own operation, and what is listed in them are its items.
  const known = results as OperationResults<ListOperation>;
  const { records, count, offset } = course.take(part, known, early, most);
  const { ended, limit } = course;
  const end = offset + records.length;
  // What an iteration would make sure of, a single page believes a count that can only be that of the list.
  const last = ended || (count === end && (offset > 0 || end < part.limit));
  const cursor = JSON.stringify([source.name, course.standing]);
  const rest = {
    ...source,
    range: { ...source.range, limit },
    iteration: { ...source.iteration, resume: cursor },
  };
  return {
    ...results,
    data: records as readonly ListRecord[] as Item[],
    count,
    limit,
    offset,
    results,
    cursor,
    hasNextPage: () => !last,
    nextPage: () => new PagedRequest(rest),
  };
}

/** One page: the first, or the next behind a cursor. */
export async function readPage<Item, Results>(
  source: ListSource<Results>,
): Promise<ResponseWithData<Page<Item, Results>>> {
  const course = courseOf(source, source.range.limit ?? limits.default);
  for (;;) {
    const part = course.ask();
    const { data, response } = await source.fetch(part);
    const page = pageOf<Item, Results>(source, { course, part, early: false }, data);
    if (page.data.length || course.ended) return { data: page, response };
  }
}

/** All pages, some of them asked for ahead. */
export async function* readPages<Item, Results>(
  source: ListSource<Results>,
): AsyncGenerator<Page<Item, Results>, void, undefined> {
  const { signal } = source.options;
  const { prefetch = 0, maxItems: most = Number.POSITIVE_INFINITY } = source.iteration;
  const course = courseOf(
    source,
    Math.min(source.range.limit ?? maxLimitOf(source.operation), Math.max(most, 1)),
  );
  const flight = new PrefetchQueue(source);
  let left = most;
  try {
    while (left > 0 && !course.ended) {
      signal?.throwIfAborted();
      const asked = flight.next(course, prefetch);
      const { data: results } = await asked.answer;
      const page = pageOf<Item, Results>(source, { course, ...asked }, results, left);
      left -= page.data.length;
      flight.bound(page.offset + page.data.length, left, page.count);
      if (prefetch > 0 && left > 0 && !course.ended) flight.fill(course, prefetch);
      if (page.data.length) yield page;
    }
  } finally {
    flight.drop();
  }
}

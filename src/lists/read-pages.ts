// Reads the pages of a list one after the other; loaded when a list is first read, as many programs read none.
import * as z from "zod/mini";
import { limits, type OperationResults } from "../contract/index.ts";
import { ParameterError } from "../errors/index.ts";
import type { ResponseWithData } from "../http/call.ts";
import { number, parseOptions } from "../http/request-options.ts";
import { AlignedIterator } from "./aligned-iterator.ts";
import type { IterationState } from "./iteration-state.ts";
import type { ListIterator } from "./list-iterator.ts";
import { type ListOperation, type ListRecord, maxLimitOf } from "./list-records.ts";
import type { ListSource, PageContents } from "./page.ts";
import { PinnedIterator } from "./pinned-iterator.ts";
import { PrefetchQueue } from "./prefetch-queue.ts";
import type { ReceivedPage } from "./received-page.ts";
import { reportShortfall } from "./shortfall.ts";

/** The state that the `resume` cursor holds. */
function resumedState({
  name,
  operation,
  iteration,
}: ListSource<unknown>): IterationState | undefined {
  const { resume } = iteration;
  if (resume === undefined) return undefined;
  try {
    const [list, state] = JSON.parse(resume);
    if (list === name && Array.isArray(state.lists)) return state;
  } catch {}
  const issue = { path: ["resume"], expected: `a cursor of a page of ${name}`, received: resume };
  throw new ParameterError("Invalid resume cursor", [issue], { operation: operation.id });
}

/** More pages in flight would exhaust the memory, if not the server. */
const MAX_PREFETCH = 1000;

const iterationOptions = z.object({
  prefetch: z.optional(
    number(
      `an integer from 0 to ${MAX_PREFETCH}`,
      (value) => Number.isInteger(value) && value >= 0 && value <= MAX_PREFETCH,
    ),
  ),
  maxItems: z.optional(
    number(
      "an integer from 0 to Infinity",
      (value) => (Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 0,
    ),
  ),
});

/** Throws a {@link ParameterError} that lists every invalid iteration option. */
export function checkIteration({ operation, iteration }: ListSource<unknown>): void {
  const details = { operation: operation.id };
  parseOptions("Invalid iteration options", iterationOptions, iteration, details);
}

/** An iterator at the beginning of the list, or at its `resume` cursor. */
function createIterator(source: ListSource<unknown>, limit: number): ListIterator {
  const pinnable = source.operation.places.query.includes("endBlock");
  const Iterator = pinnable ? PinnedIterator : AlignedIterator;
  return new Iterator(source, limit, resumedState(source));
}

/** A page of the new records in the results. */
function createPage<Item, Results>(
  source: ListSource<Results>,
  iterator: ListIterator,
  received: ReceivedPage,
  results: Results,
): Results & PageContents<Item, Results> {
  // `Results` are those of the source's own operation, and what is listed in them are its items.
  const listed = results as OperationResults<ListOperation>;
  const { records, count, offset, shortfall } = iterator.take(received, listed);
  if (shortfall) reportShortfall(source, shortfall);
  const { ended, limit } = iterator;
  return {
    ...results,
    data: records as readonly ListRecord[] as Item[],
    count,
    limit,
    offset,
    results,
    cursor: JSON.stringify([source.name, iterator.state]),
    hasNextPage: () => !ended,
  };
}

/** Reads one page: the first, or the one behind a cursor. */
export async function readPage<Item, Results>(
  given: ListSource<Results>,
): Promise<ResponseWithData<Results & PageContents<Item, Results>>> {
  const { iteration } = given;
  const { onShortfall = iteration.resume === undefined ? () => {} : undefined } = iteration;
  // An empty first page with its count is an answer that you see; behind a cursor it would end a loop silently.
  const source = { ...given, iteration: { ...iteration, onShortfall } };
  const iterator = createIterator(source, source.range.limit ?? limits.default);
  const max = source.iteration.maxItems;
  for (;;) {
    const range = iterator.nextRange();
    const { data, response } = await source.fetch(range);
    const received = { range, prefetched: false, max };
    const page = createPage<Item, Results>(source, iterator, received, data);
    if (page.data.length || iterator.ended) return { data: page, response };
  }
}

/** Reads all pages, some of them ahead. */
export async function* readPages<Item, Results>(
  source: ListSource<Results>,
): AsyncGenerator<Results & PageContents<Item, Results>, void, undefined> {
  const { signal } = source.options;
  const { prefetch = 0, maxItems = Number.POSITIVE_INFINITY } = source.iteration;
  const iterator = createIterator(
    source,
    Math.min(source.range.limit ?? maxLimitOf(source.operation), Math.max(maxItems, 1)),
  );
  const queue = new PrefetchQueue(source);
  let left = maxItems;
  try {
    while (left > 0 && !iterator.ended) {
      signal?.throwIfAborted();
      const pending = queue.next(iterator, prefetch);
      const { data: results } = await pending.response;
      const received = { ...pending, max: left };
      const page = createPage<Item, Results>(source, iterator, received, results);
      left -= page.data.length;
      queue.setEnd(iterator.position, left, page.count);
      if (prefetch > 0 && left > 0 && !iterator.ended) queue.fill(iterator, prefetch);
      if (page.data.length) yield page;
    }
  } finally {
    queue.clear();
  }
}

// A list of `/inspect` as the client's lists are: pages, and every record; by `before` if the response names what is next, else by offset.
import type { AnswerOf, ViewName } from "../../inspect/views.ts";
import type { Pages } from "../parts/use-pages.ts";
import type { ViewInput } from "./explorer.ts";
import { inspect } from "./inspect.ts";

export interface InspectedList<Name extends ViewName, Item> {
  readonly view: Name;
  /** Without those that choose the page. */
  readonly parameters: ViewInput<Name>;
  readonly rowsOf: (answer: AnswerOf<Name>) => readonly Item[];
  /** How many there are, if the response says so. */
  readonly countOf?: ((answer: AnswerOf<Name>) => number) | undefined;
  /** Whether one answer is all there is. */
  readonly isWhole?: boolean | undefined;
}

/** The most records of one answer. */
const maxLimit = 100;

export function inspectPages<Name extends ViewName, Item>(
  { view, parameters, rowsOf, countOf, isWhole }: InspectedList<Name, Item>,
  wanted: number,
): Pages<Item> & AsyncIterable<Item> {
  const limit = isWhole ? maxLimit : Math.min(wanted, maxLimit);
  async function* pages() {
    let offset = 0;
    let place: { before?: string; offset?: number } = {};
    for (;;) {
      const answer = await inspect(view, { ...parameters, limit, ...place });
      const { next } = Object(answer) as { next?: string | null };
      const data = rowsOf(answer);
      offset += data.length;
      const isLast = isWhole || next === null || (next === undefined && data.length < limit);
      yield { data, count: countOf?.(answer) ?? null, hasNextPage: () => !isLast };
      if (isLast) return;
      place = typeof next === "string" ? { before: next } : { offset };
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
  };
}

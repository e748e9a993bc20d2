// A list of `/inspect` as the client's lists are: pages, and every record; by `before` where the answer tells what is next, else by offset.
import type { AnySchema } from "../../../src/contract/index.ts";
import type { Decoded } from "../../../src/models/model.ts";
import type { Pages } from "../parts/use-pages.ts";
import { inspect } from "./inspect.ts";

interface InspectPagesOptions<S extends AnySchema, Item> {
  readonly path: string;
  readonly schema: S;
  readonly rowsOf: (answer: Decoded<S>) => readonly Item[];
  /** How many there are, where the answer tells. */
  readonly countOf?: ((answer: Decoded<S>) => number) | undefined;
  /** Whether one answer is all there is. */
  readonly isWhole?: boolean | undefined;
}

/** The most records of one answer. */
const maxLimit = 100;

export function inspectPages<S extends AnySchema, Item>(
  { path, schema, rowsOf, countOf, isWhole }: InspectPagesOptions<S, Item>,
  wanted: number,
): Pages<Item> & AsyncIterable<Item> {
  const limit = isWhole ? maxLimit : Math.min(wanted, maxLimit);
  async function* pages() {
    let offset = 0;
    let place = "";
    for (;;) {
      const answer = await inspect(`${path}?limit=${limit}${place}`, schema);
      const { next } = Object(answer) as { next?: string | null };
      const data = rowsOf(answer);
      offset += data.length;
      const isLast = isWhole || next === null || (next === undefined && data.length < limit);
      yield { data, count: countOf?.(answer) ?? null, hasNextPage: () => !isLast };
      if (isLast) return;
      place = next === undefined ? `&offset=${offset}` : `&before=${encodeURIComponent(`${next}`)}`;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
  };
}

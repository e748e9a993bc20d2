// Lists that are read page by page, kept by their request and the entry of the history that shows them: going back shows them as they were left.
import { useEffect } from "preact/hooks";
import { route } from "../router.ts";
import { createCache, createStore } from "../store.ts";
import { headId } from "./head.ts";

/** What the client's lists have. */
export interface Pages<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterator<PageOf<Item>>;
}

interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly count: number | null;
  hasNextPage(): boolean;
}

/** A list of the pages that a function begins to read. */
export const pagesFrom = <Item>(pages: () => AsyncGenerator<PageOf<Item>>): Pages<Item> => ({
  pages,
  async *[Symbol.asyncIterator]() {
    for await (const { data } of pages()) yield* data;
  },
});

/** Rows that stay on the page; older ones push the newest out. */
export const MAX_ROWS = 500;

export interface Rows<Item> {
  readonly rows: readonly Item[] | undefined;
  /** How many rows before these are no longer kept. */
  readonly dropped: number;
  /** How many records there are, as the service counts. */
  readonly count: number | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
  /** The head at which the list was begun. */
  readonly head: string;
}

const nothing = {
  rows: undefined,
  dropped: 0,
  count: null,
  hasMore: false,
  isLoading: true,
  error: undefined,
  head: "",
} as const;

/** The rows after another page. */
function withPage<Item>(
  before: Rows<Item>,
  page: PageOf<Item> | undefined,
  isFirst: boolean,
): Rows<Item> {
  const known = isFirst ? [] : (before.rows ?? []);
  const rows = page ? [...known, ...page.data] : known;
  const tooMany = Math.max(0, rows.length - MAX_ROWS);
  const dropped = (isFirst ? 0 : before.dropped) + tooMany;
  // Of the first page: services count differently on later ones.
  const count = isFirst ? (page ? page.count : 0) : before.count;
  const isAll = count !== null && count > 0 && dropped + rows.length - tooMany >= count;
  return {
    rows: rows.slice(tooMany),
    dropped,
    count,
    hasMore: page !== undefined && !isAll && page.hasNextPage(),
    isLoading: false,
    error: undefined,
    head: before.head,
  };
}

/** A list as far as it is read. */
class Reading<Item> {
  readonly state = createStore<Rows<Item>>(nothing);
  #pages: AsyncIterator<PageOf<Item>> | undefined;

  /** Unless it has begun. */
  begin(open: () => Pages<Item>): void {
    const { rows, error } = this.state.get();
    if (rows === undefined && (this.#pages === undefined || error !== undefined))
      this.restart(open);
  }

  restart(open: () => Pages<Item>): void {
    void this.#pages?.return?.();
    const pages = open().pages();
    this.#pages = pages;
    this.state.set({ ...this.state.get(), head: headId.get() });
    void this.#read(pages, true);
  }

  more(): void {
    if (this.#pages && !this.state.get().isLoading) void this.#read(this.#pages, false);
  }

  /** Of a list that was begun before the head was known. */
  setHead(head: string): void {
    if (this.state.get().head === "") this.state.set({ ...this.state.get(), head });
  }

  async #read(pages: AsyncIterator<PageOf<Item>>, isFirst: boolean): Promise<void> {
    this.state.set({ ...this.state.get(), isLoading: true, error: undefined });
    const isOurs = () => this.#pages === pages;
    try {
      const { value: page, done } = await pages.next();
      if (isOurs()) this.state.set(withPage(this.state.get(), done ? undefined : page, isFirst));
    } catch (error) {
      if (isOurs()) this.state.set({ ...this.state.get(), isLoading: false, error });
    }
  }
}

const readings = createCache(() => new Reading<unknown>(), 40);

/** The rows read so far, the next page, and the list from its beginning. `request` names everything the list depends on. */
export function usePages<Item>(
  request: readonly unknown[],
  open: () => Pages<Item>,
): Rows<Item> & { readonly more: () => void; readonly restart: () => void } {
  const { entry } = route.use();
  // By one request there is one kind of list.
  const reading = readings(JSON.stringify([entry, request])) as Reading<Item>;
  const head = headId.use();
  useEffect(() => reading.setHead(head), [reading, head]);
  useEffect(() => reading.begin(open), [reading]);
  return {
    ...reading.state.use(),
    more: () => reading.more(),
    restart: () => reading.restart(open),
  };
}

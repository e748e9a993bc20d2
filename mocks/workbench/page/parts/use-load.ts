// Loads what a component shows: once, when what it depends on changes, and again when asked; and lists page by page.
import { useEffect, useRef, useState } from "preact/hooks";
import { shownEntry } from "../router.ts";
import { headId } from "../service/head.ts";

export interface Loading<T> {
  /** The last value, also while a newer one loads or could not be loaded. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[],
): Loading<T> {
  const [state, setState] = useState<{ value?: T | undefined; error?: unknown }>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // Called in a promise: what it throws at once is an error like any other.
    Promise.resolve()
      .then(() => load(signal))
      .then(
        (value) => signal.aborted || setState({ value }),
        (error: unknown) => signal.aborted || setState(({ value }) => ({ value, error })),
      );
    return () => controller.abort();
  }, [...dependencies, attempt]);
  return {
    value: state.value,
    error: state.error,
    retry() {
      setState(({ value }) => ({ value }));
      setAttempt((count) => count + 1);
    },
  };
}

/** What the client's lists have. */
export interface Pages<Item> {
  pages(): AsyncIterator<PageOf<Item>>;
}

interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly count: number | null;
  hasNextPage(): boolean;
}

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

/** A list as it was left: going back shows it again. */
interface Left<Item> {
  readonly state: Rows<Item>;
  readonly reading: AsyncIterator<PageOf<Item>> | null;
}

/** The rows read so far, the next page, and the list from its beginning; under its label, as it was left. */
export function usePages<Item>(
  open: () => Pages<Item>,
  label: string,
): Rows<Item> & { readonly more: () => void; readonly restart: () => void } {
  const { lists } = useRef(shownEntry()).current;
  // Under one label there is one kind of list.
  const left = useRef(lists.get(label) as Left<Item> | undefined).current;
  const [state, setState] = useState<Rows<Item>>(left?.state ?? nothing);
  const reading = useRef<AsyncIterator<PageOf<Item>>>(left?.reading ?? null);
  const head = headId.use();
  useEffect(() => {
    // Begun before the head was known.
    setState((before) => (before.head === "" ? { ...before, head } : before));
  }, [head]);
  const latest = useRef(state);
  latest.current = state;

  async function read(iterator: AsyncIterator<PageOf<Item>>, isFirst: boolean) {
    setState((before) => ({ ...before, isLoading: true, error: undefined }));
    const isOurs = () => reading.current === iterator;
    try {
      const { value: page, done } = await iterator.next();
      if (!isOurs()) return;
      setState((before) => {
        const known = isFirst ? [] : (before.rows ?? []);
        const rows = done ? known : [...known, ...page.data];
        const tooMany = Math.max(0, rows.length - MAX_ROWS);
        const dropped = (isFirst ? 0 : before.dropped) + tooMany;
        // Of the first page: services count differently on later ones.
        const count = isFirst ? (done ? 0 : page.count) : before.count;
        const isAll = count !== null && count > 0 && dropped + rows.length - tooMany >= count;
        return {
          rows: rows.slice(tooMany),
          dropped,
          count,
          hasMore: !done && !isAll && page.hasNextPage(),
          isLoading: false,
          error: undefined,
          head: before.head,
        };
      });
    } catch (error) {
      if (isOurs()) setState((before) => ({ ...before, isLoading: false, error }));
    }
  }

  function restart() {
    void reading.current?.return?.();
    const iterator = open().pages();
    reading.current = iterator;
    setState((before) => ({ ...before, head: headId.get() }));
    void read(iterator, true);
  }

  useEffect(() => {
    if (latest.current.rows === undefined) restart();
    return () => {
      const { current: state } = latest;
      // A page that is on its way is lost with the component.
      if (state.rows !== undefined && !state.isLoading && state.error === undefined)
        lists.set(label, { state, reading: reading.current } satisfies Left<Item>);
      else void reading.current?.return?.();
      reading.current = null;
    };
  }, []);

  return {
    ...state,
    restart,
    more() {
      if (reading.current && !state.isLoading) void read(reading.current, false);
    },
  };
}

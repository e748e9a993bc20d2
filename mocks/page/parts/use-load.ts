// Loads what a component shows: once, when what it depends on changes, and again when asked; and lists page by page.
import { useEffect, useRef, useState } from "preact/hooks";

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
}

const nothing = {
  rows: undefined,
  dropped: 0,
  count: null,
  hasMore: false,
  isLoading: true,
  error: undefined,
} as const;

/** The rows read so far, the next page, and the list from its beginning. */
export function usePages<Item>(
  open: () => Pages<Item>,
  dependencies: readonly unknown[],
): Rows<Item> & { readonly more: () => void; readonly restart: () => void } {
  const [state, setState] = useState<Rows<Item>>(nothing);
  const reading = useRef<AsyncIterator<PageOf<Item>>>(null);

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
    void read(iterator, true);
  }

  useEffect(() => {
    restart();
    return () => {
      void reading.current?.return?.();
      reading.current = null;
    };
  }, dependencies);

  return {
    ...state,
    restart,
    more() {
      if (reading.current && !state.isLoading) void read(reading.current, false);
    },
  };
}

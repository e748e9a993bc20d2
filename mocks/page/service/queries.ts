// Caches the answers of the service, and loads them again when the chain has changed.
import { useEffect } from "preact/hooks";
import type { AnswerOf, ViewName } from "../../inspect/views.ts";
import { createCache, createStore } from "../store.ts";
import { headId, past, poll } from "./head.ts";
import { inspect, type ViewInput } from "./inspect.ts";

export interface Loading<T> {
  /** Last value, also while a newer one loads or after that failed. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Loads a value; `previous` is the last one. */
type Load<T> = (previous: T | undefined) => Promise<T>;

interface Answer<T> {
  readonly value?: T | undefined;
  readonly error?: unknown;
  /** Version of the chain that this answer was loaded for; undefined before the first answer. */
  readonly version?: string;
}

/** One request and its answer, shared by all components that show it. */
class Query<T> {
  readonly answer = createStore<Answer<T>>({});
  #version = "";
  #isAsking = false;

  /** Sends one request at a time. If the version changes meanwhile, another request follows. */
  async ask(load: Load<T>, version: string): Promise<void> {
    this.#version = version;
    if (this.#isAsking) return;
    this.#isAsking = true;
    let current: string;
    do {
      current = this.#version;
      const { value } = this.answer.get();
      const answer: Answer<T> = await load(value).then(
        (loaded) => ({ value: loaded }),
        (error: unknown) => ({ value, error }),
      );
      this.#set({ ...answer, version: current });
    } while (this.#version !== current);
    this.#isAsking = false;
  }

  /** Redraws nothing if nothing has changed. */
  #set(next: Answer<T>): void {
    const { value, error, version } = this.answer.get();
    if (value !== next.value || error !== next.error || version !== next.version)
      this.answer.set(next);
  }

  again(load: Load<T>, version: string): void {
    const { value } = this.answer.get();
    this.answer.set({ value });
    void this.ask(load, version);
  }
}

const queries = createCache(() => new Query<unknown>(), 200);

interface QueryOptions {
  /** Loads again when this changes. */
  readonly version?: string;
  /** Whether one answer for a version is enough. Otherwise each visit loads again. */
  readonly once?: boolean;
  /** Milliseconds between polls while the page is visible. */
  readonly every?: number;
}

/** Loads a value. The request must name everything that the value depends on. */
export function useQuery<T>(
  request: readonly unknown[],
  load: Load<T>,
  { version = "", once, every }: QueryOptions = {},
): Loading<T> {
  // Equal requests have answers of one type.
  const query = queries(JSON.stringify(request)) as Query<T>;
  const { value, error } = query.answer.use();
  useEffect(() => {
    const { version: loaded, error } = query.answer.get();
    if (error !== undefined) query.again(load, version);
    else if (!once || loaded !== version) void query.ask(load, version);
  }, [query, version]);
  useEffect(
    () => (every === undefined ? undefined : poll(() => query.ask(load, version), every)),
    [query, version, every],
  );
  return { value, error, retry: () => query.again(load, version) };
}

/** Loads a view of `/inspect`, again at each new head. */
export const useInspect = <Name extends ViewName>(name: Name, input: ViewInput<Name>) =>
  useView(name, input, { version: headId.use() });

/** Like `useInspect`, for data that a new block cannot change. */
export const useInspectOnce = <Name extends ViewName>(name: Name, input: ViewInput<Name>) =>
  useView(name, input, { version: past.use(), once: true });

const useView = <Name extends ViewName>(
  name: Name,
  input: ViewInput<Name>,
  options: QueryOptions,
): Loading<AnswerOf<Name>> => useQuery([name, input], () => inspect(name, input), options);

// What the page has asked, kept by its request: shown again at once, and asked again on each visit and when the chain has moved on.
import { useEffect } from "preact/hooks";
import type { AnswerOf, ViewName } from "../../inspect/views.ts";
import { createCache, createStore } from "../store.ts";
import { headId, past, poll } from "./head.ts";
import { inspect, type ViewInput } from "./inspect.ts";

export interface Loading<T> {
  /** The last value, also while a newer one loads or could not be loaded. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** `known`: the value that is there. */
type Load<T> = (signal: AbortSignal, known: T | undefined) => Promise<T>;

interface Answer<T> {
  readonly value?: T | undefined;
  readonly error?: unknown;
  /** Of what it is the answer; undefined before the first. */
  readonly version?: string;
}

/** One request and its answer, for all that show it. */
class Query<T> {
  readonly answer = createStore<Answer<T>>({});
  #followers = 0;
  #wanted = "";
  #asking: AbortController | undefined;

  /** Ends what is under way when nobody follows it any more. */
  follow(): () => void {
    this.#followers += 1;
    return () => {
      this.#followers -= 1;
      if (this.#followers > 0) return;
      this.#asking?.abort();
      this.#asking = undefined;
    };
  }

  /** Once at a time: what changes meanwhile is asked for afterwards. */
  async ask(load: Load<T>, version: string): Promise<void> {
    this.#wanted = version;
    if (this.#asking) return;
    const asking = new AbortController();
    this.#asking = asking;
    let asked: string;
    do {
      asked = this.#wanted;
      const answer = await this.#load(load, asking.signal);
      if (asking.signal.aborted) return;
      this.#set({ ...answer, version: asked });
    } while (this.#wanted !== asked);
    this.#asking = undefined;
  }

  async #load(load: Load<T>, signal: AbortSignal): Promise<Answer<T>> {
    const { value } = this.answer.get();
    try {
      return { value: await load(signal, value) };
    } catch (error) {
      return { value, error };
    }
  }

  /** Draws nothing again where nothing has changed. */
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
  /** Another one asks again. */
  readonly version?: string;
  /** Whether one answer of a version is enough; else each visit asks again, and shows the last answer meanwhile. */
  readonly once?: boolean;
  /** Milliseconds after which it asks again while somebody looks. */
  readonly every?: number;
}

/** The answer of a request, which names everything it depends on. */
export function useQuery<T>(
  request: readonly unknown[],
  load: Load<T>,
  { version = "", once, every }: QueryOptions = {},
): Loading<T> {
  // By one request there is one kind of answer.
  const query = queries(JSON.stringify(request)) as Query<T>;
  const { value, error } = query.answer.use();
  useEffect(() => query.follow(), [query]);
  useEffect(() => {
    const { version: known, error } = query.answer.get();
    if (error !== undefined) query.again(load, version);
    else if (!once || known !== version) void query.ask(load, version);
  }, [query, version]);
  useEffect(
    () => (every === undefined ? undefined : poll(() => query.ask(load, version), every)),
    [query, version, every],
  );
  return { value, error, retry: () => query.again(load, version) };
}

/** What a view answers, asked again at each new head. */
export const useInspect = <Name extends ViewName>(name: Name, input: ViewInput<Name>) =>
  useView(name, input, { version: headId.use() });

/** The same of what no new block changes: asked again when the chain went back. */
export const useInspectOnce = <Name extends ViewName>(name: Name, input: ViewInput<Name>) =>
  useView(name, input, { version: past.use(), once: true });

const useView = <Name extends ViewName>(
  name: Name,
  input: ViewInput<Name>,
  options: QueryOptions,
): Loading<AnswerOf<Name>> =>
  useQuery([name, input], (signal) => inspect(name, input, { signal }), options);

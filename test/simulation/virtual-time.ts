// One virtual clock for timers, `Date.now` and `performance.now`, and one seed for `Math.random`: time passes only when nothing else can run.
import { randomNumbers } from "../../mocks/random.ts";

/** Random numbers of one seed. */
export class Chance {
  readonly #seed: number;
  #drawn = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** From 0 to below 1. */
  next(): number {
    return randomNumbers(this.#seed, this.#drawn++);
  }

  /** From `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  /** The random numbers of a part of the world, which depend on nothing that other parts draw. */
  part(): Chance {
    return new Chance(Math.floor(this.next() * 2 ** 31));
  }
}

interface Timer {
  readonly id: number;
  readonly at: number;
  readonly run: () => void;
}

const START = Date.UTC(2030, 0, 1);
const MAX_TIMER_MS = 2 ** 31 - 1;

/** So often the event loop runs before time passes: bodies are read in several turns. */
const TURNS = 6;

export class VirtualTime {
  #now = 0;
  #ids = 0;
  readonly #timers = new Map<number, Timer>();
  readonly #outside = new Set<Promise<unknown>>();
  readonly #turn = setImmediate;
  readonly #real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    dateNow: Date.now,
    performanceNow: performance.now,
    random: Math.random,
  };

  constructor(chance: Chance) {
    const set = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): number => {
      const id = ++this.#ids;
      // As Node does it: a timer may fire a little early.
      const wait = ms >= 1 && ms <= MAX_TIMER_MS ? Math.trunc(ms) : 1;
      this.#timers.set(id, { id, at: this.#now + wait, run: () => run(...given) });
      return id;
    };
    const clear = (id: unknown): void => void this.#timers.delete(Number(id));
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    Date.now = () => START + Math.floor(this.#now);
    performance.now = () => this.#now;
    Math.random = () => chance.next();
  }

  /** Gives the clocks and timers back. */
  end(): void {
    const { dateNow, performanceNow, random, ...timers } = this.#real;
    Object.assign(globalThis, timers);
    Date.now = dateNow;
    performance.now = performanceNow;
    Math.random = random;
  }

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now;
  }

  /** How many timers run. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Work with files, which takes no time here. */
  outside<Result>(work: Promise<Result>): Promise<Result> {
    const done = work.finally(() => this.#outside.delete(done));
    this.#outside.add(done);
    return done;
  }

  /** Lets everything run that needs no time. */
  async settle(): Promise<void> {
    do {
      await Promise.allSettled(this.#outside);
      for (let turn = 0; turn < TURNS; turn++)
        await new Promise<void>((resolve) => this.#turn(resolve));
    } while (this.#outside.size > 0);
  }

  /** Lets this much time pass. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await this.settle();
      let first: Timer | undefined;
      for (const timer of this.#timers.values())
        if (first === undefined || timer.at < first.at) first = timer;
      if (first === undefined || first.at > end) break;
      this.#timers.delete(first.id);
      this.#now = Math.max(this.#now, first.at);
      first.run();
    }
    this.#now = end;
  }
}

/** Ends after this long on the virtual clock, or when the signal aborts. */
export const rest = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

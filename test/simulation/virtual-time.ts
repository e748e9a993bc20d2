// One virtual clock for timers, `Date.now` and `performance.now`, and one seed for `Math.random`: time passes only when nothing else can run.
import { randomNumbers } from "../../mocks/double/service/random.ts";

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

/** What `setTimeout` returns, as far as it is used. */
class Timer {
  readonly at: number;
  readonly run: () => void;

  constructor(at: number, run: () => void) {
    this.at = at;
    this.run = run;
  }

  unref(): this {
    return this;
  }
}

const START = Date.UTC(2030, 0, 1);
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How often it is looked for the end of work with files, before it sleeps in between. */
const MAX_LOOKS = 20;

const isOfFiles = (resource: string): boolean =>
  resource.startsWith("FSReq") || resource === "CloseReq";

const besideTheClock = (): never => {
  throw new Error("this timer is none that a world can rule: use setTimeout");
};

export class VirtualTime {
  #now = 0;
  readonly #timers = new Set<Timer>();
  readonly #turn = setImmediate;
  readonly #realTimeout = setTimeout;
  readonly #giveBack: readonly (() => void)[];

  constructor(chance: Chance) {
    const set = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): Timer => {
      // As Node does it: a timer may fire a little early.
      const wait = ms >= 1 && ms <= MAX_TIMER_MS ? Math.trunc(ms) : 1;
      const timer = new Timer(this.#now + wait, () => run(...given));
      this.#timers.add(timer);
      return timer;
    };
    const clear = (timer: Timer): void => void this.#timers.delete(timer);
    const replaced = [
      [globalThis, { setTimeout: set, clearTimeout: clear, setInterval: besideTheClock }],
      [Date, { now: () => START + Math.floor(this.#now) }],
      [performance, { now: () => this.#now }],
      [Math, { random: () => chance.next() }],
      [AbortSignal, { timeout: besideTheClock }],
    ] as const;
    this.#giveBack = replaced.map(([owner, virtual]) => {
      const real = Object.fromEntries(
        Object.keys(virtual).map((name) => [name, Reflect.get(owner, name)]),
      );
      Object.assign(owner, virtual);
      return () => void Object.assign(owner, real);
    });
  }

  /** Gives the clocks and timers back. */
  end(): void {
    for (const giveBack of this.#giveBack) giveBack();
  }

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now;
  }

  /** How many timers run. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets everything run that needs no time: turns of the event loop, and files. However long it takes, no time passes here. */
  settle(): Promise<void> {
    return new Promise((resolve) => {
      let looks = 0;
      const look = () => {
        const awaited = process.getActiveResourcesInfo();
        // A file in memory takes a few turns only.
        const isSoon = ++looks < MAX_LOOKS && awaited.some(isOfFiles);
        if (isSoon || awaited.includes("Immediate")) this.#turn(look);
        else if (awaited.some(isOfFiles)) this.#realTimeout(look, 0);
        else resolve();
      };
      this.#turn(() => this.#turn(look));
    });
  }

  /** Lets this much time pass. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await this.settle();
      let first: Timer | undefined;
      for (const timer of this.#timers)
        if (first === undefined || timer.at < first.at) first = timer;
      if (first === undefined || first.at > end) break;
      this.#timers.delete(first);
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
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

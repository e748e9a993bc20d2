// Promises and timers that follow an AbortSignal and remove their listeners.

import { nameCaller } from "./caller.ts";

/** The longest delay of a timer in milliseconds; a longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Settles like `promise`, or rejects with the signal's reason once it aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      // Prevents an unhandled rejection, because no code awaits the promise any more.
      promise.catch(() => {});
      abort();
      return;
    }
    signal.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Yields the items of a source until the signal aborts, even if the source never settles. */
export async function* untilAborted<T>(
  source: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const items =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let done: boolean | undefined = true;
  try {
    for (;;) {
      const next = await abortable(Promise.resolve(items.next()), signal);
      done = next.done;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Does not wait, because the source may never settle.
    if (!done || signal.aborted) Promise.resolve(items.return?.()).catch(() => {});
  }
}

/** Waits, even longer than a timer can. Rejects with the signal's reason once it aborts. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  for (let left = milliseconds; left >= 0; left -= MAX_TIMER_MS)
    await abortable(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(left, MAX_TIMER_MS));
      }),
      signal,
    ).finally(() => clearTimeout(timer));
}

/** A signal that also follows other signals and a timeout, until it is closed. */
export class AbortScope {
  readonly #controller = new AbortController();
  readonly #cleanups: (() => void)[] = [];

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Aborts when this signal does, with its reason. */
  follow(signal: AbortSignal | undefined): this {
    if (signal === undefined) return this;
    const abort = () => this.abort(signal.reason);
    if (signal.aborted) abort();
    else {
      signal.addEventListener("abort", abort);
      this.#cleanups.push(() => signal.removeEventListener("abort", abort));
    }
    return this;
  }

  /** Aborts after some time, with a new reason. A time longer than a timer can run is no limit. */
  timeout(milliseconds: number, reason: () => unknown): this {
    if (milliseconds > MAX_TIMER_MS) return this;
    const timer = setTimeout(() => this.abort(reason()), Math.max(0, milliseconds));
    this.#cleanups.push(() => clearTimeout(timer));
    return this;
  }

  close(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}

/**
 * Wraps an event generator so that `return()` ends it at once, even while the next event is
 * awaited. It also works with `await using`.
 */
export function leavable<Event>(
  start: (left: AbortSignal) => AsyncGenerator<Event, void, undefined>,
): AsyncGenerator<Event, void, undefined> {
  const leaving = new AbortController();
  const events = start(leaving.signal);
  const [next, end] = [events.next.bind(events), events.return.bind(events)];
  const rethrow = nameCaller(leavable);
  const leave = (value: void | PromiseLike<void>) => {
    leaving.abort();
    return end(value);
  };
  return Object.assign(events, {
    next: () => next().catch(rethrow),
    return: leave,
    [Symbol.asyncDispose]: async () => void (await leave()),
  });
}

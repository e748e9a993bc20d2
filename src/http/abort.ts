// Waiting that ends at once when a signal does, and leaves no timer and no listener behind.

/** Settles like `promise`, or rejects with the signal's reason as soon as it is aborted, whichever comes first. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      // What nobody waits for any more must not count as unhandled.
      promise.catch(() => {});
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The items of a source, for as long as the signal lasts: also where the source itself never answers. */
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
    // It may still be busy with what was asked of it: nobody waits for that.
    if (!done || signal.aborted) Promise.resolve(items.return?.()).catch(() => {});
  }
}

/** The longest delay of a timer in milliseconds: a longer one fires at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** Waits, or rejects with the signal's reason. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return abortable(
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(milliseconds, maxTimerMs));
    }),
    signal,
  ).finally(() => clearTimeout(timer));
}

/** Something under way that others can end: a signal that follows further signals and a time limit, until it is closed. */
export class AbortScope {
  readonly #controller = new AbortController();
  readonly #undo: (() => void)[] = [];

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Ends with this signal, for the same reason. */
  follow(signal: AbortSignal | undefined): this {
    if (signal === undefined) return this;
    const abort = () => this.abort(signal.reason);
    if (signal.aborted) abort();
    else {
      signal.addEventListener("abort", abort, { once: true });
      this.#undo.push(() => signal.removeEventListener("abort", abort));
    }
    return this;
  }

  /** Ends after this time, for the reason made then. */
  timeout(milliseconds: number, reason: () => unknown): this {
    const timer = setTimeout(() => this.abort(reason()), milliseconds);
    this.#undo.push(() => clearTimeout(timer));
    return this;
  }

  /** Lets go of signals and timers. */
  close(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}

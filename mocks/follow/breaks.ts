// Breaks in long work, in which requests to the explorer run: both share a thread.

/** Milliseconds of work between two breaks. */
const WORK = 8;

export class Breaks {
  #since = performance.now();

  /** Whether it is time for a break. */
  get isDue(): boolean {
    return performance.now() - this.#since > WORK;
  }

  /** Lets what waits run first. */
  async take(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}

// Gives requests to the explorer their turn while long work runs in the same thread.

/** Milliseconds that work may take before others have their turn. */
const BUDGET = 8;

export class Turns {
  #since = performance.now();

  /** Whether others should have their turn. */
  get isDue(): boolean {
    return performance.now() - this.#since > BUDGET;
  }

  /** Lets what waits run first. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}

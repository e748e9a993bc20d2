// Fair turns: a few may run at a time, and waiting submitters are served in turn, however often each one asked.
import type { Turn } from "../../double/operations/verifier.ts";

export interface TurnLimits {
  /** How many may run at the same time. */
  readonly parallel: number;
  /** How many may wait. */
  readonly waiting: number;
  /** How many of one submitter may wait. */
  readonly waitingEach: number;
}

/** The queue is full: for everyone, or for this submitter. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
  readonly of: "all" | "submitter";

  constructor(of: "all" | "submitter", waiting: number) {
    const whose = of === "all" ? "" : "of yours ";
    super(`Too many verifications: ${waiting} ${whose}are queued; try again later`);
    this.of = of;
  }
}

export class Turns {
  readonly #limits: TurnLimits;
  /** How many of each submitter run. */
  readonly #running = new Map<string, number>();
  /** Those who wait; the submitter served last comes last. */
  readonly #queues = new Map<string, (() => void)[]>();
  #busy = 0;
  #waiting = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn; returns the function that ends it, which may be called more than once.
   *
   * @throws QueueFullError if too many wait
   * @throws the signal's reason if it aborts before the turn
   */
  async take({ submitter = "", signal }: Turn): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#busy >= this.#limits.parallel) await this.#wait(submitter, signal);
    else this.#start(submitter);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#end(submitter);
    };
  }

  async #wait(submitter: string, signal: AbortSignal | undefined): Promise<void> {
    const { waiting, waitingEach } = this.#limits;
    const queue = this.#queues.get(submitter) ?? [];
    if (queue.length >= waitingEach) throw new QueueFullError("submitter", queue.length);
    if (this.#waiting >= waiting) throw new QueueFullError("all", this.#waiting);
    this.#queues.set(submitter, queue);
    this.#waiting++;
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#remove(submitter, start);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      queue.push(start);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #remove(submitter: string, waiting: () => void): void {
    const queue = this.#queues.get(submitter) ?? [];
    const index = queue.indexOf(waiting);
    if (index < 0) return;
    queue.splice(index, 1);
    this.#waiting--;
    if (queue.length === 0) this.#queues.delete(submitter);
  }

  #start(submitter: string): void {
    this.#busy++;
    this.#running.set(submitter, this.#runningOf(submitter) + 1);
  }

  #end(submitter: string): void {
    this.#busy--;
    const left = this.#runningOf(submitter) - 1;
    if (left > 0) this.#running.set(submitter, left);
    else this.#running.delete(submitter);
    this.#startNext();
  }

  /** The next is of the submitter with the fewest running; among equals, of the one not served for longest. */
  #startNext(): void {
    const [first, ...others] = this.#queues.keys();
    if (first === undefined) return;
    const next = others.reduce(
      (best, other) => (this.#runningOf(other) < this.#runningOf(best) ? other : best),
      first,
    );
    const queue = this.#queues.get(next) ?? [];
    const [start] = queue;
    if (start === undefined) return;
    this.#queues.delete(next);
    this.#queues.set(next, queue);
    this.#remove(next, start);
    this.#start(next);
    start();
  }

  #runningOf(submitter: string): number {
    return this.#running.get(submitter) ?? 0;
  }
}

// The one door all requests of a client leave through: how many at once, how many in a time, and when none at all.
import { abortable, maxTimerMs } from "./abort.ts";

/** At most `requests` begin in any `perMs` milliseconds. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

interface QueuedRequest {
  /** When its call began: who has waited longest, also through failed attempts, goes first. */
  readonly ticket: number;
  readonly enter: () => void;
}

/**
 * Lets requests out in the order their calls began. There is a timer only while somebody waits.
 *
 * A refusal for asking too much (429) holds everybody back, and halves how many may be out at once; each success
 * afterwards brings back a little of it.
 */
export class RateLimiter {
  readonly #most: number;
  readonly #rate: RateLimit | undefined;
  /** When the last `requests` ones began. */
  readonly #begun: number[] = [];
  readonly #waiting: QueuedRequest[] = [];
  #allowed: number;
  #out = 0;
  #heldUntil = 0;
  #tickets = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(concurrency: number, rate: RateLimit | undefined) {
    this.#most = concurrency;
    this.#allowed = concurrency;
    this.#rate = rate;
  }

  /** The place of a call in the order, for all its attempts. */
  ticket(): number {
    return this.#tickets++;
  }

  /** Milliseconds until anything may leave. */
  get pausedFor(): number {
    return Math.max(0, this.#heldUntil - performance.now());
  }

  /** Waits for a turn; the function it gives must be called when the request is over. */
  async acquire(ticket: number, signal: AbortSignal): Promise<() => void> {
    let place: QueuedRequest | undefined;
    const turn = new Promise<void>((enter) => {
      place = { ticket, enter };
      const before = this.#waiting.findLastIndex((other) => other.ticket <= ticket);
      this.#waiting.splice(before + 1, 0, place);
    });
    this.#admit();
    try {
      await abortable(turn, signal);
    } catch (reason) {
      const index = place ? this.#waiting.indexOf(place) : -1;
      if (index >= 0) this.#waiting.splice(index, 1);
      // Its turn came in the same moment as the abort.
      else this.#leave();
      this.#admit();
      throw reason;
    }
    let inside = true;
    return () => {
      if (inside) this.#leave();
      inside = false;
    };
  }

  /** A request was refused for asking too much: nobody leaves for this long. */
  pauseFor(milliseconds: number): void {
    if (this.pausedFor === 0) this.#allowed = Math.max(1, Math.min(this.#allowed, this.#out) / 2);
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + milliseconds);
  }

  /** A request was answered: the way is free. */
  succeeded(): void {
    if (this.#allowed < this.#most)
      this.#allowed = Math.min(this.#most, this.#allowed + 1 / this.#allowed);
  }

  #leave(): void {
    this.#out--;
    this.#admit();
  }

  #admit(): void {
    clearTimeout(this.#timer);
    while (this.#waiting.length && this.#out < Math.floor(this.#allowed)) {
      const pause = Math.max(this.pausedFor, this.#pace());
      if (pause > 0) {
        this.#timer = setTimeout(() => this.#admit(), Math.min(pause, maxTimerMs));
        return;
      }
      this.#out++;
      if (this.#rate) this.#begun.push(performance.now());
      this.#waiting.shift()?.enter();
    }
  }

  /** Milliseconds until the rate allows one more. */
  #pace(): number {
    if (!this.#rate) return 0;
    const { requests, perMs } = this.#rate;
    const past = performance.now() - perMs;
    while (this.#begun.length && (this.#begun[0] ?? 0) <= past) this.#begun.shift();
    return this.#begun.length < requests ? 0 : (this.#begun[0] ?? 0) - past;
  }
}

// Limits how many requests of a client run at once and how many start per interval, and pauses all
// after a 429.
import { ParameterError } from "../errors/index.ts";
import { sanitizeError, unredacted } from "../errors/redact.ts";
import { describedIssue } from "../models/mismatch.ts";
import { abortable, MAX_TIMER_MS, sleep } from "./abort.ts";

/** At most `requests` requests start in any interval of `perMs` milliseconds. */
export interface RateLimit {
  /** The number of requests. */
  readonly requests: number;
  /** The length of the interval, in milliseconds. */
  readonly perMs: number;
  /**
   * Waits for a slot of a limiter that several processes share, for example in Redis. Called before
   * each attempt, after this client's own limits. The attempt starts when the returned promise
   * resolves. If the promise rejects, the call fails with a {@link ParameterError}. `signal` aborts
   * when the call does. The wait counts towards `totalTimeout`, not `timeout`.
   *
   * @default none: only the limits of this client apply
   * @example
   * new ExplorerClient({ rateLimit: { requests: 50, perMs: 1_000, acquire: () => queue.removeTokens(1) } });
   */
  readonly acquire?: ((slot: { readonly signal: AbortSignal }) => unknown) | undefined;
}

/**
 * Returns whether calls may wait for each other. They may not in Cloudflare Workers, where
 * awaiting a promise that another request has created hangs:
 * https://developers.cloudflare.com/workers/observability/errors/
 *
 * Vercel's edge runtime has the same limit: https://github.com/vercel/edge-runtime/issues/169
 */
export const canSharePromises = (): boolean =>
  !("WebSocketPair" in globalThis || "EdgeRuntime" in globalThis);

/** Throws if a pause is too long for a call. */
type CheckPause = (milliseconds: number) => void;

class QueuedRequest {
  /** The number of the call, because the oldest call goes first, even after failed attempts. */
  readonly ticket: number;
  readonly checkPause: CheckPause;
  start = () => {};
  fail: (error: unknown) => void = () => {};
  readonly started = new Promise<void>((start, fail) => {
    this.start = start;
    this.fail = fail;
  });

  constructor(ticket: number, checkPause: CheckPause) {
    this.ticket = ticket;
    this.checkPause = checkPause;
  }
}

/** Starts requests in the order of their calls. Runs a timer only while requests wait. */
export class RateLimiter {
  readonly #concurrency: number;
  readonly #rate: RateLimit | undefined;
  readonly #canShare: boolean;
  /** When each of the last `requests` requests started, or will start. */
  readonly #startTimes: number[] = [];
  readonly #queue: QueuedRequest[] = [];
  #active = 0;
  #pausedUntil = 0;
  #tickets = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Without {@link canSharePromises}, there is no queue, and `concurrency` does not apply. */
  constructor(concurrency: number, rate: RateLimit | undefined, canShare = true) {
    this.#concurrency = concurrency;
    this.#rate = rate;
    this.#canShare = canShare;
  }

  /** Returns the number of a new call, which orders its attempts in the queue. */
  ticket(): number {
    return this.#tickets++;
  }

  get pausedFor(): number {
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  /**
   * Waits for a slot, and returns a function that releases it. Rejects with the error of
   * `checkPause` if a pause that begins meanwhile is too long.
   */
  async acquire(
    ticket: number,
    signal: AbortSignal,
    checkPause: CheckPause = () => {},
  ): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.#canShare) await this.#waitAlone(signal, checkPause);
    else if (this.#queue.length || !this.#isFree || this.#delay() > 0)
      await this.#wait(new QueuedRequest(ticket, checkPause), signal);
    else this.#start();
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
    if (this.#rate?.acquire)
      await this.#acquireShared(this.#rate.acquire, signal, checkPause).catch((reason: unknown) => {
        release();
        throw reason;
      });
    return release;
  }

  async #wait(entry: QueuedRequest, signal: AbortSignal): Promise<void> {
    const before = this.#queue.findLastIndex(({ ticket }) => ticket <= entry.ticket);
    this.#queue.splice(before + 1, 0, entry);
    this.#startQueued();
    try {
      await abortable(entry.started, signal);
    } catch (reason) {
      const index = this.#queue.indexOf(entry);
      if (index >= 0) this.#queue.splice(index, 1);
      // The request got its slot in the same moment.
      else this.#release();
      this.#startQueued();
      throw reason;
    }
  }

  /** Reserves a start time and waits for it, without a queue. */
  async #waitAlone(signal: AbortSignal, checkPause: CheckPause): Promise<void> {
    do {
      const delay = this.#delay();
      if (this.#rate) this.#startTimes.push(performance.now() + delay);
      if (this.pausedFor > 0) checkPause(this.pausedFor);
      if (delay > 0) await sleep(delay, signal);
    } while (this.pausedFor > 0);
  }

  /** Waits for a slot of the limit that processes share. */
  async #acquireShared(
    acquire: NonNullable<RateLimit["acquire"]>,
    signal: AbortSignal,
    checkPause: CheckPause,
  ): Promise<void> {
    try {
      await abortable((async () => acquire({ signal }))(), signal);
    } catch (error) {
      signal.throwIfAborted();
      const { message } = sanitizeError(error, unredacted);
      throw new ParameterError("Could not acquire a slot of the shared rate limit", [
        describedIssue(
          ["rateLimit", "acquire"],
          "a function that resolves when a request may start",
          `the error: ${message}`,
        ),
      ]);
    }
    // Meanwhile another request may have got a 429.
    while (this.pausedFor > 0) {
      checkPause(this.pausedFor);
      await sleep(this.pausedFor, signal);
    }
  }

  /** Delays all requests after a 429. */
  pauseFor(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
    for (const entry of [...this.#queue])
      try {
        entry.checkPause(this.pausedFor);
      } catch (error) {
        entry.fail(error);
      }
  }

  #release(): void {
    if (!this.#canShare) return;
    this.#active--;
    this.#startQueued();
  }

  get #isFree(): boolean {
    return this.#active < this.#concurrency;
  }

  #start(): void {
    this.#active++;
    if (this.#rate) this.#startTimes.push(performance.now());
  }

  #startQueued(): void {
    clearTimeout(this.#timer);
    while (this.#queue.length && this.#isFree) {
      const delay = this.#delay();
      if (delay > 0) {
        this.#timer = setTimeout(() => this.#startQueued(), Math.min(delay, MAX_TIMER_MS));
        return;
      }
      this.#start();
      this.#queue.shift()?.start();
    }
  }

  /** Returns the milliseconds until the pause and the rate allow another request. */
  #delay(): number {
    if (!this.#rate) return this.pausedFor;
    const { requests, perMs } = this.#rate;
    const past = performance.now() - perMs;
    while (this.#startTimes.length && (this.#startTimes[0] ?? 0) <= past) this.#startTimes.shift();
    const byRate = (this.#startTimes.at(-requests) ?? past) - past;
    return Math.max(this.pausedFor, byRate);
  }
}

// A process of a simulated client: what it sends, and the promises of each request: not too fast, not too many at once, none in a pause, none after the end.
import type { Line, WorldLog } from "./world-log.ts";

/** A request as its client sent it. */
export interface Sent {
  /** Path and query. */
  readonly target: string;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds since 1970. */
  readonly date: number;
  readonly line: Line;
  /** Undefined where no response came. */
  status: number | undefined;
}

/** What a client may send. */
export interface Limits {
  /** So many within any `perMs`. */
  readonly requests: number;
  readonly perMs: number;
  readonly concurrency: number;
}

export class Process {
  readonly name: string;
  /** Its calls have ended or were aborted: nothing is to be sent. */
  isQuiet = false;
  readonly #limits: Limits;
  readonly #log: WorldLog;
  readonly #open = new Set<Sent>();
  /** When it sent its last requests. */
  readonly #times: number[] = [];
  /** Since when, and until when it has to wait after a 429. */
  #pause = { from: 0, until: 0 };

  constructor(name: string, limits: Limits, log: WorldLog) {
    this.name = name;
    this.#limits = limits;
    this.#log = log;
  }

  /** A request leaves. */
  send(target: string, signal: AbortSignal | undefined): Sent {
    const line = this.#log.note(this.name, target.replace(/^\/v1/, ""));
    const sent: Sent = { target, signal, date: Date.now(), line, status: undefined };
    const { requests, perMs, concurrency } = this.#limits;
    const now = performance.now();
    const { from, until } = this.#pause;
    // In the same moment, the response may still be on its way.
    if (from < now && now < until - 1e-3) this.#broken("within the pause of a 429", target);
    if (this.isQuiet) this.#broken("after its calls had ended", target);
    if (this.#times.length === requests && now - (this.#times.shift() ?? 0) < perMs - 1e-6)
      this.#broken(`over ${requests} requests in ${perMs} ms`, target);
    this.#times.push(now);
    this.#open.add(sent);
    if (this.open.length > concurrency) this.#broken(`over ${concurrency} at once`, target);
    return sent;
  }

  /** A request has its response, or none. */
  settle(sent: Sent, response: Response | undefined): void {
    this.#open.delete(sent);
    sent.status = response?.status;
    sent.line.text += ` → ${response?.status ?? (sent.signal?.aborted ? "aborted" : "failed")}`;
    if (response?.status !== 429) return;
    const from = performance.now();
    const ms = 1000 * Number(response.headers.get("retry-after"));
    this.#pause = { from, until: Math.max(from + ms, this.#pause.until) };
  }

  /** The requests in flight that were not aborted. */
  get open(): readonly Sent[] {
    return [...this.#open].filter(({ signal }) => !signal?.aborted);
  }

  #broken(how: string, target: string): void {
    this.#log.problem(`${this.name} sent ${target} ${how}`);
  }
}

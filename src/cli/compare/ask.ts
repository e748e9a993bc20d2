// Asks an explorer politely, and exactly what is to be asked, right or wrong: one request at a time, within a rate and a budget.

import ky from "ky";
import type { AnyOperation } from "../../contract/index.ts";
import { ConnectionError } from "../../errors/index.ts";
import type { Redact } from "../../errors/redact.ts";
import { sleep } from "../../http/abort.ts";
import { rootMessage } from "../../http/attempt.ts";
import { readBody } from "../../http/body.ts";
import { type RateLimit, RateLimiter } from "../../http/rate-limiter.ts";
import { retryAfter } from "../../http/retry-after.ts";
import { jsonIn } from "../../models/json.ts";
import type { resolveSettings } from "../../settings.ts";

/** Parameters as texts (in a body: as JSON); a list in a query is the parameter given several times. */
export type Raw = Readonly<Record<string, unknown>>;

/** A request as it will be sent, without the key. */
export interface AskedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly withoutKey?: boolean;
}

/** A response that was read. */
export interface ExplorerResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown;
}

/** The request that carries these parameters where the contract says they travel; those it does not know go into the query. */
export function requestFor({ path, places, method }: AnyOperation, raw: Raw): AskedRequest {
  const query = Object.entries(raw).flatMap(([name, value]) =>
    value === undefined || places.path.includes(name) || places.body.includes(name)
      ? []
      : [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`),
  );
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(`${raw[name]}`),
  );
  const target = query.length > 0 ? `${filled}?${query.join("&")}` : filled;
  if (method === "GET") return { method, target };
  const fields = Object.entries(raw).filter(([name]) => places.body.includes(name));
  const body = JSON.stringify(Object.fromEntries(fields));
  return { method, target, contentType: "application/json", body };
}

/** The budget of requests is spent. */
export class OutOfRequests extends Error {}

/** How often a request that was rate limited is sent again, and the pause where the response does not say how long. */
const MAX_PAUSES = 4;
const PAUSE_MS = 2_000;

export class Asker {
  readonly #settings: ReturnType<typeof resolveSettings>;
  readonly #limiter: RateLimiter;
  readonly #budget: number;
  readonly #signal: AbortSignal;
  readonly #base: string;
  /** Replaces the key in texts; known after the first request. */
  redact: Redact = (text) => text;
  sent = 0;
  /** Requests that were answered with 429. */
  limited = 0;
  /** Milliseconds of each answer. */
  readonly durations: number[] = [];
  /** The strictest limit that a 429 has shown. */
  seenLimit: RateLimit | undefined;
  /** Answers since the last pause, and when it ended. */
  #answered = 0;
  #since = performance.now();

  constructor(
    settings: ReturnType<typeof resolveSettings>,
    rate: RateLimit | undefined,
    budget: number,
    signal: AbortSignal,
  ) {
    this.#settings = settings;
    this.#limiter = new RateLimiter(1, rate);
    this.#budget = budget;
    this.#signal = signal;
    this.#base = settings.baseUrl.href.replace(/\/+$/, "");
  }

  /** @throws OutOfRequests once the budget is spent; ConnectionError without a response. */
  async ask(message: AskedRequest): Promise<ExplorerResponse> {
    for (let pauses = 0; ; pauses++) {
      const answer = await this.#send(message);
      if (answer.status !== 429) this.#answered++;
      if (answer.status !== 429 || pauses === MAX_PAUSES) return answer;
      this.limited++;
      const pause = retryAfter(answer.headers, true, Date.now()) ?? PAUSE_MS;
      this.#noteLimit(pause);
      await sleep(pause, this.#signal);
      this.#since = performance.now();
    }
  }

  /** A window that is full: what was answered in it, and how long it lasts. */
  #noteLimit(pause: number): void {
    const requests = this.#answered;
    const perMs = Math.ceil(performance.now() - this.#since + pause);
    this.#answered = 0;
    if (requests === 0) return;
    const known = this.seenLimit;
    if (known && known.requests / known.perMs <= requests / perMs) return;
    this.seenLimit = { requests, perMs };
  }

  async #send({
    method,
    target,
    contentType,
    body,
    withoutKey,
  }: AskedRequest): Promise<ExplorerResponse> {
    if (this.sent >= this.#budget) throw new OutOfRequests();
    const release = await this.#limiter.acquire(this.#limiter.ticket(), this.#signal);
    this.sent++;
    try {
      const key = await this.#settings.apiKey(this.#signal);
      this.redact = key.redact;
      const startedAt = performance.now();
      const response = await ky(`${this.#base}${target}`, {
        method,
        ...(body === undefined ? {} : { body }),
        headers: {
          ...(contentType === undefined ? {} : { "content-type": contentType }),
          ...(withoutKey ? {} : { "api-key": key.value }),
        },
        throwHttpErrors: false,
        redirect: "manual",
        retry: 2,
        timeout: this.#settings.timeout ?? 15_000,
        signal: this.#signal,
        fetch: this.#settings.fetch as typeof fetch,
      });
      const { text } = await readBody(response, this.#settings.maxResponseBytes, this.#signal);
      this.durations.push(performance.now() - startedAt);
      const { status, headers } = response;
      return { status, headers, text, json: jsonIn(text) };
    } catch (error) {
      this.#signal.throwIfAborted();
      throw new ConnectionError(
        `Connection failed: ${this.redact(rootMessage(error))} (${this.#base}${target})`,
        {},
      );
    } finally {
      release();
    }
  }
}

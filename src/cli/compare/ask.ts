// Asks an explorer politely, and exactly what is to be asked, right or wrong: one request at a time, within a rate and a budget.
import { type Dialect, speakerOf } from "../../contract/dialect.ts";
import type { AnyOperation } from "../../contract/index.ts";
import { messageOf } from "../../errors/base.ts";
import { ConnectionError } from "../../errors/index.ts";
import { type Redact, unredacted } from "../../errors/redact.ts";
import { sleep } from "../../http/abort.ts";
import { readBody } from "../../http/body.ts";
import type { RateLimit } from "../../http/rate-limiter.ts";
import { CheckedInput, prepare } from "../../http/request.ts";
import { retryAfter } from "../../http/retry-after.ts";
import type { TransportSettings } from "../../http/transport-settings.ts";
import { jsonIn } from "../../models/json.ts";

/** Parameters in their wire form, right or wrong. */
export type Raw = Readonly<Record<string, unknown>>;

/** What is asked: an operation, or a variation of it that no client would send. */
export interface AskedRequest {
  readonly operation: AnyOperation;
  readonly raw: Raw;
  readonly method?: string;
  /** What follows path and query. */
  readonly suffix?: string;
  readonly contentType?: string;
  readonly body?: string | undefined;
  readonly withoutKey?: boolean;
}

/** A response that was read. */
export interface ExplorerResponse {
  /** Method, path and query that were asked. */
  readonly asked: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown;
}

/** The budget of requests is spent. */
export class OutOfRequests extends Error {}

/** How often a request is sent again that was rate limited or failed on the way, and the pause where the response names none. */
const MAX_PAUSES = 4;
const MAX_REPEATS = 2;
const PAUSE_MS = 2_000;

interface AskerOptions {
  readonly rate: RateLimit;
  /** Requests to send at most. */
  readonly budget: number;
  readonly signal: AbortSignal;
  /** Receives what a person at the terminal should know, such as a pause. */
  readonly say: (message: string) => void;
}

export class Asker {
  readonly #settings: TransportSettings;
  readonly #options: AskerOptions;
  /** Replaces the key in texts; known after the first request. */
  redact: Redact = unredacted;
  sent = 0;
  /** When the next request may be sent. */
  #next = 0;

  constructor(settings: TransportSettings, options: AskerOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** Asks in the explorer's dialect, or in another one. @throws OutOfRequests once the budget is spent; ConnectionError without a response */
  async ask(asked: AskedRequest, dialect?: Dialect): Promise<ExplorerResponse> {
    const { operation, raw, method = operation.method, suffix = "" } = asked;
    const speak = dialect ? speakerOf(dialect) : (await this.#settings.dialect?.())?.speak;
    const { url, body } = prepare("", operation, new CheckedInput(raw), speak);
    const message = { body, contentType: "application/json", ...asked, method };
    let repeats = method === "GET" ? MAX_REPEATS : 0;
    for (let pauses = 0; ; ) {
      const answer = await this.#send(url + suffix, message).catch((error: unknown) => {
        if (!(error instanceof ConnectionError) || repeats === 0) throw error;
      });
      const isBroken = answer === undefined || [502, 503, 504].includes(answer.status);
      if (isBroken && repeats-- > 0) continue;
      if (answer?.status === 429 && pauses++ < MAX_PAUSES) {
        const wished = retryAfter(answer.headers, true);
        const [pause, why] =
          wished === undefined ? [PAUSE_MS, "after a 429"] : [wished, "as the explorer asks (429)"];
        this.#options.say(`waiting ${Math.ceil(pause / 1000)} s, ${why}`);
        await sleep(pause, this.#options.signal);
      } else if (answer) return answer;
    }
  }

  async #send(
    target: string,
    { method, contentType, body, withoutKey }: AskedRequest & { readonly method: string },
  ): Promise<ExplorerResponse> {
    const { rate, budget, signal } = this.#options;
    const { apiKey, baseUrl, fetch, maxResponseBytes, timeout = 15_000 } = this.#settings;
    if (this.sent >= budget) throw new OutOfRequests();
    await sleep(this.#next - performance.now(), signal);
    this.sent++;
    this.#next = performance.now() + rate.perMs / rate.requests;
    const key = await apiKey(signal);
    this.redact = key.redact;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    const url = `${baseUrl.href.replace(/\/+$/, "")}${target}`;
    const headers = {
      ...(method === "POST" && { "content-type": contentType }),
      ...(!withoutKey && key.value && { "api-key": key.value }),
    };
    try {
      const init = { method, headers, ...(method === "POST" && body && { body }), signal: limited };
      const response = await fetch(url, { ...init, redirect: "manual" });
      const { text } = await readBody(response, maxResponseBytes, limited);
      const received = new Headers();
      response.headers.forEach((value, name) => void received.append(name, value));
      const { status } = response;
      return { asked: `${method} ${target}`, status, headers: received, text, json: jsonIn(text) };
    } catch (error) {
      signal.throwIfAborted();
      const cause = error instanceof Error && error.cause ? error.cause : error;
      const why = limited.aborted ? `no whole response within ${timeout} ms` : messageOf(cause);
      throw new ConnectionError(`Connection failed: ${this.redact(why)} (${method} ${url})`, {});
    }
  }
}

// Asks an explorer politely, and exactly what is to be asked, right or wrong: one request at a time, within a rate and a budget.
import { type Dialect, speakerOf } from "../../contract/dialect.ts";
import type { AnyOperation } from "../../contract/index.ts";
import { messageOf } from "../../errors/base.ts";
import { ConnectionError } from "../../errors/index.ts";
import { type Redact, unredacted } from "../../errors/redact.ts";
import { sleep } from "../../http/abort.ts";
import { readBody } from "../../http/body.ts";
import type { RateLimit } from "../../http/rate-limiter.ts";
import { retryAfter } from "../../http/retry-after.ts";
import type { TransportSettings } from "../../http/transport-settings.ts";
import { jsonIn } from "../../models/json.ts";

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
  /** What is asked, where it is an operation: a dialect has another target for it. */
  readonly asks?: { readonly operation: AnyOperation; readonly raw: Raw };
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

/** The request that carries these parameters where the contract says they travel; those it does not know go into the query. */
export function requestFor(operation: AnyOperation, raw: Raw): AskedRequest {
  const { path, places, method } = operation;
  const query = Object.entries(raw).flatMap(([name, value]) =>
    value === undefined || places.path.includes(name) || places.body.includes(name)
      ? []
      : [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`),
  );
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${raw[name]}`));
  const asks = { operation, raw };
  const target = query.length > 0 ? `${filled}?${query.join("&")}` : filled;
  if (method === "GET") return { method, target, asks };
  const fields = Object.entries(raw).filter(([name]) => places.body.includes(name));
  const body = JSON.stringify(Object.fromEntries(fields));
  return { method, target, contentType: "application/json", body, asks };
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
  /** Milliseconds of each answer. */
  readonly durations: number[] = [];

  constructor(settings: TransportSettings, options: AskerOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** Asks in the explorer's dialect, or in another one. @throws OutOfRequests once the budget is spent; ConnectionError without a response. */
  async ask(asked: AskedRequest, dialect?: Dialect): Promise<ExplorerResponse> {
    const { asks } = asked;
    const speak = dialect ? speakerOf(dialect) : (await this.#settings.dialect?.())?.speak;
    const spoken = asks && speak?.(asks.operation);
    const target = spoken && requestFor(spoken.operation, spoken.sent(asks.raw)).target;
    const message = { ...asked, ...(target && { target }) };
    let repeats = message.method === "GET" ? MAX_REPEATS : 0;
    for (let pauses = 0; ; ) {
      const answer = await this.#send(message).catch((error: unknown) => {
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

  async #send(message: AskedRequest): Promise<ExplorerResponse> {
    const { rate, budget, signal } = this.#options;
    const { apiKey, baseUrl, maxResponseBytes, timeout = 15_000 } = this.#settings;
    if (this.sent >= budget) throw new OutOfRequests();
    await sleep(this.#next - performance.now(), signal);
    this.sent++;
    const { method, target, contentType, body, withoutKey } = message;
    const key = await apiKey(signal);
    this.redact = key.redact;
    const startedAt = performance.now();
    this.#next = startedAt + rate.perMs / rate.requests;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    const url = `${baseUrl.href.replace(/\/+$/, "")}${target}`;
    const headers = {
      ...(contentType && { "content-type": contentType }),
      ...(!withoutKey && key.value && { "api-key": key.value }),
    };
    try {
      const init = { method, headers, ...(body && { body }), signal: limited };
      const response = await this.#settings.fetch(url, { ...init, redirect: "manual" });
      const { text } = await readBody(response, maxResponseBytes, limited);
      this.durations.push(performance.now() - startedAt);
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

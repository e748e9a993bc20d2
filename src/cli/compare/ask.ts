// Asks an explorer politely, and exactly what is to be asked, right or wrong: one request at a time, within a rate and a budget.
import { type Dialect, speakerOf } from "../../contract/dialect.ts";
import { type DialectName, dialects } from "../../contract/dialects.ts";
import { type AnyOperation, operations } from "../../contract/index.ts";
import { messageOf } from "../../errors/base.ts";
import { ConnectionError } from "../../errors/index.ts";
import type { Redact } from "../../errors/redact.ts";
import { sleep } from "../../http/abort.ts";
import { readBody } from "../../http/body.ts";
import type { RateLimit } from "../../http/rate-limiter.ts";
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
  /** What is asked, where it is an operation: a dialect has another target for it. */
  readonly asks?: { readonly operation: AnyOperation; readonly raw: Raw };
}

/** A response that was read. */
export interface ExplorerResponse {
  /** The path and query that were asked for. */
  readonly target: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown;
}

/** The request that carries these parameters where the contract says they travel; those it does not know go into the query. */
export function requestFor(operation: AnyOperation, raw: Raw): AskedRequest {
  const { path, places, method } = operation;
  const asks = { operation, raw };
  const query = Object.entries(raw).flatMap(([name, value]) =>
    value === undefined || places.path.includes(name) || places.body.includes(name)
      ? []
      : [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`),
  );
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(`${raw[name]}`),
  );
  const target = query.length > 0 ? `${filled}?${query.join("&")}` : filled;
  if (method === "GET") return { method, target, asks };
  const fields = Object.entries(raw).filter(([name]) => places.body.includes(name));
  const body = JSON.stringify(Object.fromEntries(fields));
  return { method, target, contentType: "application/json", body, asks };
}

/** The budget of requests is spent. */
export class OutOfRequests extends Error {}

/** How often a request is sent again that was rate limited or did not succeed, and the pause where the response names none. */
const MAX_PAUSES = 4;
const MAX_TRIES = 3;
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
  readonly #settings: ReturnType<typeof resolveSettings>;
  readonly #options: AskerOptions;
  readonly #base: string;
  /** Replaces the key in texts; known after the first request. */
  redact: Redact = (text) => text;
  sent = 0;
  /** When the next request may be sent. */
  #next = 0;
  /** Milliseconds of each answer. */
  readonly durations: number[] = [];

  constructor(settings: ReturnType<typeof resolveSettings>, options: AskerOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#base = settings.baseUrl.href.replace(/\/+$/, "");
  }

  /** Asks in the explorer's dialect, or in another one. @throws OutOfRequests once the budget is spent; ConnectionError without a response. */
  async ask(asked: AskedRequest, dialect?: Dialect): Promise<ExplorerResponse> {
    const { asks } = asked;
    const speak = dialect ? speakerOf(dialect) : (await this.#settings.dialect?.())?.speak;
    const spoken = asks && speak?.(asks.operation);
    const message =
      asks && spoken
        ? { ...asked, target: requestFor(spoken.operation, spoken.sent(asks.raw)).target }
        : asked;
    for (let pauses = 0; ; pauses++) {
      const answer = await this.#try(message);
      if (answer.status !== 429 || pauses === MAX_PAUSES) return answer;
      const asked = retryAfter(answer.headers, true);
      const pause = asked ?? PAUSE_MS;
      const why = asked === undefined ? "after a 429" : "as the explorer asks (429)";
      this.#options.say(`waiting ${Math.ceil(pause / 1000)} s, ${why}`);
      await sleep(pause, this.#options.signal);
    }
  }

  /** Sends a request that may be repeated again where it failed on the way. */
  async #try(message: AskedRequest): Promise<ExplorerResponse> {
    const tries = message.method === "GET" ? MAX_TRIES : 1;
    for (let left = tries - 1; ; left--) {
      try {
        const answer = await this.#send(message);
        if (left === 0 || answer.status < 502 || answer.status > 504) return answer;
      } catch (error) {
        if (left === 0 || !(error instanceof ConnectionError)) throw error;
      }
    }
  }

  async #send(message: AskedRequest): Promise<ExplorerResponse> {
    const { rate, budget, signal } = this.#options;
    if (this.sent >= budget) throw new OutOfRequests();
    await sleep(this.#next - performance.now(), signal);
    this.sent++;
    const { method, target, contentType, body, withoutKey } = message;
    const key = await this.#settings.apiKey(signal);
    this.redact = key.redact;
    const startedAt = performance.now();
    this.#next = startedAt + rate.perMs / rate.requests;
    const timeout = this.#settings.timeout ?? 15_000;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    try {
      const response = await this.#settings.fetch(`${this.#base}${target}`, {
        method,
        headers: {
          ...(contentType === undefined ? {} : { "content-type": contentType }),
          ...(withoutKey || key.value === undefined ? {} : { "api-key": key.value }),
        },
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
        signal: limited,
      });
      const { text } = await readBody(response, this.#settings.maxResponseBytes, limited);
      this.durations.push(performance.now() - startedAt);
      const headers = new Headers();
      response.headers.forEach((value, name) => void headers.append(name, value));
      const { status } = response;
      return { target, status, headers, text, json: jsonIn(text) };
    } catch (error) {
      signal.throwIfAborted();
      const cause = error instanceof Error && error.cause ? error.cause : error;
      const why = limited.aborted ? `no whole response within ${timeout} ms` : messageOf(cause);
      const place = `${method} ${this.#base}${target}`;
      throw new ConnectionError(`Connection failed: ${this.redact(why)} (${place})`, {});
    }
  }
}

/** The dialect that an explorer speaks that has no list of token transfers where the present one has it; undefined if none fits. */
export async function fittingDialect(asker: Asker): Promise<DialectName | undefined> {
  const message = requestFor(operations.A4, { address_hash: `0x${"0".repeat(34)}c0ffee` });
  if ((await asker.ask(message)).status !== 404) return undefined;
  for (const [name, dialect] of Object.entries(dialects))
    if ((await asker.ask(message, dialect)).status === 200) return name as DialectName;
  return undefined;
}

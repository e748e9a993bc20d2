// Sends requests to an explorer one at a time, within a rate, and without the client's checks.
import { type Dialect, translatorOf } from "../../contract/dialect.ts";
import type { AnyOperation } from "../../contract/index.ts";
import { messageOf } from "../../errors/base.ts";
import { ConnectionError } from "../../errors/index.ts";
import { loadRedaction, type Redact, unredacted } from "../../errors/redact.ts";
import { sleep } from "../../http/abort.ts";
import { readBody } from "../../http/body.ts";
import type { RateLimit } from "../../http/rate-limiter.ts";
import { prepare } from "../../http/request.ts";
import { retryAfter } from "../../http/retry-after.ts";
import type { TransportSettings } from "../../http/transport-settings.ts";
import { jsonIn } from "../../models/json.ts";

/** Parameters in their wire form. */
export type WireInput = Readonly<Record<string, unknown>>;

/** A response with its body. */
export interface ExplorerResponse {
  /** Method, path and query of the request. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
}

/** How often to repeat a request whose connection fails, or that is rate limited. */
const MAX_REPEATS = 3;
const PAUSE_MS = 2_000;

interface AskerOptions {
  readonly rate: RateLimit;
  /** The longest pause after a 429 to wait for, in milliseconds. */
  readonly maxPause: number;
  readonly signal: AbortSignal;
  /** Tells the user at the terminal about a pause. */
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

  /** Sends a request. @throws ConnectionError if no response arrives */
  async ask(
    operation: AnyOperation,
    input: WireInput,
    { withoutKey = false, dialect }: { withoutKey?: boolean; dialect?: Dialect } = {},
  ): Promise<ExplorerResponse> {
    const { maxPause, say, signal } = this.#options;
    const translate = dialect
      ? translatorOf(dialect)
      : (await this.#settings.dialect?.())?.translate;
    const { url, body } = prepare("", operation, input, translate);
    for (let left = MAX_REPEATS; ; left--) {
      const sent = this.#send(operation.method, url, body, withoutKey);
      const answer = await sent.catch((error: unknown) => {
        if (left === 0 || !(error instanceof ConnectionError)) throw error;
      });
      const isLimited = answer?.status === 429;
      const pause = isLimited ? (retryAfter(answer.headers, true) ?? PAUSE_MS) : 0;
      const isFinal = answer && !isLimited && ![502, 503, 504].includes(answer.status);
      if (answer && (isFinal || left === 0 || pause > maxPause)) return answer;
      if (isLimited) say(`waiting ${Math.ceil(pause / 1000)} s after HTTP 429`);
      await sleep(pause, signal);
    }
  }

  async #send(
    method: string,
    target: string,
    body: string | undefined,
    withoutKey: boolean,
  ): Promise<ExplorerResponse> {
    const { rate, signal } = this.#options;
    const { apiKey, baseUrl, fetch, maxResponseBytes, timeout = 15_000 } = this.#settings;
    await sleep(this.#next - performance.now(), signal);
    this.sent++;
    this.#next = performance.now() + rate.perMs / rate.requests;
    const key = await apiKey(signal);
    await loadRedaction();
    this.redact = key.redact;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    const url = `${baseUrl.href.replace(/\/+$/, "")}${target}`;
    const sent = {
      ...(body && { "content-type": "application/json" }),
      ...(!withoutKey && key.value && { "api-key": key.value }),
    };
    try {
      const init = { method, headers: sent, ...(body && { body }), signal: limited };
      const response = await fetch(url, { ...init, redirect: "manual" });
      const { text } = await readBody(response, maxResponseBytes, limited);
      const { status } = response;
      const headers = new Headers();
      response.headers.forEach((value, name) => void headers.append(name, value));
      return { request: `${method} ${target}`, status, headers, text, json: jsonIn(text) };
    } catch (error) {
      signal.throwIfAborted();
      const cause = error instanceof Error && error.cause ? error.cause : error;
      const why = limited.aborted ? `no whole response within ${timeout} ms` : messageOf(cause);
      throw new ConnectionError(`Connection failed: ${this.redact(why)} (${method} ${url})`, {});
    }
  }
}

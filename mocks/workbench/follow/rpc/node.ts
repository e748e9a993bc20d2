// A JSON-RPC client for an Ethereum node: batches as large as the node takes, and asks again after transient failures.
import { sleep } from "../../../../src/http/abort.ts";
import { RateLimiter } from "../../../../src/http/rate-limiter.ts";
import { kindOf, RpcError } from "./failure.ts";
import { authorizationIn, keptConnections, postByFetch, withoutUser } from "./http.ts";
import {
  PostError,
  type PostTarget,
  post,
  postForText,
  type RpcRequest,
  type RpcResponse,
} from "./post.ts";

export interface RpcOptions {
  /** The most calls in one HTTP request; fewer if the node refuses as many. Default 100. */
  readonly batch?: number | undefined;
  /** HTTP requests at once; fewer while the node limits its rate. Default 4. */
  readonly concurrency?: number | undefined;
  /** Headers of every request, such as `{ authorization: "Bearer …" }`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests instead of `node:http`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds until a request times out. Default 60000. */
  readonly timeout?: number | undefined;
  /** How often to ask again after a transient failure. Default 7: some 15 seconds. */
  readonly retries?: number | undefined;
  /** Milliseconds before the first retry; each further pause is twice as long, up to 5 seconds. Default 200. */
  readonly retryDelay?: number | undefined;
  /** Called for each transient failure, before the retry. */
  readonly onRetry?: ((error: Error) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MAX_PAUSE = 5_000;

/** A node at an address. */
export class RpcNode {
  readonly #target: PostTarget;
  readonly #size: BatchSize;
  readonly #limiter: RateLimiter;
  readonly #retries: number;
  readonly #retryDelay: number;
  readonly #onRetry: (error: Error) => void;

  constructor(url: string, options: RpcOptions = {}) {
    this.#target = {
      url: withoutUser(url),
      headers: {
        "content-type": "application/json",
        ...authorizationIn(url),
        ...options.headers,
      },
      post: options.fetch ? postByFetch(options.fetch) : keptConnections(options.concurrency ?? 4),
      timeout: options.timeout ?? 60_000,
      signal: options.signal ?? new AbortController().signal,
    };
    this.#size = new BatchSize(options.batch ?? 100);
    this.#limiter = new RateLimiter(options.concurrency ?? 4, undefined);
    this.#retries = options.retries ?? 7;
    this.#retryDelay = options.retryDelay ?? 200;
    this.#onRetry = options.onRetry ?? (() => {});
  }

  /** The result of one call. @throws RpcError if the node returns an error */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const [response] = await this.callAll([{ method, params }]);
    return resultOf(method, response);
  }

  /** The result of one call, which is not retried. @throws PostError if the node cannot be reached */
  async callOnce(method: string, params: readonly unknown[]): Promise<unknown> {
    const [response] = await this.#post([{ method, params }], this.#limiter.ticket(), 0);
    return resultOf(method, response);
  }

  /** The body of the response to one call, which is not retried: for what would take too long to parse at once. */
  async callForText(method: string, params: readonly unknown[]): Promise<string> {
    const release = await this.#limiter.acquire(this.#limiter.ticket(), this.#target.signal);
    try {
      return await postForText(this.#target, { method, params });
    } finally {
      release();
    }
  }

  /**
   * The responses, errors included, in the order of the requests. Transient failures are retried first, so an error is the node's final response.
   *
   * @throws PostError if the node cannot be reached
   */
  async callAll(requests: readonly RpcRequest[]): Promise<RpcResponse[]> {
    const ticket = this.#limiter.ticket();
    const batches: Promise<RpcResponse[]>[] = [];
    const size = this.#size.current;
    for (let from = 0; from < requests.length; from += size)
      batches.push(this.#ask(requests.slice(from, from + size), ticket, 0));
    return (await Promise.all(batches)).flat();
  }

  /** The responses to one batch, in its order; parts of it may be requested again. */
  async #ask(
    requests: readonly RpcRequest[],
    ticket: number,
    retry: number,
  ): Promise<RpcResponse[]> {
    let received: (RpcResponse | undefined)[];
    try {
      received = await this.#post(requests, ticket, retry);
    } catch (error) {
      if (!(error instanceof PostError) || error.kind === "final") throw error;
      const halve = error.kind === "batch" && requests.length > 1;
      if (!halve) await this.#pause(error, retry);
      return await this.#askInParts(requests, ticket, halve ? retry : retry + 1);
    }
    const again = requests.flatMap(({ method }, index) =>
      isTransient(received[index], method) ? [index] : [],
    );
    const tooMuch = requests.length > 1 && again.some((index) => isTooMuch(received[index]));
    if (tooMuch) this.#size.refused(requests.length);
    if (again.length > 0 && (tooMuch || retry < this.#retries)) {
      // A smaller batch is another request: it need not wait, nor count as a retry.
      if (!tooMuch) await this.#pause(firstFailure(requests, received, again), retry);
      const repeated = await this.#askInParts(
        again.flatMap((index) => requests[index] ?? []),
        ticket,
        tooMuch ? retry : retry + 1,
      );
      again.forEach((index, at) => {
        received[index] = repeated[at];
      });
    }
    return received.map((response) => response ?? { error: NO_RESPONSE });
  }

  /** The batch again, in parts of the size that now goes. */
  async #askInParts(requests: readonly RpcRequest[], ticket: number, retry: number) {
    const size = this.#size.current;
    const responses: RpcResponse[] = [];
    for (let from = 0; from < requests.length; from += size)
      responses.push(...(await this.#ask(requests.slice(from, from + size), ticket, retry)));
    return responses;
  }

  async #post(requests: readonly RpcRequest[], ticket: number, retry: number) {
    const release = await this.#limiter.acquire(ticket, this.#target.signal);
    try {
      const responses = await post(this.#target, requests);
      this.#size.succeeded(requests.length);
      return responses;
    } catch (error) {
      if (error instanceof PostError) this.#adapt(error, requests.length, retry);
      throw error;
    } finally {
      release();
    }
  }

  #adapt(error: PostError, size: number, retry: number): void {
    if (error.kind === "batch") this.#size.refused(size);
    else if (error.rateLimited) this.#limiter.pauseFor(error.retryAfter ?? this.#retryDelay);
    // What fails twice may be too much at once.
    else if (retry > 0) this.#size.failed(size);
  }

  /** Waits before a retry. @throws the error if there have been enough */
  async #pause(error: Error, retry: number): Promise<void> {
    if (retry >= this.#retries) throw error;
    this.#onRetry(error);
    const asked = error instanceof PostError ? error.retryAfter : undefined;
    const pause = Math.min(MAX_PAUSE, this.#retryDelay * 2 ** retry);
    await sleep(asked ?? pause, this.#target.signal);
  }
}

/** What a request gets that the node left out of its batch, again and again. */
const NO_RESPONSE = { message: "the node left the request out of its response" };

const isTransient = (response: RpcResponse | undefined, method: string): boolean =>
  response === undefined ||
  // Whoever sends a transaction waits, and the reasons to refuse one, such as a lack of funds, do not pass.
  ("error" in response &&
    method !== "eth_sendTransaction" &&
    kindOf(response.error) === "transient");

/** Whether a call failed for the size of its batch: geth answers the first calls, and the others like this. */
const isTooMuch = (response: RpcResponse | undefined): boolean =>
  response !== undefined &&
  "error" in response &&
  kindOf(response.error) === "transient" &&
  /response (is )?too (large|big)|request timed out/i.test(response.error.message);

function firstFailure(
  requests: readonly RpcRequest[],
  received: readonly (RpcResponse | undefined)[],
  [index = 0]: readonly number[],
): RpcError {
  const response = received[index];
  const error = response !== undefined && "error" in response ? response.error : NO_RESPONSE;
  return new RpcError(requests[index]?.method ?? "", error);
}

/** The result in a response. @throws RpcError if it is an error */
export function resultOf(method: string, response: RpcResponse | undefined): unknown {
  if (response === undefined) throw new RpcError(method, NO_RESPONSE);
  if ("result" in response) return response.result;
  throw new RpcError(method, response.error);
}

/** How many calls go into one HTTP request: as many as the node takes, found by trying. */
class BatchSize {
  readonly #max: number;
  #ceiling: number;
  #size: number;

  constructor(max: number) {
    this.#max = Math.max(1, max);
    this.#ceiling = this.#max;
    this.#size = this.#max;
  }

  get current(): number {
    return this.#size;
  }

  /** The node refuses a batch of this size: no batch is as large again. */
  refused(size: number): void {
    this.#ceiling = Math.max(1, Math.min(this.#ceiling, size - 1));
    this.#size = Math.max(1, Math.min(this.#size, Math.floor(size / 2)));
  }

  /** A batch of this size failed, perhaps for its size. */
  failed(size: number): void {
    this.#size = Math.max(1, Math.min(this.#size, Math.floor(size / 2)));
  }

  /** The node responded to a batch of this size. */
  succeeded(size: number): void {
    if (size >= this.#size) this.#size = Math.min(this.#ceiling, this.#size * 2);
  }
}

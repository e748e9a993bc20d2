// A JSON-RPC client for an Ethereum node, with adaptive batches and retries.
import { sleep } from "../../../src/http/abort.ts";
import { RateLimiter } from "../../../src/http/rate-limiter.ts";
import { nodeAddress } from "./address.ts";
import { isTooMuch, type JsonRpcError, kindOf, RpcError } from "./errors.ts";
import {
  PostError,
  type PostTarget,
  post,
  postForText,
  type RpcRequest,
  type RpcResponse,
} from "./post.ts";

export interface RpcOptions {
  /**
   * Maximum number of calls in one HTTP request; fewer if the node refuses so many. Default 100.
   */
  readonly batch?: number | undefined;
  /**
   * Maximum number of concurrent HTTP requests; fewer while the node limits the rate. Default 4.
   */
  readonly concurrency?: number | undefined;
  /** Headers of every request, such as `{ authorization: "Bearer …" }`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests instead of the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds until a request times out. Default 60000. */
  readonly timeout?: number | undefined;
  /** Maximum size of a response in bytes, after decompression. Default 256 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Number of retries after a transient failure. Default 7, which takes some 15 seconds. */
  readonly retries?: number | undefined;
  /**
   * Milliseconds before the first retry; each further pause doubles, up to 5 seconds. Default 200.
   */
  readonly retryDelay?: number | undefined;
  /** Called for each transient failure, before the retry. */
  readonly onRetry?: ((error: Error) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MAX_PAUSE = 5_000;
/** Retries after which an unknown error is final, if the node answers other calls. */
const DECISIVE_RETRY = 4;
const PROBE: RpcRequest = { method: "eth_chainId", params: [] };
const METHOD_NOT_FOUND = -32601;
/** Maximum number of calls whose final errors are remembered. */
const MAX_REFUSALS = 10_000;

export class RpcNode {
  readonly #target: PostTarget;
  readonly #size: BatchSize;
  readonly #limiter: RateLimiter;
  readonly #retries: number;
  readonly #retryDelay: number;
  readonly #onRetry: (error: Error) => void;
  /** Final errors of calls. A call that fails in the same way again is not retried. */
  readonly #refusals = new Map<string, string>();

  constructor(url: string, options: RpcOptions = {}) {
    const address = nodeAddress(url, options.headers);
    this.#target = {
      ...address,
      headers: { "content-type": "application/json", ...address.headers },
      fetch: options.fetch ?? globalThis.fetch,
      timeout: options.timeout ?? 60_000,
      maxResponseBytes: options.maxResponseBytes ?? 2 ** 28,
      signal: options.signal ?? new AbortController().signal,
    };
    this.#size = new BatchSize(options.batch ?? 100);
    this.#limiter = new RateLimiter(options.concurrency ?? 4, undefined);
    this.#retries = options.retries ?? 7;
    this.#retryDelay = options.retryDelay ?? 200;
    this.#onRetry = options.onRetry ?? (() => {});
  }

  /** Returns the result of one call. @throws RpcError if the node returns an error */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const [response] = await this.callAll([{ method, params }]);
    return resultOf(method, response);
  }

  /**
   * Returns the result of one call, without retries.
   *
   * @throws PostError if the node cannot be reached
   */
  async callOnce(method: string, params: readonly unknown[]): Promise<unknown> {
    const [response] = await this.#post([{ method, params }], this.#limiter.ticket(), 0);
    return resultOf(method, response);
  }

  /**
   * Returns the raw body of the response to one call, without retries, for bodies too large to
   * parse.
   */
  async callForText(method: string, params: readonly unknown[]): Promise<string> {
    const release = await this.#limiter.acquire(this.#limiter.ticket(), this.#target.signal);
    try {
      return await postForText(this.#target, { method, params });
    } finally {
      release();
    }
  }

  /**
   * Returns the responses, errors included, in the order of the requests. Retries transient
   * failures, so an error is the node's final response.
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

  /** Sends one batch. Returns the responses in its order, after retries of some of its calls. */
  async #ask(
    requests: readonly RpcRequest[],
    ticket: number,
    retry: number,
  ): Promise<RpcResponse[]> {
    let received: (RpcResponse | undefined)[];
    try {
      received = await this.#post(requests, ticket, retry);
    } catch (error) {
      if (!(error instanceof PostError)) throw error;
      if (error.kind === "final") return await this.#askApart(requests, ticket, error);
      const halve = error.kind === "batch" && requests.length > 1;
      if (!halve) await this.#pause(error, retry);
      return await this.#askInParts(requests, ticket, halve ? retry : retry + 1);
    }
    let open = this.#openIn(requests, received);
    const isTooLarge =
      requests.length > 1 &&
      open.some((index) => {
        const error = errorIn(received[index]);
        return error !== undefined && isTooMuch(error);
      });
    if (isTooLarge) this.#size.refused(requests.length);
    else if (retry >= DECISIVE_RETRY && open.length > 0) {
      const isAlive = await this.#probe();
      open = open.filter((index) => !(isAlive && this.#refuse(requests, received, index)));
    }
    if (open.length > 0 && (isTooLarge || retry < this.#retries)) {
      // A smaller batch is another request, so it neither waits nor counts as a retry.
      if (!isTooLarge) await this.#pause(firstFailure(requests, received, open), retry);
      const repeated = await this.#askInParts(
        open.flatMap((index) => requests[index] ?? []),
        ticket,
        isTooLarge ? retry : retry + 1,
      );
      open.forEach((index, at) => {
        received[index] = repeated[at];
      });
    }
    return received.map((response) => response ?? { error: NO_RESPONSE });
  }

  // Finds out which calls are refused: a gateway may refuse one method as if the key were wrong.
  // @throws PostError if the node refuses all of them
  async #askApart(
    requests: readonly RpcRequest[],
    ticket: number,
    refusal: PostError,
  ): Promise<RpcResponse[]> {
    const isProbe = requests.every(({ method }) => method === PROBE.method);
    if (isProbe || !(await this.#probe())) throw refusal;
    const methods = [...new Set(requests.map(({ method }) => method))];
    if (methods.length === 1)
      return requests.map(() => ({ error: { code: METHOD_NOT_FOUND, message: refusal.message } }));
    const byMethod = new Map<string, RpcResponse[]>();
    for (const method of methods) {
      const ofMethod = requests.filter((request) => request.method === method);
      byMethod.set(method, await this.#ask(ofMethod, ticket, 0));
    }
    return requests.map(({ method }) => byMethod.get(method)?.shift() ?? { error: NO_RESPONSE });
  }

  /** Returns the positions of the calls to repeat. Marks repeated final errors. */
  #openIn(
    requests: readonly RpcRequest[],
    received: (RpcResponse | undefined)[],
  ): readonly number[] {
    return [...requests.keys()].filter((index) => {
      const { method, params } = requests[index] ?? PROBE;
      const response = received[index];
      const error = errorIn(response);
      if (error === undefined) {
        this.#refusals.delete(keyOf({ method, params }));
        return response === undefined;
      }
      // Never retries `eth_sendTransaction`: a rejection such as insufficient funds is final.
      if (method === "eth_sendTransaction") return false;
      const kind = kindOf(error);
      if (kind === "transient" && this.#refusals.get(keyOf({ method, params })) === textOf(error))
        return !this.#refuse(requests, received, index);
      return kind === "overload" || kind === "transient";
    });
  }

  /** Marks an unknown error as final. Returns whether the response is such an error. */
  #refuse(
    requests: readonly RpcRequest[],
    received: (RpcResponse | undefined)[],
    index: number,
  ): boolean {
    const error = errorIn(received[index]);
    if (error === undefined || kindOf(error) !== "transient") return false;
    if (this.#refusals.size >= MAX_REFUSALS) this.#refusals.clear();
    this.#refusals.set(keyOf(requests[index] ?? PROBE), textOf(error));
    received[index] = { error: { ...error, isForGood: true } };
    return true;
  }

  /** Sends a call that any node answers. Returns whether it does. */
  async #probe(): Promise<boolean> {
    const [response] = await post(this.#target, [PROBE]).catch(() => []);
    return response !== undefined && "result" in response;
  }

  /** Sends a batch again, in parts of the current size. */
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
    // A batch that fails twice may be too large.
    else if (retry > 0) this.#size.failed(size);
  }

  /** Waits before a retry. @throws the error if there were enough retries */
  async #pause(error: Error, retry: number): Promise<void> {
    if (retry >= this.#retries && error instanceof PostError) throw error;
    this.#onRetry(error);
    const requestedPause = error instanceof PostError ? error.retryAfter : undefined;
    const pause = Math.min(MAX_PAUSE, this.#retryDelay * 2 ** retry);
    await sleep(requestedPause ?? pause, this.#target.signal);
  }
}

/** Cache key of a call, without its block. */
const keyOf = ({ method, params: [subject] }: RpcRequest): string =>
  `${method} ${JSON.stringify(subject)}`;

const NO_RESPONSE = { message: "the node left the request out of its response" };

const errorIn = (response: RpcResponse | undefined): JsonRpcError | undefined =>
  response !== undefined && "error" in response ? response.error : undefined;

/** Message of an error without its numbers, because times and ids differ. */
const textOf = ({ message }: JsonRpcError): string => message.replaceAll(/0x[0-9a-f]+|\d+/gi, "#");

const firstFailure = (
  requests: readonly RpcRequest[],
  received: readonly (RpcResponse | undefined)[],
  [index = 0]: readonly number[],
): RpcError => new RpcError(requests[index]?.method ?? "", errorIn(received[index]) ?? NO_RESPONSE);

/** The result in a response. @throws RpcError if it is an error */
export function resultOf(method: string, response: RpcResponse | undefined): unknown {
  if (response === undefined) throw new RpcError(method, NO_RESPONSE);
  if ("result" in response) return response.result;
  throw new RpcError(method, response.error);
}

/** The number of calls in one HTTP request: as many as the node accepts, found by trying. */
class BatchSize {
  #ceiling: number;
  #size: number;

  constructor(max: number) {
    this.#ceiling = max;
    this.#size = max;
  }

  get current(): number {
    return this.#size;
  }

  /** Notes that the node refuses a batch of this size, so that no later batch is as large. */
  refused(size: number): void {
    this.#ceiling = Math.max(1, Math.min(this.#ceiling, size - 1));
    this.failed(size);
  }

  failed(size: number): void {
    this.#size = Math.max(1, Math.min(this.#size, Math.floor(size / 2)));
  }

  /** Notes that the node responded to a batch of this size. */
  succeeded(size: number): void {
    if (size >= this.#size) this.#size = Math.min(this.#ceiling, this.#size * 2);
  }
}

// A JSON-RPC client for an Ethereum node: single calls and batches.
import * as z from "zod/mini";
import { withLocation } from "./ingest-error.ts";
import { read } from "./read.ts";
import { anything } from "./values.ts";

export type RpcRequest = {
  readonly method: string;
  readonly params: readonly unknown[];
};

/** An error that the node returned. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly method: string;
  readonly code: number | undefined;

  constructor(method: string, code: number | undefined, message: string) {
    super(
      `the node returned an error for ${method}: ${message}${code === undefined ? "" : ` (${code})`}`,
    );
    this.method = method;
    this.code = code;
  }
}

/** An error in a response; unknown fields are kept. */
const errorSchema = z.looseObject({ code: z.optional(z.number()), message: z.string() });

/** A response; an error about a batch as a whole has no id. */
const responseSchema = z.object({
  id: anything,
  result: anything,
  error: z.nullish(errorSchema),
});
const responsesSchema = z.union([z.array(responseSchema), responseSchema]);

/** The response to one request. */
export type RpcResponse =
  | { readonly result: unknown }
  | { readonly error: z.output<typeof errorSchema> };

export interface RpcOptions {
  /** Requests in one HTTP call. Default 100. */
  readonly batch?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds until a call times out. Default 60000. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A node at an address. */
export class RpcNode {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #batch: number;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeout: number;
  readonly #signal: AbortSignal | undefined;

  constructor(url: string, options: RpcOptions = {}) {
    const { username, password } = new URL(url);
    this.#url = withoutUser(url);
    this.#headers = {
      "content-type": "application/json",
      // fetch rejects a URL with credentials.
      ...(username === "" ? {} : { authorization: `Basic ${btoa(`${username}:${password}`)}` }),
    };
    this.#batch = options.batch ?? 100;
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#timeout = options.timeout ?? 60_000;
    this.#signal = options.signal;
  }

  /** The result of one call. @throws RpcError if the node returns an error */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const [response] = await this.callAll([{ method, params }]);
    return resultOf(method, response);
  }

  /** The responses, errors included, in the order of the requests. */
  async callAll(requests: readonly RpcRequest[]): Promise<RpcResponse[]> {
    const responses: RpcResponse[] = [];
    for (let from = 0; from < requests.length; from += this.#batch) {
      responses.push(...(await this.#post(requests.slice(from, from + this.#batch))));
    }
    return responses;
  }

  async #post(requests: readonly RpcRequest[]): Promise<RpcResponse[]> {
    const calls = requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request }));
    // Not every node accepts a batch of one.
    const response = await this.#send(JSON.stringify(calls.length === 1 ? calls[0] : calls));
    if (!response.ok) {
      throw new Error(
        `expected a JSON-RPC response from ${shownUrl(this.#url)}, received HTTP ${response.status}`,
      );
    }
    const body: unknown = await response.json();
    const responses = withLocation(
      () => ({ file: `the response of ${shownUrl(this.#url)}` }),
      () => [read(responsesSchema, body)].flat(),
    );
    const byId = new Map(responses.map((one) => [one.id, one]));
    return requests.map(({ method }, id) => {
      const found = byId.get(id) ?? responses.find(({ error, id }) => error && id === null);
      if (found === undefined) throw new Error(`the node did not respond to ${method}`);
      return found.error ? { error: found.error } : { result: found.result };
    });
  }

  async #send(body: string): Promise<Response> {
    const timeout = AbortSignal.timeout(this.#timeout);
    const signal = this.#signal === undefined ? timeout : AbortSignal.any([timeout, this.#signal]);
    try {
      return await this.#fetch(this.#url, {
        method: "POST",
        headers: this.#headers,
        body,
        signal,
      });
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw new Error(`cannot reach the node at ${shownUrl(this.#url)}: ${causeOf(error)}`, {
        cause: error,
      });
    }
  }
}

function withoutUser(url: string): string {
  const address = new URL(url);
  address.username = "";
  address.password = "";
  return address.href;
}

/** The URL without parts that may be secret: credentials, path (which may contain a key) and query. */
function shownUrl(url: string): string {
  return new URL(url).origin;
}

/** The result in a response. @throws RpcError if it is an error */
export function resultOf(method: string, response: RpcResponse | undefined): unknown {
  if (response === undefined) throw new Error(`the node did not respond to ${method}`);
  if ("result" in response) return response.result;
  const { code, message } = response.error;
  throw new RpcError(method, code, message);
}

/** The cause of a failed fetch, which its own message lacks. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

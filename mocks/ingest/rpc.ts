// Speaks JSON-RPC with an Ethereum node: single calls and batches.
import * as z from "zod/mini";
import { placed } from "./ingest-error.ts";
import { read } from "./read.ts";
import { anything } from "./values.ts";

export type RpcRequest = {
  readonly method: string;
  readonly params: readonly unknown[];
};

/** A node's own error in answer to a call. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly method: string;
  readonly code: number | undefined;

  constructor(method: string, code: number | undefined, message: string) {
    super(`the node refused ${method}: ${message}${code === undefined ? "" : ` (${code})`}`);
    this.method = method;
    this.code = code;
  }
}

/** A node's own error: what else it says of it is kept. */
const errorSchema = z.looseObject({ code: z.optional(z.number()), message: z.string() });

/** What comes over the wire; the error of a batch as a whole has no id. */
const responseSchema = z.object({
  id: anything,
  result: anything,
  error: z.nullish(errorSchema),
});
const responsesSchema = z.union([z.array(responseSchema), responseSchema]);

/** What came for one request of a batch: either of the two. */
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: z.output<typeof errorSchema> };

export interface RpcOptions {
  /** Requests in one HTTP call. Default 100. */
  readonly batch?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds until a call is given up. Default 60000. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A node's address with what it takes to ask it. */
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
      // fetch refuses an address that names a user.
      ...(username === "" ? {} : { authorization: `Basic ${btoa(`${username}:${password}`)}` }),
    };
    this.#batch = options.batch ?? 100;
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#timeout = options.timeout ?? 60_000;
    this.#signal = options.signal;
  }

  /** One result; the node's error is thrown as an RpcError. */
  async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const [answer] = await this.askAll([{ method, params }]);
    return resultOf(method, answer);
  }

  /** The answers in the order of the requests, errors among them. */
  async askAll(requests: readonly RpcRequest[]): Promise<RpcAnswer[]> {
    const answers: RpcAnswer[] = [];
    for (let from = 0; from < requests.length; from += this.#batch) {
      answers.push(...(await this.#post(requests.slice(from, from + this.#batch))));
    }
    return answers;
  }

  async #post(requests: readonly RpcRequest[]): Promise<RpcAnswer[]> {
    const calls = requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request }));
    // Not every node takes a batch of one.
    const response = await this.#send(JSON.stringify(calls.length === 1 ? calls[0] : calls));
    if (!response.ok) {
      throw new Error(
        `expected a JSON-RPC answer of ${shownUrl(this.#url)}, got HTTP ${response.status}`,
      );
    }
    const body: unknown = await response.json();
    const answers = placed(
      () => ({ file: `the answer of ${shownUrl(this.#url)}` }),
      () => [read(responsesSchema, body)].flat(),
    );
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    return requests.map(({ method }, id) => {
      const answer = byId.get(id) ?? answers.find(({ error, id }) => error && id === null);
      if (answer === undefined) throw new Error(`the node gave no answer to ${method}`);
      return answer.error ? { error: answer.error } : { result: answer.result };
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
      throw new Error(`the node at ${shownUrl(this.#url)} cannot be reached: ${causeOf(error)}`, {
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

/** The node's address without what may be secret in it: user, password, path (where keys stand) and query. */
function shownUrl(url: string): string {
  return new URL(url).origin;
}

/** The result of an answer; the node's error is thrown as an RpcError. */
export function resultOf(method: string, answer: RpcAnswer | undefined): unknown {
  if (answer === undefined) throw new Error(`the node gave no answer to ${method}`);
  if ("result" in answer) return answer.result;
  const { code, message } = answer.error;
  throw new RpcError(method, code, message);
}

/** What a failed fetch failed of: its own message does not say. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

// JSON-RPC over a websocket, as a fetch function, with a subscription to new heads; it reconnects with the next request.

import * as z from "zod/mini";
import { check } from "../../../../src/models/issues.ts";
import { jsonIn } from "../../../../src/models/json.ts";
import { anything } from "../../../double/sources/ingest/node-schemas.ts";
import { withoutUser } from "./http.ts";

export interface NodeSocketOptions {
  /** Called with each connection, before any request is sent on it. */
  readonly onConnect: () => void;
  /** Called for each new head, and with each connection that has subscribed to them. */
  readonly onHead: () => void;
  /** Closes the connection. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly resolve: (message: object) => void;
  readonly reject: (error: unknown) => void;
}

const messageSchema = z.looseObject({ id: anything, method: anything, error: anything });
const callsSchema = z.union([
  z.array(z.looseObject({ id: anything })),
  z.looseObject({ id: anything }),
]);

export class NodeSocket {
  readonly #url: string;
  readonly #options: NodeSocketOptions;
  readonly #waiting = new Map<number, Waiting>();
  #socket: Promise<WebSocket> | undefined;
  #lastId = 0;
  #subscribed = false;

  constructor(url: string, options: NodeSocketOptions) {
    this.#url = withoutUser(url);
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#close(), { once: true });
  }

  /** Whether the node announces new heads on the connection there is. */
  get subscribed(): boolean {
    return this.#subscribed;
  }

  /** Sends the calls in the body one by one, with ids of their own. */
  readonly fetch: typeof globalThis.fetch = async (_, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = check(callsSchema, JSON.parse(String(init?.body))).value;
    const calls = body === undefined ? [] : [body].flat();
    const socket = await this.#connected(headers);
    const signal = init?.signal ?? this.#options.signal;
    const responses = await Promise.all(
      calls.map(async (call) => ({ ...(await this.#ask(socket, call, signal)), id: call.id })),
    );
    return Response.json(Array.isArray(body) ? responses : responses[0]);
  };

  #connected(headers: Readonly<Record<string, string>>): Promise<WebSocket> {
    this.#options.signal.throwIfAborted();
    this.#socket ??= this.#connect(headers);
    return this.#socket;
  }

  async #connect(headers: Readonly<Record<string, string>>): Promise<WebSocket> {
    const { "content-type": _, ...own } = headers;
    // Node's own takes headers, which the standard's types do not know.
    const socket: WebSocket = Reflect.construct(WebSocket, [this.#url, { headers: own }]);
    socket.addEventListener("message", ({ data }) => this.#receive(data));
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("close", () => {
        const error = lost();
        reject(error);
        this.#lose(error);
      });
      socket.addEventListener("error", () => {});
    });
    this.#options.onConnect();
    void this.#subscribe(socket);
    return socket;
  }

  async #subscribe(socket: WebSocket): Promise<void> {
    const call = { jsonrpc: "2.0", method: "eth_subscribe", params: ["newHeads"] };
    const { error } = await this.#ask(socket, call, this.#options.signal).catch((error) => ({
      error,
    }));
    // A node without subscriptions is polled.
    this.#subscribed = error === undefined && socket.readyState === WebSocket.OPEN;
    // The blocks mined between the last poll and now.
    if (this.#subscribed) this.#options.onHead();
  }

  #ask(socket: WebSocket, call: object, signal: AbortSignal): Promise<Record<string, unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const give = () => {
        this.#waiting.delete(id);
        reject(signal.reason);
      };
      const done = () => {
        signal.removeEventListener("abort", give);
        this.#waiting.delete(id);
      };
      this.#waiting.set(id, {
        resolve: (message) => {
          done();
          resolve({ ...message });
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      signal.addEventListener("abort", give, { once: true });
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ ...call, id }));
      else this.#waiting.get(id)?.reject(lost());
    });
  }

  #receive(data: unknown): void {
    for (const one of [jsonIn(String(data))].flat()) {
      const { value: message } = check(messageSchema, one);
      if (message === undefined) continue;
      if (message.method === "eth_subscription") this.#options.onHead();
      else if (typeof message.id === "number") this.#waiting.get(message.id)?.resolve(message);
    }
  }

  #lose(error: Error): void {
    this.#socket = undefined;
    this.#subscribed = false;
    for (const { reject } of [...this.#waiting.values()]) reject(error);
  }

  #close(): void {
    this.#socket?.then(
      (socket) => socket.close(),
      () => {},
    );
  }
}

const lost = () => new TypeError("fetch failed", { cause: new Error("the websocket is closed") });

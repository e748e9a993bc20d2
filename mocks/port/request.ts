// A request of node:http as the service reads it.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "../message/api.ts";
import { MAX_BODY_BYTES, type ServiceRequest } from "../message/message.ts";
import { abortSignalOf } from "./send.ts";

/** The client closed the connection before the end of its request: nobody waits for a response. */
export class ConnectionClosed extends Error {
  override readonly name = "ConnectionClosed";
}

/**
 * Maximum bytes of all bodies being read. One may have 1.5 MiB, and thousands may arrive at once.
 */
export const MAX_BODIES_BYTES = 64 * 2 ** 20;

let bodies = 0;

/** The bytes of the bodies being read. */
export const bodiesBytes = (): number => bodies;

/**
 * Reads a body until it is too large. Drops the rest as it arrives, because a client reads the
 * response only after it has sent everything.
 */
const bodyOf = (request: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isDone = false;
    const finish = (settle: () => void) => {
      if (isDone) return;
      isDone = true;
      bodies -= length;
      settle();
    };
    request.on("data", (chunk: Buffer) => {
      if (isDone) return;
      chunks.push(chunk);
      length += chunk.length;
      bodies += chunk.length;
      if (length > MAX_BODY_BYTES) finish(() => resolve(Buffer.concat(chunks)));
      else if (bodies > MAX_BODIES_BYTES) finish(() => reject(tooManyBodies()));
    });
    request.on("end", () => finish(() => resolve(Buffer.concat(chunks))));
    request.on("close", () => finish(() => reject(new ConnectionClosed())));
  });

const tooManyBodies = () =>
  new ServiceError(
    503,
    `the bodies of all requests: expected at most ${MAX_BODIES_BYTES} bytes at a time, received more`,
    null,
    { "retry-after": "1" },
  );

/**
 * Returns host and target of a request. A client that takes the port for a proxy sends a whole URL,
 * whose host replaces the header's.
 */
export function addressOf({ url = "/", headers, httpVersion }: IncomingMessage): {
  /** Undefined without a Host header, which only HTTP/1.0 allows. */
  readonly host: string | undefined;
  readonly target: string;
} {
  const host = headers.host ?? (httpVersion === "1.0" ? undefined : "");
  if (url.startsWith("/")) return { host, target: url };
  const [whole, authority, rest = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (whole === undefined) return { host, target: url };
  return { host: authority, target: rest.startsWith("/") ? rest : `/${rest}` };
}

export class IncomingRequest implements ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #body: Uint8Array | undefined;

  constructor(target: string, request: IncomingMessage, response: ServerResponse) {
    this.method = request.method ?? "GET";
    this.target = target;
    this.headers = request.headers;
    this.#request = request;
    this.#response = response;
  }

  /** Undefined until it is read. */
  get body(): Uint8Array | undefined {
    return this.#body;
  }

  get hasBody(): boolean {
    const { "transfer-encoding": coding, "content-length": length = "0" } = this.headers;
    return coding !== undefined || length !== "0";
  }

  async readBody(): Promise<void> {
    this.#body = await bodyOf(this.#request);
  }

  /** Created on demand, because few responses wait. */
  get signal(): AbortSignal {
    return abortSignalOf(this.#response);
  }
}

// The HTTP server: node:http over the dispatcher, without MSW and without a framework.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Explorer } from "../explorer.ts";
import {
  errorResponse,
  maxBodyBytes,
  type ServiceRequest,
  type ServiceResponse,
} from "../message.ts";
import { delay } from "../transports/timing.ts";
import { createAdmin } from "./admin.ts";

/** The options of {@link serveExplorer}. */
export interface ServeOptions {
  /** 0 picks a free port. @default 0 */
  readonly port?: number | undefined;
  /** @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** Lets other processes reset, restore, mine, add faults and read the journal under `/admin/`. @default false */
  readonly admin?: boolean | undefined;
}

/** An explorer on a port. */
export interface ServedExplorer {
  readonly explorer: Explorer;
  /** `http://127.0.0.1:49152`, for the client's `baseUrl`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting connections and ends after the pending responses; after `graceMs` (2000) it closes the connections that remain. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Open to every page (S19). */
const openCors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
} as const;

/** The headers of the response to a CORS preflight. */
const preflight = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> => ({
  ...openCors,
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers":
    headers["access-control-request-headers"] ?? "api-key, content-type",
  "access-control-max-age": "86400",
});

/** The body, or enough of it to see that it is too large; the rest is read and dropped, so that the client gets the response. */
const bodyOf = (request: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      if (length > maxBodyBytes) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBodyBytes) resolve(Buffer.concat(chunks));
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("close", () => reject(new Error("the client closed the connection")));
  });

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/** Aborts when the connection closes. */
function abortSignalOf(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  return closed.signal;
}

/** Sends a response, as its delivery demands. */
async function send(response: ServerResponse, message: ServiceResponse): Promise<void> {
  const { status, headers, body, delivery } = message;
  if (delivery?.kind === "never") return;
  if (delivery?.kind === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  // Only the response to a preflight has no body, and it has its own headers.
  if (status === 204) {
    response.writeHead(status, headers).end();
    return;
  }
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, ...openCors, "content-length": length });
  if (delivery === undefined) {
    // A string leaves in one packet with its headers.
    response.end(body);
    return;
  }
  const bytes = Buffer.from(body);
  if (delivery.kind === "truncated") {
    response.write(bytes.subarray(0, delivery.bytes), () => response.socket?.end());
    response.flushHeaders();
    return;
  }
  const signal = abortSignalOf(response);
  for (let sent = 0; sent < bytes.length && !response.destroyed; sent += delivery.bytes) {
    if (sent > 0) await delay(delivery.everyMs, signal);
    response.write(bytes.subarray(sent, sent + delivery.bytes));
  }
  response.end();
}

/** Responds to invalid HTTP with an envelope, while the connection is writable. */
function answerParseError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const timedOut = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const [status, text] = tooLarge
    ? [431, "Request Header Fields Too Large"]
    : timedOut
      ? [408, "Request Timeout"]
      : [400, "Bad Request"];
  // The parser's reason.
  const { reason = text.toLowerCase() } = error as { readonly reason?: string };
  const { body } = errorResponse(status, `request: ${reason}`);
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json\r\naccess-control-allow-origin: *\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** The response to a request outside the service: CORS preflight and health check. */
function systemRoutes(explorer: Explorer, request: IncomingMessage): ServiceResponse | undefined {
  if (request.method === "OPTIONS" && request.headers["access-control-request-method"])
    return { status: 204, headers: preflight(request.headers), body: "" };
  if (request.url === "/health")
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ status: "ok", head: `${explorer.chain.head.number}` }),
    };
  return undefined;
}

/** A request of node:http as the service reads it. */
class IncomingRequest implements ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array | undefined;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, body: Uint8Array | undefined) {
    this.method = request.method ?? "GET";
    this.target = request.url ?? "/";
    this.headers = request.headers;
    this.body = body;
    this.#response = response;
  }

  /** Created on demand: few responses wait. */
  get signal(): AbortSignal {
    return abortSignalOf(this.#response);
  }
}

type Responder = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function createResponder(explorer: Explorer, withAdmin: boolean): Responder {
  const admin = withAdmin ? createAdmin(explorer) : undefined;
  return async (request, response) => {
    const system = systemRoutes(explorer, request);
    if (system !== undefined) return send(response, system);
    const body = hasBody(request) ? await bodyOf(request) : undefined;
    const incoming = new IncomingRequest(request, response, body);
    return send(response, admin?.(incoming) ?? (await explorer.dispatch(incoming)));
  };
}

/**
 * Serves an explorer on a port.
 *
 * @example
 * ```ts
 * const served = await serveExplorer(createExplorer({ chain }));
 * const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any" });
 * await served.close();
 * ```
 */
export async function serveExplorer(
  explorer: Explorer,
  { port = 0, host = "127.0.0.1", admin = false }: ServeOptions = {},
): Promise<ServedExplorer> {
  explorer.faults.attach("http");
  const respond = createResponder(explorer, admin);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
      // No wait for a body where there is none: it saves a tenth of the time of a small response.
      optimizeEmptyRequests: true,
    },
    (request, response) => {
      respond(request, response).catch(() => response.destroy());
    },
  );
  server.on("clientError", answerParseError);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    explorer,
    url: `http://${name}:${address.port}`,
    port: address.port,
    close: (options) => closeServer(server, options?.graceMs),
  };
}

const closeServer = (server: Server, graceMs = 2000): Promise<void> =>
  new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    // A keep-alive connection becomes idle after its last response.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });

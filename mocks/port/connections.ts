// Limits connections, serves their requests one at a time, and answers input that is not HTTP with
// an envelope.
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { pauseIfBusy } from "../message/event-loop.ts";
import { errorResponse, type ServiceResponse } from "../message/message.ts";
import { openCors } from "./send.ts";

/** The documented limits. Node checks them every second. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // The service refuses requests without this header, because Node would refuse them without an
  // envelope.
  requireHostHeader: false,
  // Node does not wait for the body of a GET, which saves a tenth of the time of a small response.
  optimizeEmptyRequests: true,
} as const satisfies ServerOptions;

/** Number of requests on one connection; the last response says `connection: close`. */
export const MAX_REQUESTS = 100_000;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

interface Pipeline {
  /** The last response of the connection, in progress or waiting. */
  last: ServerResponse;
  /** Number of pipelined requests that wait. */
  waiting: number;
}

/** Creates the server of a port, which serves the requests of a connection one after another. */
export function createConnections(serve: Serve, maxConnections: number): Server {
  const pipelines = new WeakMap<Duplex, Pipeline>();

  /** Stops reading while requests wait, so that no response is computed that nobody reads. */
  const serveInOrder: Serve = (request, response) => {
    const { socket } = request;
    const pipeline = pipelines.get(socket);
    if (pipeline === undefined) pipelines.set(socket, { last: response, waiting: 0 });
    if (pipeline === undefined || pipeline.last.closed) {
      if (pipeline) pipeline.last = response;
      serveInTurn(request, response);
      return;
    }
    const before = pipeline.last;
    pipeline.last = response;
    pipeline.waiting += 1;
    socket.pause();
    before.once("close", () => {
      pipeline.waiting -= 1;
      if (socket.destroyed) return;
      if (pipeline.waiting === 0) socket.resume();
      // node:http resumes reading after each request.
      else socket.pause();
      // Ends the timeout of a response that was read slowly.
      socket.setTimeout(0);
      serveInTurn(request, response);
    });
  };

  /** Lets the event loop run between requests of many connections. `/health` does not wait. */
  const serveInTurn: Serve = (request, response) => {
    const turn = request.url === "/health" ? undefined : pauseIfBusy(true);
    if (turn) void turn.then(() => serve(request, response));
    else serve(request, response);
  };

  const server = createServer(limits, serveInOrder);
  server.maxRequestsPerSocket = MAX_REQUESTS;
  server.maxConnections = maxConnections;
  server.once("drop", () =>
    console.warn(
      `mrc-explorer: ${maxConnections} connections are open (maxConnections, --max-connections): further ones are closed`,
    ),
  );
  // Without a listener, node:http closes the connection without a word.
  server.on("connect", (_, socket) => end(socket, 405, "expected GET or POST, received CONNECT"));
  server.on("clientError", (error: ParseError, socket) => {
    // The parser reports every packet after the first error, too.
    if (failed.has(socket)) return;
    failed.add(socket);
    const last = pipelines.get(socket)?.last;
    // A request before it, if it is complete, gets its response first.
    if (last && !last.closed && last.req.complete) last.once("close", () => refuse(socket, error));
    else refuse(socket, error);
  });
  return server;
}

interface ParseError extends NodeJS.ErrnoException {
  /** The parser's explanation. */
  readonly reason?: string;
}

const failed = new WeakSet<Duplex>();

const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Milliseconds that a connection may stay half open after its last response. */
const LINGER_MS = 1000;

/** Responds to input that is not an HTTP request, and ends its connection. */
function refuse(socket: Duplex, { code = "", reason }: ParseError): void {
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statusByCode[code] ?? 400;
  end(socket, status, `request: ${reason ?? STATUS_CODES[status]?.toLowerCase()}`);
}

/** Sends an error as the last response of a connection. */
function end(socket: Duplex, status: number, message: string): void {
  const { headers, body }: ServiceResponse = errorResponse(status, message);
  const lines = Object.entries({
    ...headers,
    ...openCors,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

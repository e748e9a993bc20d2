// The connections of a port: how many are served at once, which ones wait, one request at a time for each, and input that is not HTTP.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { eventLoopTurn } from "../../double/service/event-loop.ts";
import { bodyText, errorResponse } from "../../double/service/message.ts";

/** How long a connection may stay half open once it has its last response. */
const LINGER_MS = 1000;

/** How long a response may wait for a reader that takes nothing of it. */
const WRITE_TIMEOUT_MS = 30_000;

/** Connections that wait for a place; they cost little, as nothing of them is read. */
export const MAX_WAITING = 4096;

interface ParseError extends NodeJS.ErrnoException {
  /** The parser's. */
  readonly reason?: string;
}

const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function responseTo({ code = "", reason }: ParseError): string {
  const status = statusByCode[code] ?? 400;
  const text = STATUS_CODES[status] ?? "";
  const body = bodyText(errorResponse(status, `request: ${reason ?? text.toLowerCase()}`).body);
  return [
    `HTTP/1.1 ${status} ${text}`,
    "content-type: application/json",
    "access-control-allow-origin: *",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly serve: Serve;
}

/** The state of a connection. */
class Line {
  readonly socket: Duplex;
  /** The response in work, or the last one. */
  current: ServerResponse | undefined;
  /** Pipelined requests after it, in order. */
  readonly waiting: Exchange[] = [];
  hasFailed = false;
  /** The bytes of its response that were taken at the last check, and when that changed last. */
  written = 0;
  stalledSince = 0;

  constructor(socket: Duplex) {
    this.socket = socket;
  }

  /** Serves a request when those before it have their responses. */
  take(exchange: Exchange): void {
    if (this.current === undefined || this.current.closed) {
      this.#begin(exchange);
      return;
    }
    if (this.waiting.push(exchange) === 1) this.current.once("close", () => this.#next());
    // Its requests are all here; more of them are read once these are served.
    this.socket.pause();
  }

  #begin({ request, response, serve }: Exchange): void {
    this.current = response;
    this.stalledSince = 0;
    serve(request, response);
  }

  #next(): void {
    const exchange = this.waiting.shift();
    if (exchange === undefined || this.socket.destroyed) return;
    if (this.waiting.length > 0) exchange.response.once("close", () => this.#next());
    else this.socket.resume();
    this.#begin(exchange);
  }

  /** Calls back once the complete requests so far have their responses. */
  afterComplete(done: () => void): void {
    const last = [this.current, ...this.waiting.map(({ response }) => response)].findLast(
      (response) => response && !response.closed && response.req.complete,
    );
    if (last === undefined) done();
    else last.once("close", done);
  }

  /** Ends the connection if nobody reads its response. */
  check(now: number): void {
    const { current } = this;
    if (current === undefined || !current.writableEnded || current.closed) return;
    const written = current.socket?.bytesWritten ?? 0;
    if (this.stalledSince === 0 || written !== this.written) {
      this.written = written;
      this.stalledSince = now;
    } else if (now - this.stalledSince >= WRITE_TIMEOUT_MS) this.socket.destroy();
  }
}

/** The connections of one server. */
export class Connections {
  readonly #server: Server;
  readonly #lines = new Map<Duplex, Line>();
  readonly #waiting = new Set<Socket>();
  #accept: (socket: Socket) => void = () => {};
  #max = Number.POSITIVE_INFINITY;
  #dropped = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(server: Server) {
    this.#server = server;
    this.#timer = setInterval(() => this.#check(), WRITE_TIMEOUT_MS / 10).unref();
    server.on("clientError", (error: ParseError, socket) => this.#answerError(error, socket));
  }

  /** Serves up to `max` at once. Up to `mayWait` more wait unread until others end; further ones are closed, with one warning. */
  limit(max: number, mayWait = MAX_WAITING): void {
    this.#max = max;
    const server = this.#server;
    const listeners = server.listeners("connection");
    server.removeAllListeners("connection");
    this.#accept = (socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on("connection", (socket: Socket) => this.#admit(socket));
    server.maxConnections = max + mayWait;
    server.on("drop", () => {
      if (this.#dropped++ > 0) return;
      console.warn(
        `mrc-explorer: more than ${max} connections are open and ${mayWait} wait (maxConnections, --max-connections): further ones are closed`,
      );
    });
  }

  #admit(socket: Socket): void {
    socket.once("close", () => {
      this.#waiting.delete(socket);
      this.#lines.delete(socket);
      this.#openNext();
    });
    // Thousands may come in one turn of the loop.
    const turn = eventLoopTurn();
    if (turn === undefined && this.#lines.size < this.#max) {
      this.#open(socket);
      return;
    }
    // A client that gives up while waiting is not a failure of the server.
    socket.on("error", () => socket.destroy());
    socket.pause();
    this.#waiting.add(socket);
    void turn?.then(() => this.#openNext());
  }

  /** Opens the connection that waits for longest, if there is a place. */
  #openNext(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#lines.size >= this.#max) return;
    const turn = eventLoopTurn();
    if (turn) {
      void turn.then(() => this.#openNext());
      return;
    }
    this.#waiting.delete(next);
    this.#open(next);
    next.resume();
  }

  #open(socket: Socket): void {
    this.#lines.set(socket, new Line(socket));
    this.#accept(socket);
  }

  /** Serves a request after those before it on its connection. */
  serve(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    this.#lineOf(request.socket).take({ request, response, serve });
  }

  /** Those that wait are no longer served. */
  close(): void {
    clearInterval(this.#timer);
    for (const socket of this.#waiting) socket.destroy();
  }

  #lineOf(socket: Duplex): Line {
    const known = this.#lines.get(socket);
    if (known !== undefined) return known;
    const line = new Line(socket);
    this.#lines.set(socket, line);
    return line;
  }

  #check(): void {
    const now = performance.now();
    for (const line of this.#lines.values()) line.check(now);
  }

  /** Responds to input that is not an HTTP request, after the responses to the valid requests before it. */
  #answerError(error: ParseError, socket: Duplex): void {
    const line = this.#lineOf(socket);
    // The parser reports every packet after the first error, too.
    if (line.hasFailed) return;
    line.hasFailed = true;
    if (error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    line.afterComplete(() => {
      if (!socket.writable) {
        socket.destroy();
        return;
      }
      socket.end(responseTo(error));
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    });
  }
}

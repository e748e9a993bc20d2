// Responds to what is no HTTP request, after the responses to the valid requests before it on the connection.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { errorResponse } from "../message.ts";

/** How long a connection may stay half open once it has its last response. */
const lingerMs = 1000;

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
  const { body } = errorResponse(status, `request: ${reason ?? text.toLowerCase()}`);
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

/** Listens to the requests and the errors of a server. */
export interface InvalidHttp {
  /** For every request: its response comes before that to an error behind it. */
  expectResponse(request: IncomingMessage, response: ServerResponse): void;
  /** For the event `clientError`. */
  answer(error: ParseError, socket: Duplex): void;
}

export function createInvalidHttp(): InvalidHttp {
  /** In order; those in front may have ended. */
  const pending = new WeakMap<Duplex, ServerResponse[]>();
  const failed = new WeakSet<Duplex>();

  function end(error: ParseError, socket: Duplex): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(responseTo(error));
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  return {
    expectResponse({ socket }, response) {
      const responses = pending.get(socket);
      if (responses === undefined) pending.set(socket, [response]);
      // Without pipelining, the one before has ended.
      else if (responses.length === 1 && responses[0]?.closed) responses[0] = response;
      else {
        while (responses[0]?.closed) responses.shift();
        responses.push(response);
      }
    },
    answer(error, socket) {
      // The parser reports every packet after the first error, too.
      if (failed.has(socket)) return;
      failed.add(socket);
      if (error.code === "ECONNRESET") {
        socket.destroy();
        return;
      }
      // One without the end of its request is the response to the error itself.
      const last = pending.get(socket)?.findLast(({ closed, req }) => !closed && req.complete);
      if (last === undefined) end(error, socket);
      else last.once("close", () => end(error, socket));
    },
  };
}

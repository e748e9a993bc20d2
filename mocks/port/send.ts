// Sends a response over node:http, as its delivery demands.
import type { ServerResponse } from "node:http";
import { delay } from "../message/event-loop.ts";
import { type Delivery, jsonHeaders, type ServiceResponse } from "../message/message.ts";
import { cors } from "../service/cors.ts";

/** Write timeout for clients that have stopped reading. */
const WRITE_TIMEOUT_MS = 30_000;

/** Keeps browsers from guessing another type, and from running data as a document of this origin. */
export const asData = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
} as const;

/** Lets every page read a response (S19). The admin API does not send these headers. */
export const openCors = { ...cors, ...asData } as const;

/** The headers of another server that are passed on, because they cannot affect this origin. */
const FOREIGN =
  /^(?:content-(?:type|language|disposition)|cache-control|expires|etag|last-modified|retry-after|allow|location|www-authenticate|internal-transactions|head-state|(?:x-)?rate-?limit[\w-]*|request-id|x-[\w-]+)$/;

/** A signal that aborts when the connection closes, or is aborted if it has closed before. */
export function abortSignalOf(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  if (response.closed || response.req.socket.destroyed) closed.abort();
  else response.once("close", () => closed.abort());
  return closed.signal;
}

/** Returns the headers by lower-case name, because a fault may spell them in any case. */
function headersOf(
  { status, headers: ownHeaders, isForeign }: ServiceResponse,
  added: ServiceResponse["headers"],
  length: number,
): Record<string, string> {
  const combined: Record<string, string> = {};
  for (const name of Object.keys(ownHeaders))
    if (!isForeign || FOREIGN.test(name)) combined[name.toLowerCase()] = ownHeaders[name] as string;
  Object.assign(combined, added);
  if (status === 204 || status === 304) return combined;
  const coding = combined["transfer-encoding"];
  if (coding === undefined) {
    combined["content-length"] = `${length}`;
    return combined;
  }
  // A body must not have both a length and a transfer coding (RFC 9112, 6.2). A body without chunks
  // ends with its connection.
  delete combined["content-length"];
  return /\bchunked\s*$/i.test(coding) ? combined : { ...combined, connection: "close" };
}

/**
 * The headers of almost every response: names and values in turn, and then the name
 * `content-length`.
 */
const usualHeaders = [...Object.entries({ ...jsonHeaders, ...openCors }).flat(), "content-length"];

/**
 * A body below this many UTF-16 units is sent as one string with its headers, because Node encodes
 * it on its stack.
 */
const LONG_BODY = 16 * 1024;

/** Sends a response with `added` headers. Returns a promise if that takes time. */
export function send(
  response: ServerResponse,
  message: ServiceResponse,
  added: ServiceResponse["headers"] = {},
): Promise<void> | undefined {
  const { status, headers, body, bytes: binaryBody, delivery } = message;
  if (delivery?.kind === "never") return;
  if (delivery?.kind === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const writeHead = (length: number) => {
    const isUsual = headers === jsonHeaders && added === openCors;
    response.writeHead(
      status,
      isUsual ? [...usualHeaders, `${length}`] : headersOf(message, added, length),
    );
  };
  if (delivery === undefined && !binaryBody && body.length < LONG_BODY) {
    const length = Buffer.byteLength(body);
    writeHead(length);
    // A string is sent in one packet with its headers; ASCII needs no encoding.
    response.end(body, length === body.length ? "latin1" : "utf8");
    return;
  }
  const bytes = binaryBody ?? Buffer.from(body);
  writeHead(bytes.length);
  if (delivery === undefined) {
    response.end(bytes);
    // The kernel almost always takes the whole body at once.
    if (response.socket?.writableLength !== 0) response.setTimeout(WRITE_TIMEOUT_MS);
    return;
  }
  if (delivery.kind === "truncated") {
    response.write(bytes.subarray(0, delivery.bytes), () => response.socket?.end());
    response.flushHeaders();
    return;
  }
  return drip(response, bytes, delivery);
}

/** Sends bytes a few at a time. */
async function drip(
  response: ServerResponse,
  bytes: Uint8Array,
  { bytes: step, everyMs }: Extract<Delivery, { kind: "drip" }>,
): Promise<void> {
  const signal = abortSignalOf(response);
  for (let sent = 0; sent < bytes.length && !response.destroyed; sent += step) {
    if (sent > 0) await delay(everyMs, signal);
    response.write(bytes.subarray(sent, sent + step));
  }
  response.end();
}

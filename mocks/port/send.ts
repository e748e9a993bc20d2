// Sends a response over node:http, as its delivery demands.
import type { ServerResponse } from "node:http";
import { delay, eventLoopTurn } from "../message/event-loop.ts";
import { bodyText, type Delivery, jsonHeaders, type ServiceResponse } from "../message/message.ts";

/** How long a response may wait for a reader that takes nothing of it. */
const WRITE_TIMEOUT_MS = 30_000;

/** A response is data, whoever wrote it: no browser takes it for something else, or runs it as a document of this origin. */
export const asData = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
} as const;

/** Open to every page (S19); the admin API is not. */
export const openCors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
  ...asData,
} as const;

/** The headers of another server that are passed on: no other could do something on this origin. */
const FOREIGN =
  /^(?:content-(?:type|language|disposition)|cache-control|expires|etag|last-modified|retry-after|allow|location|www-authenticate|internal-transactions|head-state|(?:x-)?rate-?limit[\w-]*|request-id|x-[\w-]+)$/;

/** Aborts when the connection closes. */
export function abortSignalOf(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  return closed.signal;
}

/** The headers by lower-case name: a fault may spell them as it likes. */
function headersOf(
  { status, headers: given, isForeign }: ServiceResponse,
  added: ServiceResponse["headers"],
  length: number,
): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of Object.keys(given))
    if (!isForeign || FOREIGN.test(name)) all[name.toLowerCase()] = given[name] as string;
  Object.assign(all, added);
  if (status === 204 || status === 304) return all;
  const coding = all["transfer-encoding"];
  if (coding === undefined) {
    all["content-length"] = `${length}`;
    return all;
  }
  // A length next to a transfer coding would end one body twice. Only chunks say where they end; otherwise the connection does.
  delete all["content-length"];
  return /\bchunked\s*$/i.test(coding) ? all : { ...all, connection: "close" };
}

/** The headers of almost every response, name and value in turn, up to the length. */
const usual = [...Object.entries({ ...jsonHeaders, ...openCors }).flat(), "content-length"];

/** In UTF-16 units: a shorter body is sent as one string with its headers, which Node encodes on its stack. */
const LONG_BODY = 16 * 1024;

/** A longer body is sent in parts, with turns for others in between. */
const HUGE_BODY = 2 ** 20;

/** The bytes of bodies that are sent again and again. */
const repeated = new WeakMap<object, Uint8Array>();

/** The bytes of a body. */
function bytesOf({ body, isRepeated }: ServiceResponse): Uint8Array {
  if (typeof body === "string") return Buffer.from(body);
  const known = repeated.get(body);
  if (known) return known;
  const bytes = Buffer.from(bodyText(body));
  if (isRepeated) repeated.set(body, bytes);
  return bytes;
}

const unitsOf = (body: ServiceResponse["body"]): number =>
  typeof body === "string" ? body.length : body.reduce((units, piece) => units + piece.length, 0);

/** Sends a response with `added` headers. Returns a promise if that takes time. */
export function send(
  response: ServerResponse,
  message: ServiceResponse,
  added: ServiceResponse["headers"] = {},
): Promise<void> | undefined {
  const { status, headers, body, bytes: given, delivery } = message;
  if (delivery?.kind === "never") return;
  if (delivery?.kind === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const writeHead = (length: number) => {
    const isUsual = headers === jsonHeaders && added === openCors;
    response.writeHead(
      status,
      isUsual ? [...usual, `${length}`] : headersOf(message, added, length),
    );
  };
  const units = given ? 0 : unitsOf(body);
  if (delivery === undefined && units > HUGE_BODY)
    return sendInParts(response, typeof body === "string" ? [body] : body, writeHead);
  if (delivery === undefined && !given && units < LONG_BODY) {
    const text = bodyText(body);
    const length = Buffer.byteLength(text);
    writeHead(length);
    // A string is sent in one packet with its headers; ASCII needs no encoding.
    response.end(text, length === text.length ? "latin1" : "utf8");
    return;
  }
  const bytes = given ?? bytesOf(message);
  writeHead(bytes.length);
  if (delivery === undefined) {
    response.end(bytes);
    endUnread(response);
    return;
  }
  if (delivery.kind === "truncated") {
    response.write(bytes.subarray(0, delivery.bytes), () => response.socket?.end());
    response.flushHeaders();
    return;
  }
  return drip(response, bytes, delivery);
}

/** Ends the connection if nobody reads what is left of a response; almost always the kernel takes all of it at once. */
function endUnread(response: ServerResponse): void {
  if (response.socket?.writableLength !== 0) response.setTimeout(WRITE_TIMEOUT_MS);
}

/** Sends a long body piece by piece. */
async function sendInParts(
  response: ServerResponse,
  pieces: readonly string[],
  writeHead: (length: number) => void,
): Promise<void> {
  writeHead(pieces.reduce((length, piece) => length + Buffer.byteLength(piece), 0));
  let part = "";
  for (const piece of pieces) {
    part += piece;
    if (part.length < LONG_BODY) continue;
    // A string would be encoded later, with all others that wait.
    response.write(Buffer.from(part));
    part = "";
    await eventLoopTurn();
    if (response.destroyed) return;
  }
  response.end(part);
  endUnread(response);
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

// Sends a response over node:http, as its delivery demands. Long bodies are encoded into buffers that are reused: allocating fresh memory takes the
// kernel about as long as sending it.
import type { ServerResponse } from "node:http";
import { delay, eventLoopTurn } from "../../double/service/event-loop.ts";
import {
  type Body,
  bodyText,
  type Delivery,
  jsonHeaders,
  type ServiceResponse,
} from "../../double/service/message.ts";

/** Room for a page of 1000, 550 kB, whatever its characters: UTF-8 takes up to three bytes for each unit of a string. */
const SIZE = 2 ** 21;
const BYTES_PER_UNIT = 3;

/** The longest body in UTF-16 units that a buffer of the pool holds for sure. */
const MAX_POOLED = Math.floor(SIZE / BYTES_PER_UNIT);

/** Idle buffers to keep; more responses at once get fresh ones. */
const MAX_IDLE = 4;

const idle: Buffer[] = [];

/** A body in a buffer of the pool. */
export interface PooledBody {
  readonly bytes: Uint8Array;
  /** Returns the buffer to the pool; call it once the kernel has the bytes. */
  release(): void;
}

const piecesOf = (body: Body): readonly string[] => (typeof body === "string" ? [body] : body);

/** Encodes pieces that fit into a buffer of the pool. */
function encodePieces(pieces: readonly string[]): PooledBody {
  const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(SIZE);
  let length = 0;
  for (const piece of pieces) length += buffer.write(piece, length);
  return {
    bytes: buffer.subarray(0, length),
    release() {
      if (idle.length < MAX_IDLE) idle.push(buffer);
    },
  };
}

/** The bytes of bodies that are sent again and again. */
const repeated = new WeakMap<object, Uint8Array>();

/** Open to every page (S19); the admin API is not. */
export const openCors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
} as const;

/** Aborts when the connection closes. */
export function abortSignalOf(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  return closed.signal;
}

/** The headers by lower-case name: a fault may spell them as it likes. */
function headersOf(
  given: ServiceResponse["headers"],
  added: ServiceResponse["headers"],
  length: number,
): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of Object.keys(given)) all[name.toLowerCase()] = given[name] as string;
  Object.assign(all, added);
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

/** From this length on, a body is encoded into a pooled buffer; a shorter one is sent as one string with its headers, which Node encodes on its stack. */
const LONG_BODY = 16 * 1024;

/** Sends a response with `added` headers. Returns a promise if that takes time. */
export function send(
  response: ServerResponse,
  { status, headers, body, encoded, delivery, isRepeated }: ServiceResponse,
  added: ServiceResponse["headers"] = {},
): Promise<void> | undefined {
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
  const writeHead = (length: number) => {
    const isUsual = headers === jsonHeaders && added === openCors;
    response.writeHead(
      status,
      isUsual ? [...usual, `${length}`] : headersOf(headers, added, length),
    );
  };
  const known = encoded ?? (typeof body === "string" ? undefined : repeated.get(body));
  if (known && delivery === undefined) {
    writeHead(known.length);
    response.end(known);
    return;
  }
  if (delivery === undefined) {
    const pieces = piecesOf(body);
    let units = 0;
    for (const piece of pieces) units += piece.length;
    if (units > MAX_POOLED) {
      let length = 0;
      for (const piece of pieces) length += Buffer.byteLength(piece);
      writeHead(length);
      return sendInParts(response, pieces);
    }
    if (units >= LONG_BODY) {
      const pooled = encodePieces(pieces);
      if (isRepeated && typeof body !== "string") repeated.set(body, Buffer.from(pooled.bytes));
      writeHead(pooled.bytes.length);
      response.end(pooled.bytes);
      // Almost always the kernel takes all of it at once.
      if (response.socket?.writableLength === 0) pooled.release();
      else response.once("finish", pooled.release);
      return;
    }
    const text = bodyText(body);
    const length = Buffer.byteLength(text);
    writeHead(length);
    // A string is sent in one packet with its headers; ASCII needs no encoding.
    response.end(text, length === text.length ? "latin1" : "utf8");
    return;
  }
  const bytes = Buffer.from(bodyText(body));
  writeHead(bytes.length);
  if (delivery.kind === "truncated") {
    response.write(bytes.subarray(0, delivery.bytes), () => response.socket?.end());
    response.flushHeaders();
    return;
  }
  return drip(response, bytes, delivery);
}

/** Sends pieces that fit no buffer of the pool, with turns for others in between. */
async function sendInParts(response: ServerResponse, pieces: readonly string[]): Promise<void> {
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
}

/** Sends bytes a few at a time. */
async function drip(
  response: ServerResponse,
  bytes: Buffer,
  { bytes: step, everyMs }: Extract<Delivery, { kind: "drip" }>,
): Promise<void> {
  const signal = abortSignalOf(response);
  for (let sent = 0; sent < bytes.length && !response.destroyed; sent += step) {
    if (sent > 0) await delay(everyMs, signal);
    response.write(bytes.subarray(sent, sent + step));
  }
  response.end();
}

// Sends a response over node:http, as its delivery demands.
import type { ServerResponse } from "node:http";
import type { ServiceResponse } from "../message.ts";
import { delay } from "../transports/timing.ts";

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
  // A length beside a transfer coding is two ends of one body. Only chunks say where they end; otherwise the connection does.
  delete all["content-length"];
  return /\bchunked\s*$/i.test(coding) ? all : { ...all, connection: "close" };
}

/** Sends a response with `added` headers. */
export async function send(
  response: ServerResponse,
  { status, headers, body, delivery }: ServiceResponse,
  added: ServiceResponse["headers"] = {},
): Promise<void> {
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
  response.writeHead(status, headersOf(headers, added, Buffer.byteLength(body)));
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

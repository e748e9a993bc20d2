// A reply as the parts of a `Response`: for every door that speaks fetch.
import type { Delivery, ServiceResponse } from "../message.ts";
import { delay } from "./timing.ts";

const encoder = new TextEncoder();

/** Waits until a signal says stop; forever without one. */
export const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    else signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** MSW drops what it has not handed on when a body breaks: so long it takes to read the first bytes. */
const readMs = 10;

/** The first bytes, then a connection that breaks. */
const truncated = (bytes: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
    },
    async pull(controller) {
      await delay(readMs);
      controller.error(new TypeError("terminated"));
    },
  });

/** A few bytes at a time, until who asked has enough: a body breaks with the signal of its request. */
function dripped(
  bytes: Uint8Array,
  { bytes: step, everyMs }: Extract<Delivery, { kind: "drip" }>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let sent = 0;
  const unread = new AbortController();
  const enough = AbortSignal.any([signal, unread.signal]);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent > 0) await delay(everyMs, enough);
      if (unread.signal.aborted) return;
      if (signal.aborted) return controller.error(signal.reason);
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(sent, sent + step));
      sent += step;
    },
    cancel: () => unread.abort(),
  });
}

/** What a response is made of: its body, and the rest. */
export type ResponseParts = [body: string | ReadableStream<Uint8Array>, init: ResponseInit];

/** The reply as the parts of a response; a reply that does not come (reset, never) is the door's to keep back. */
export function toResponseParts(
  { status, headers, body, delivery }: ServiceResponse,
  signal: AbortSignal,
): ResponseParts {
  if (delivery?.kind === "truncated") {
    const bytes = encoder.encode(body);
    // Without the promise of more, a body that ends early looks like a whole one.
    const length = `${bytes.length}`;
    return [
      truncated(bytes.slice(0, delivery.bytes)),
      { status, headers: { ...headers, "content-length": length } },
    ];
  }
  if (delivery?.kind === "drip")
    return [dripped(encoder.encode(body), delivery, signal), { status, headers }];
  return [body, { status, headers }];
}

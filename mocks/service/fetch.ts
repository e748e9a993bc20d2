// The transport in memory: a `fetch` function, and the conversion between fetch's classes and the
// service's messages.
import { createEncoder } from "../input/text-coding.ts";
import { delay, yieldToEventLoop } from "../message/event-loop.ts";
import {
  type Delivery,
  errorResponse,
  type Respond,
  type ServiceRequest,
  type ServiceResponse,
} from "../message/message.ts";

/**
 * Returns path and query of a URL below `base`, without the fragment; undefined for any other URL.
 */
export function targetBelow(base: string, url: string): string | undefined {
  if (!url.startsWith(base)) return undefined;
  const hash = url.indexOf("#");
  const target = url.slice(base.length, hash < 0 ? undefined : hash);
  if (target === "") return "/";
  return target.startsWith("/") || target.startsWith("?") ? target : undefined;
}

/** Normalises a base URL, and removes its trailing slash. */
export const normalBase = (baseUrl: string): string => new URL(baseUrl).href.replace(/\/+$/, "");

/** Converts a request. Header names are lower-cased, because happy-dom keeps their case. */
export async function toServiceRequest(request: Request, target: string): Promise<ServiceRequest> {
  return {
    method: request.method,
    target,
    headers: Object.fromEntries(
      Array.from(request.headers, ([name, value]) => [name.toLowerCase(), value]),
    ),
    signal: request.signal,
    body: request.body === null ? undefined : new Uint8Array(await request.arrayBuffer()),
  };
}

const encoder = createEncoder();

/** Rejects when a signal aborts; never settles without one. */
const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    else signal?.addEventListener("abort", () => reject(signal.reason));
  });

/** Time for the client to read what was sent, because MSW drops unread bytes when a body breaks. */
const READ_MS = 10;

/** A body whose connection breaks after these bytes. */
const truncated = (bytes: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
    },
    async pull(controller) {
      await delay(READ_MS);
      controller.error(new TypeError("terminated"));
    },
  });

/** Sends a body in small pieces. The body fails when the request's signal aborts. */
function dripped(
  bytes: Uint8Array,
  { bytes: step, everyMs }: Extract<Delivery, { kind: "drip" }>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let sent = 0;
  const cancelled = new AbortController();
  const stop = AbortSignal.any([signal, cancelled.signal]);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent > 0) await delay(everyMs, stop);
      if (cancelled.signal.aborted) return;
      if (signal.aborted) return controller.error(signal.reason);
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(sent, sent + step));
      sent += step;
    },
    cancel: () => cancelled.abort(),
  });
}

/** The arguments of the `Response` constructor. */
export type ResponseParts = [
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  init: ResponseInit,
];

/** Responses that have no body. */
const BODILESS = new Set([101, 103, 204, 205, 304]);

/** Replaces a status that no `Response` can have; a recorded explorer may have sent any. */
const sendable = (response: ServiceResponse): ServiceResponse =>
  response.status > 599
    ? errorResponse(
        502,
        `the explorer's status ${response.status} is outside 200 to 599, the range of a Response: serve this explorer on a port to see it`,
      )
    : response;

/**
 * Returns the arguments of the `Response` constructor. The caller handles the deliveries `reset`
 * and `never`.
 */
export function toResponseParts(
  response: ServiceResponse,
  { method, signal }: Pick<Request, "method" | "signal">,
): ResponseParts {
  const { status, headers: plainHeaders, body, bytes: binaryBody, delivery } = sendable(response);
  if (BODILESS.has(status)) return [null, { status, headers: plainHeaders }];
  const bytes = binaryBody ? new Uint8Array(binaryBody) : encoder.encode(body);
  const headers = new Headers(plainHeaders);
  // Sets the length as on a port, so that a client notices a truncated body.
  if (!headers.has("transfer-encoding")) headers.set("content-length", `${bytes.length}`);
  if (method === "HEAD") return [null, { status, headers }];
  if (delivery?.kind === "truncated")
    return [truncated(bytes.slice(0, delivery.bytes)), { status, headers }];
  if (delivery?.kind === "drip") return [dripped(bytes, delivery, signal), { status, headers }];
  return [bytes, { status, headers }];
}

/** A broken connection, as `fetch` reports it. */
const connectionReset = () =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
  });

export const createFetch =
  (base: string, respond: Respond): typeof fetch =>
  async (input, init) => {
    const request =
      input instanceof Request && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const target = targetBelow(base, request.url);
    if (target === undefined)
      throw new TypeError(`mock.fetch: expected a URL below ${base}, received ${request.url}`);
    await yieldToEventLoop();
    const response = await Promise.race([
      respond(await toServiceRequest(request, target)),
      aborted(signal),
    ]);
    if (response.delivery?.kind === "never") return aborted(signal);
    if (response.delivery?.kind === "reset") throw connectionReset();
    return new Response(...toResponseParts(response, request));
  };

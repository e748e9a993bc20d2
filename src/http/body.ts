// Reads a body that may be hostile or endless: limited size and time, valid UTF-8; a stream of the web or of Node, or text alone.
import { AbortScope, abortable } from "./abort.ts";
import type { FetchResponse } from "./fetch.ts";

/** The message says why the body of a successful response is invalid. */
export class InvalidBodyError extends Error {
  readonly httpStatus: number;

  constructor(message: string, { status }: FetchResponse) {
    super(message);
    this.httpStatus = status;
  }
}

interface ReadBody {
  readonly text: string;
  readonly bytes: number;
}

/** Reads at most `maxBytes` bytes; connection errors pass through. */
export async function readBody(
  response: FetchResponse,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ReadBody> {
  const tooLong = () =>
    new InvalidBodyError(`the body is longer than ${maxBytes} bytes (maxResponseBytes)`, response);
  if (Number(response.headers.get("content-length")) > maxBytes) {
    cancelBody(response);
    throw tooLong();
  }
  const source = chunks(response, signal);
  if (source === undefined) {
    const read = await readText(response);
    if (read.bytes > maxBytes) throw tooLong();
    return read;
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new InvalidBodyError("the body is not valid UTF-8", response);
    }
  };
  const text: string[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong();
    text.push(decode(chunk));
  }
  text.push(decode());
  return { text: text.join(""), bytes };
}

/** The longest time to wait for the body of an error, in milliseconds. */
const MAX_EXCERPT_TIME = 1000;
/** The most characters to read of such a body. */
const MAX_EXCERPT_LENGTH = 64 * 1024;

/** Reads the beginning of a body for error messages: what arrives within half of `time` milliseconds. */
export async function readBodyExcerpt(
  response: FetchResponse,
  time: number,
  signal: AbortSignal,
): Promise<ReadBody> {
  let text = "";
  let bytes = 0;
  const scope = new AbortScope()
    .follow(signal)
    .timeout(Math.min(time / 2, MAX_EXCERPT_TIME), () => new Error("The body takes too long"));
  const read = async () => {
    const source = chunks(response, scope.signal);
    if (source === undefined) {
      ({ text, bytes } = await readText(response));
      return;
    }
    const decoder = new TextDecoder();
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= MAX_EXCERPT_LENGTH) break;
    }
  };
  try {
    await abortable(read(), scope.signal);
  } catch {
    // The status matters; a broken or endless body only shortens the excerpt.
  } finally {
    scope.close();
  }
  return { text: text.slice(0, MAX_EXCERPT_LENGTH), bytes };
}

/** The whole body, where the response has no stream, as in React Native. */
async function readText(response: FetchResponse): Promise<ReadBody> {
  const text = await response.text();
  return { text, bytes: new TextEncoder().encode(text).byteLength };
}

type Body = FetchResponse["body"];

const isWebStream = (body: Body): body is ReadableStream<Uint8Array> =>
  typeof Object(body).getReader === "function";

/** A stream of Node, as node-fetch has it. */
interface NodeStream extends AsyncIterable<Uint8Array> {
  destroy?(): unknown;
}
const isNodeStream = (body: Body): body is NodeStream =>
  typeof Object(body)[Symbol.asyncIterator] === "function";

/** Ends a body that nobody reads. */
export function cancelBody({ body }: FetchResponse): void {
  if (isWebStream(body)) body.cancel().catch(() => {});
  else if (isNodeStream(body)) body.destroy?.();
}

/** The body in chunks, until the reader stops or the signal aborts; undefined if the response has no stream. */
function chunks(
  { body }: FetchResponse,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> | undefined {
  if (isWebStream(body)) return webChunks(body, signal);
  if (isNodeStream(body)) return nodeChunks(body, signal);
  return body === null ? nothing() : undefined;
}

async function* nothing(): AsyncGenerator<never> {}

async function* webChunks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    if (!ended) cancel();
  }
}

async function* nodeChunks(body: NodeStream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const destroy = () => body.destroy?.();
  signal.addEventListener("abort", destroy, { once: true });
  try {
    // Leaving the loop destroys the stream.
    yield* body;
  } finally {
    signal.removeEventListener("abort", destroy);
  }
}

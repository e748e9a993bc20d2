// Reads a body that may be hostile or endless: limits its size and time, and checks UTF-8. The body
// may be a web stream, a Node stream or text.
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
  /** The number of characters if the response has no stream. */
  readonly bytes: number;
}

/** Reads a body of at most `maxBytes` bytes. Throws connection errors as they are. */
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
  const decode = decoder(true);
  const texts: string[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks(response, signal)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLong();
      texts.push(decode(chunk));
    }
    texts.push(decode());
  } catch (error) {
    throw error instanceof UndecodableError
      ? new InvalidBodyError("the body is not valid UTF-8", response)
      : error;
  }
  return { text: texts.join(""), bytes };
}

/** The longest time to wait for the body of an error response, in milliseconds. */
const MAX_EXCERPT_TIME = 1000;
/** How many characters to read of such a body. */
const MAX_EXCERPT_LENGTH = 64 * 1024;

/** Reads the beginning of a body for error messages, for at most half of `time` milliseconds. */
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
  const readBeginning = async () => {
    const decode = decoder(false);
    for await (const chunk of chunks(response, scope.signal)) {
      bytes += chunk.length;
      text += decode(chunk);
      if (text.length >= MAX_EXCERPT_LENGTH) break;
    }
  };
  try {
    await abortable(readBeginning(), scope.signal);
  } catch {
    // The status is what matters. A broken or endless body only shortens the excerpt.
  } finally {
    scope.close();
  }
  return { text: text.slice(0, MAX_EXCERPT_LENGTH), bytes };
}

type Chunk = Uint8Array | string;

class UndecodableError extends Error {}

/** Turns chunks into text. React Native lacks `TextDecoder`, but its only chunk is text already. */
function decoder(fatal: boolean): (chunk?: Chunk) => string {
  let utf8: TextDecoder | undefined;
  return (chunk) => {
    if (typeof chunk === "string") return chunk;
    try {
      utf8 ??= chunk && new TextDecoder("utf-8", { fatal });
      return utf8?.decode(chunk, { stream: chunk !== undefined }) ?? "";
    } catch {
      throw new UndecodableError();
    }
  };
}

/** A web stream, which has a reader, or a Node stream, such as node-fetch's, which is iterable. */
interface AnyBody extends Partial<AsyncIterable<Uint8Array>> {
  getReader?(): ReadableStreamDefaultReader<Uint8Array>;
  cancel?(): Promise<void>;
  destroy?(): unknown;
}

/** Cancels a body that is not read. */
export function cancelBody({ body }: FetchResponse): void {
  const { cancel, destroy }: AnyBody = body ?? {};
  if (cancel) cancel.call(body).catch(() => {});
  else destroy?.call(body);
}

/** Yields a body in chunks until the signal aborts. In React Native, the body is one chunk. */
async function* chunks(response: FetchResponse, signal: AbortSignal): AsyncGenerator<Chunk> {
  const body: AnyBody | null | undefined = response.body;
  const reader = body?.getReader?.();
  const items = reader ? undefined : body?.[Symbol.asyncIterator]?.();
  if (!reader && !items) {
    if (body !== null) yield await response.text();
    return;
  }
  const cancel = () =>
    void (reader ? reader.cancel(signal.reason).catch(() => {}) : body?.destroy?.());
  signal.addEventListener("abort", cancel);
  let ended: boolean | undefined = false;
  try {
    for (;;) {
      const next = await (reader?.read() ?? items?.next());
      ended = next?.done;
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    if (!ended) cancel();
  }
}

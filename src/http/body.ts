// Reads a body that may be hostile or endless: limited size and time, valid UTF-8.
import { AbortScope, abortable } from "./abort.ts";

/** The message says why a body is invalid. */
export class InvalidBodyError extends Error {}

interface ReadBody {
  readonly text: string;
  readonly bytes: number;
}

/** Reads at most `maxBytes` bytes; connection errors pass through. */
export async function readBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ReadBody> {
  const tooLong = () =>
    new InvalidBodyError(`the body is longer than ${maxBytes} bytes (maxResponseBytes)`);
  if (Number(response.headers.get("content-length")) > maxBytes) {
    response.body?.cancel().catch(() => {});
    throw tooLong();
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const text: string[] = [];
  let bytes = 0;
  for await (const chunk of chunks(response, signal)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong();
    text.push(decode(decoder, chunk));
  }
  text.push(decode(decoder));
  return { text: text.join(""), bytes };
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new InvalidBodyError("the body is not valid UTF-8");
  }
}

/** The longest time to wait for the body of an error, in milliseconds. */
const MAX_EXCERPT_TIME = 1000;

/** Reads the beginning of a body for error messages, as far as it arrives within half of `time` milliseconds. */
export async function readBodyExcerpt(
  response: Response,
  time: number,
  signal: AbortSignal,
): Promise<ReadBody> {
  const maxLength = 64 * 1024;
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const scope = new AbortScope()
    .follow(signal)
    .timeout(Math.min(time / 2, MAX_EXCERPT_TIME), () => new Error("The body takes too long"));
  const read = async () => {
    for await (const chunk of chunks(response, scope.signal)) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= maxLength) break;
    }
  };
  try {
    await abortable(read(), scope.signal);
  } catch {
    // The status matters; a broken or endless body only shortens the excerpt.
  } finally {
    scope.close();
  }
  return { text: text.slice(0, maxLength), bytes };
}

/** Yields the body in chunks; cancels the rest when the reader stops or the signal aborts. */
async function* chunks({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

// Reads a body that may be hostile: limited size and depth, valid UTF-8, JSON, no `__proto__`.

/** The deepest JSON to accept; an ABI of nested tuples reaches about 20 levels. */
const MAX_DEPTH = 64;

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

/** Reads the beginning of a body, for error messages. */
export async function readBodyExcerpt(response: Response, signal: AbortSignal): Promise<ReadBody> {
  const maxLength = 64 * 1024;
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of chunks(response, signal)) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= maxLength) break;
    }
  } catch {
    // The status matters; a broken body only shortens the excerpt.
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

/** Parses the JSON of a body. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidBodyError(text.trim() === "" ? "the body is empty" : "the body is not JSON");
  }
  inspect(value);
  return value;
}

/** Walks level by level: recursion would overflow on deep JSON. */
function inspect(root: unknown): void {
  let level: object[] = typeof root === "object" && root !== null ? [root] : [];
  for (let depth = 1; level.length; depth++) {
    if (depth > MAX_DEPTH)
      throw new InvalidBodyError(`the body is nested deeper than ${MAX_DEPTH} levels`);
    const next: object[] = [];
    for (const one of level) {
      if (Array.isArray(one)) {
        for (const item of one) if (typeof item === "object" && item !== null) next.push(item);
        continue;
      }
      for (const key in one) {
        // Copying it by assignment would set the prototype of the copy.
        if (key === "__proto__") throw new InvalidBodyError('the body has a field "__proto__"');
        const value = (one as Record<string, unknown>)[key];
        if (typeof value === "object" && value !== null) next.push(value);
      }
    }
    level = next;
  }
}

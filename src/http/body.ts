// Reading a body that may be hostile: bounded in size and depth, valid UTF-8, JSON, and nothing that could reach a prototype.

/** Deeper JSON than this is no answer of the service: an ABI of nested tuples reaches about twenty. */
const DEEPEST = 64;

/** Why a body cannot be read, in words. */
export class UnreadableBody extends Error {}

interface ReadBody {
  readonly text: string;
  readonly bytes: number;
}

/** Reads at most `most` bytes. What comes of a failed connection is thrown as it is. */
export async function readBody(
  response: Response,
  most: number,
  signal: AbortSignal,
): Promise<ReadBody> {
  const tooLong = () => new UnreadableBody(`it is longer than ${most} bytes (maxResponseBytes)`);
  if (Number(response.headers.get("content-length")) > most) {
    response.body?.cancel().catch(() => {});
    throw tooLong();
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const text: string[] = [];
  let bytes = 0;
  for await (const chunk of chunks(response, signal)) {
    bytes += chunk.byteLength;
    if (bytes > most) throw tooLong();
    text.push(decode(decoder, chunk));
  }
  text.push(decode(decoder));
  return { text: text.join(""), bytes };
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new UnreadableBody("it is not valid UTF-8");
  }
}

/** The beginning of a body that will only be quoted, whatever it is. */
export async function readBodyExcerpt(response: Response, signal: AbortSignal): Promise<ReadBody> {
  const most = 64 * 1024;
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of chunks(response, signal)) {
      bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= most) break;
    }
  } catch {
    // The status is what matters; a broken body after it only shortens the quotation.
  }
  return { text: text.slice(0, most), bytes };
}

/** The body as it comes; nothing of it is asked for any more once its reader is done, or the signal aborted. */
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

/** The JSON of a body. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableBody(text.trim() === "" ? "it is empty" : "it is not JSON");
  }
  inspect(value);
  return value;
}

/** Walks without recursion, for depth is what it is about. */
function inspect(root: unknown): void {
  let level: object[] = typeof root === "object" && root !== null ? [root] : [];
  for (let depth = 1; level.length; depth++) {
    if (depth > DEEPEST) throw new UnreadableBody(`it is nested deeper than ${DEEPEST} levels`);
    const next: object[] = [];
    for (const one of level) {
      if (Array.isArray(one)) {
        for (const item of one) if (typeof item === "object" && item !== null) next.push(item);
        continue;
      }
      for (const key in one) {
        // A copy by assignment, as programs make them, would turn it into the copy's prototype.
        if (key === "__proto__") throw new UnreadableBody('it has a field "__proto__"');
        const value = (one as Record<string, unknown>)[key];
        if (typeof value === "object" && value !== null) next.push(value);
      }
    }
    level = next;
  }
}

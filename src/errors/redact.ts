// Makes foreign text safe for errors and logs: short, on one line, without control characters or
// secrets (R10).
import { UNPRINTABLE } from "../models/mismatch.ts";

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** Returns the text unchanged. Only for texts that cannot contain a key. */
export const unredacted: Redact = (text) => text;

/** The code that finds keys. Loaded with the first error, because most programs never need it. */
let code: typeof import("./find-key.ts") | undefined;

/** Loads the code that finds keys. Await this before an error is given text from a server. */
export async function loadRedaction(): Promise<void> {
  code ??= await import("./find-key.ts").catch(() => undefined);
}

/** Creates a function that removes a secret. Before {@link loadRedaction}, it hides all text. */
export function lazyRedactor(secret: string): Redact {
  let redact: Redact | undefined;
  return (text) => {
    redact ??= code?.redactor(secret);
    return redact ? redact(text) : "[omitted]";
  };
}

/** The function that redacts text of a response, by response. */
export const redactionOf = new WeakMap<Response, Redact>();

/** Makes text of a server safe for a message: at most `max` characters on one line, no controls. */
export function excerpt(text: string, redact: Redact, max = 200): string {
  const line = redact(text.slice(0, max * 4))
    .replaceAll(UNPRINTABLE, " ")
    .trim();
  return line.length > max ? `${line.slice(0, max)}…` : line;
}

/**
 * Also recognizes errors of another realm, because in jest, errors of Node's `fetch` are not
 * instances of the test's `Error` (https://github.com/jestjs/jest/issues/2549).
 */
const isError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";

/**
 * Copies only the name, message, code and causes of an error, because errors of HTTP libraries
 * contain the request, and so the API key.
 */
export function sanitizeError(thrown: unknown, redact: Redact, depth = 3): Error {
  const source = isError(thrown) ? thrown : new Error(String(thrown));
  const cause =
    depth > 0 && isError(source.cause)
      ? { cause: sanitizeError(source.cause, redact, depth - 1) }
      : {};
  const copy = new Error(excerpt(source.message, redact, 500), cause);
  const code = "code" in source && typeof source.code === "string" ? source.code : undefined;
  Object.defineProperty(copy, "name", { value: excerpt(source.name, redact), enumerable: false });
  copy.stack = `${copy.name}: ${copy.message}`;
  return code === undefined ? copy : Object.assign(copy, { code: excerpt(code, redact) });
}

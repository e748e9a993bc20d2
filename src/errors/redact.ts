// Makes foreign text safe for errors and logs: short, on one line, without control characters or
// secrets (R10).
import { UNPRINTABLE } from "../models/mismatch.ts";

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** For texts that no key can be in. */
export const unredacted: Redact = (text) => text;

/** The code that finds keys. Errors load it, because most programs meet none. */
let code: typeof import("./find-key.ts") | undefined;

/** Loads the code that finds keys: before an error is made of a text that may contain one. */
export async function loadRedaction(): Promise<void> {
  code ??= await import("./find-key.ts").catch(() => undefined);
}

/**
 * Creates a function that removes a secret. It shows nothing of a text until its code is loaded.
 */
export function lazyRedactor(secret: string): Redact {
  let redact: Redact | undefined;
  return (text) => {
    redact ??= code?.redactor(secret);
    return redact ? redact(text) : "[omitted]";
  };
}

/** How to redact what a response says. */
export const redactionOf = new WeakMap<Response, Redact>();

/**
 * Text from a server, safe for a message: at most `max` characters, on one line, without terminal
 * control codes.
 */
export function excerpt(text: string, redact: Redact, max = 200): string {
  const line = redact(text.slice(0, max * 4))
    .replaceAll(UNPRINTABLE, " ")
    .trim();
  return line.length > max ? `${line.slice(0, max)}…` : line;
}

/** Errors of another realm, as in jest, whose `fetch` is Node's own, are no instances of ours. */
const isError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";

/**
 * A copy of a thrown value with only its name, message and code, and those of its causes: the
 * errors of HTTP libraries hold the request, and with it the API key.
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

// Text from outside in errors and logs: short, on one line, without control characters, and never with a secret (R10).
import { describe } from "../models/issues.ts";

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** A shorter one is no secret, and replacing it would only make messages unreadable. */
const SHORTEST_SECRET = 4;

/** Takes this secret out, as it is and as a URL or a JSON text would write it. */
export function redactor(secret: string | undefined): Redact {
  if (secret === undefined || secret.length < SHORTEST_SECRET) return (text) => text;
  const forms = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  return (text) => {
    let clean = text;
    for (const form of forms) clean = clean.replaceAll(form, "[api-key]");
    return clean;
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

/** Text from a server, fit for a message: `most` characters, on one line, unable to steer a terminal. */
export function excerpt(text: string, redact: Redact, most = 200): string {
  // A margin before the cut, so that a secret across the end is still recognised.
  const line = redact(text.slice(0, most * 4))
    .replaceAll(UNPRINTABLE, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/**
 * A copy of whatever was thrown that holds its name, message and code, and those of what caused it, and nothing else:
 * the errors of HTTP libraries carry the request, and with it the key.
 */
export function sanitizeError(thrown: unknown, redact: Redact, depth = 3): Error {
  const source = thrown instanceof Error ? thrown : new Error(String(thrown));
  const cause =
    depth > 0 && source.cause instanceof Error
      ? { cause: sanitizeError(source.cause, redact, depth - 1) }
      : {};
  const copy = new Error(excerpt(source.message, redact, 500), cause);
  const code = "code" in source && typeof source.code === "string" ? source.code : undefined;
  Object.defineProperty(copy, "name", { value: excerpt(source.name, redact), enumerable: false });
  copy.stack = `${copy.name}: ${copy.message}`;
  return code === undefined ? copy : Object.assign(copy, { code });
}

/** A received value, fit to be shown: itself where it is harmless, else what it is, in words. */
export function presentable(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return excerpt(value, redact, 500);
  if (typeof value !== "object" || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= 2000 && redact(text) === text ? value : `[${describe(value)}, not shown]`;
}

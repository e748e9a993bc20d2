// Makes foreign text safe for errors and logs: short, on one line, without control characters or secrets (R10).
import { describe } from "../models/issues.ts";

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** Shorter keys are not secret, and replacing them would make messages unreadable. */
const MIN_SECRET_LENGTH = 4;

/** Removes a secret: verbatim, URL-encoded and JSON-encoded. */
export function redactor(secret: string | undefined): Redact {
  if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return (text) => text;
  const forms = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  return (text) => {
    let clean = text;
    for (const form of forms) clean = clean.replaceAll(form, "[api-key]");
    return clean;
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

/** Text from a server, safe for a message: at most `max` characters, on one line, without terminal control codes. */
export function excerpt(text: string, redact: Redact, max = 200): string {
  // A margin before the cut: a secret across the end is still recognised.
  const line = redact(text.slice(0, max * 4))
    .replaceAll(UNPRINTABLE, " ")
    .trim();
  return line.length > max ? `${line.slice(0, max)}…` : line;
}

/**
 * A copy of a thrown value with only its name, message and code, and those of its causes: the errors of HTTP libraries hold the request,
 * and with it the API key.
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

/** A received value that is safe to show: itself if harmless, otherwise a description. */
export function presentable(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return excerpt(value, redact, 500);
  if (typeof value !== "object" || value === null) return value;
  const text = JSON.stringify(value);
  return text.length <= 2000 && redact(text) === text ? value : `[${describe(value)}, omitted]`;
}

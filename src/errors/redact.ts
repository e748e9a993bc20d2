// Makes foreign text safe for errors and logs: short, on one line, without control characters or secrets (R10).
import { describe } from "../models/mismatch.ts";

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** For texts that no key can be in. */
export const unredacted: Redact = (text) => text;

/** Shorter keys are not secret, and replacing them would make messages unreadable. */
const MIN_SECRET_LENGTH = 4;
/** Characters of a key in a row that are secret. */
const PART_LENGTH = 8;
/** Times a text may be encoded and is still recognised. */
const ENCODINGS = 2;

/** Characters that print nothing: control characters, zero-width and formatting characters, line separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]+/gu;
/** An escape of URLs or JSON, or characters that print nothing. */
const ESCAPE = new RegExp(
  `%([0-9a-f]{2})|\\\\u([0-9a-f]{4})|\\\\(["'\\\\/])|${UNPRINTABLE.source}`,
  "giu",
);

/** A text, perhaps decoded: each character with the first and the last place it takes in the original. */
interface DecodedText {
  readonly characters: string;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const lowerCase = (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());

/** The text in lower case; its length stays. */
function plain(text: string): DecodedText {
  const places = Array.from({ length: text.length }, (_, index) => index);
  return { characters: lowerCase(text), first: places, last: places };
}

/** The text with its escapes decoded, once. */
function decoded({ characters, first, last }: DecodedText): DecodedText {
  const next = { characters: "", first: [] as number[], last: [] as number[] };
  const add = (text: string, from: number, to: number) => {
    next.characters += text;
    next.first.push(first[from] ?? 0);
    next.last.push(last[to] ?? 0);
  };
  let done = 0;
  const copyUntil = (end: number) => {
    for (; done < end; done++) add(characters.charAt(done), done, done);
  };
  for (const { 0: match, 1: percent, 2: unicode, 3: escaped, index } of characters.matchAll(
    ESCAPE,
  )) {
    copyUntil(index);
    done = index + match.length;
    const code = percent ?? unicode;
    const meant = code ? lowerCase(String.fromCharCode(Number.parseInt(code, 16))) : escaped;
    if (meant) add(meant, index, done - 1);
  }
  copyUntil(characters.length);
  return next;
}

/** A text unchanged, and decoded as many times as it may have been encoded. */
function decodings(text: string): DecodedText[] {
  const all = [plain(text)];
  for (let count = 0; count < ENCODINGS; count++) all.push(decoded(all[count] as DecodedText));
  return all;
}

/** The parts of a secret that must not show. */
function partsOf(secret: string): ReadonlySet<string> {
  const length = Math.min(PART_LENGTH, secret.length);
  const parts = new Set<string>();
  for (let start = 0; start + length <= secret.length; start++)
    for (const { characters } of decodings(secret.slice(start, start + length)))
      parts.add(characters);
  parts.delete("");
  return parts;
}

/** The places of a text where parts of a secret are. */
function placesOf(parts: ReadonlySet<string>, text: string): ReadonlySet<number> {
  const lengths = new Set([...parts].map((part) => part.length));
  const places = new Set<number>();
  const add = (from = 0, to = 0) => {
    for (let at = from; at <= to; at++) places.add(at);
  };
  for (const { characters, first, last } of decodings(text))
    for (let start = 0; start < characters.length; start++)
      for (const length of lengths)
        if (parts.has(characters.slice(start, start + length)))
          add(first[start], last[start + length - 1]);
  return places;
}

/** Removes a secret, and each part with 8 of its characters: in any case, encoded for URLs or JSON, or spread by invisible characters. */
export function redactor(secret: string | undefined): Redact {
  if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return unredacted;
  // Derived on first use: most responses are no errors.
  let parts: ReadonlySet<string> | undefined;
  return (text) => {
    parts ??= partsOf(secret);
    const hidden = placesOf(parts, text);
    if (hidden.size === 0) return text;
    let clean = "";
    for (let at = 0; at < text.length; at++)
      if (!hidden.has(at)) clean += text.charAt(at);
      else if (!hidden.has(at - 1)) clean += "[api-key]";
    return clean;
  };
}

/** How to redact what a response says. */
export const redactionOf = new WeakMap<Response, Redact>();

/** Text from a server, safe for a message: at most `max` characters, on one line, without terminal control codes. */
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
 * A copy of a thrown value with only its name, message and code, and those of its causes: the errors of HTTP libraries hold the request,
 * and with it the API key.
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

/** Objects and lists of more values are described, not shown. */
const MAX_SHOWN = 100;

/** A received value that is safe to show: itself if harmless, otherwise a description. */
export function presentable(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return excerpt(value, redact, 500);
  if (typeof value === "number") return redact(`${value}`) === `${value}` ? value : "[api-key]";
  if (typeof value !== "object" || value === null) return value;
  if (isSmall(value)) {
    const text = JSON.stringify(value);
    if (text.length <= 2000 && redact(text) === text) return value;
  }
  return `[${describe(value)}, omitted]`;
}

/** Whether a JSON value is quickly written down. */
function isSmall(root: object): boolean {
  const values: unknown[] = [root];
  for (const value of values) {
    if (typeof value !== "object" || value === null) continue;
    const more = Object.values(value);
    if (values.length + more.length > MAX_SHOWN) return false;
    values.push(...more);
  }
  return true;
}

// Finds an API key in a text. The text is decoded layer by layer, because a server may encode the
// text of a request again when it repeats the text in a message.

import { UNPRINTABLE } from "../models/mismatch.ts";

/** A part of a text: from `start` up to and not including `end`. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
}

/** Finds the places of one key in a text. */
export type FindKey = (text: string) => Generator<KeySpan, void, undefined>;

/** A shorter key is not secret: it stands in any text by chance. */
export const MIN_SECRET_LENGTH = 4;
/** Encoded texts and keys that are shorter look like any word. */
const MIN_RUN_LENGTH = 8;
/** How many times a text may have been encoded. */
const MAX_LAYERS = 8;
/** Limit of decoded characters: for each character of a text, and at least. */
const MAX_WORK = { factor: 16, least: 100_000 };
/** The characters that libraries escape by name in HTML. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** An escape of URLs, of JSON and JavaScript, or of HTML; or characters that print nothing. */
const ESCAPE = new RegExp(
  `(?:%|\\\\x)(?<hex>[\\da-f]{2})|\\\\u(?<unicode>[\\da-f]{4})|(?:\\\\u\\{|&#x)0*(?<point>[\\da-f]{1,4})[;}]|&#0*(?<decimal>\\d{1,5});|\\\\(?<mark>["'\\\\/])|\\\\[bfnrt]|&(?<entity>amp|lt|gt|quot|apos);|${UNPRINTABLE.source}`,
  "giu",
);

/**
 * The character that an escape stands for; empty if it prints nothing, undefined if it is no
 * escape.
 */
function unescaped(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { hex, unicode, point, decimal, mark, entity } = groups;
  if (entity) return ENTITIES[entity];
  const digits = hex ?? unicode ?? point;
  if (digits) return String.fromCharCode(Number.parseInt(digits, 16));
  return decimal ? String.fromCharCode(Number(decimal)) : (mark ?? "");
}

interface Layer {
  readonly text: string;
  /**
   * Each escape by three numbers: its end in the decoded text, its end in the text before, and its
   * decoded length.
   */
  readonly marks: readonly number[];
}

/** Decodes the escapes of a text once; undefined if it has none. */
function decodeEscapes(text: string): Layer | undefined {
  const marks: number[] = [];
  let decoded = "";
  let end = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const character = unescaped(match.groups ?? {});
    if (character === undefined) continue;
    decoded += text.slice(end, match.index) + character;
    end = match.index + match[0].length;
    marks.push(decoded.length, end, character.length);
  }
  return marks.length ? { text: decoded + text.slice(end), marks } : undefined;
}

/** Maps a position in a layer to its position in the text that the layer was decoded from. */
function placeBefore({ marks }: Layer, place: number, isEnd: boolean): number {
  let low = 0;
  let high = marks.length / 3;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = marks[middle * 3] ?? 0;
    // A removed character at the very end of a span is not part of it.
    if (at < place || (at === place && (!isEnd || marks[middle * 3 + 2]))) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return place;
  const [at = 0, before = 0] = marks.slice(low * 3 - 3);
  return before + place - at;
}

/** Normalizes case, and the "+" that HTML forms write for a space, without a change of length. */
const comparable = (text: string): string =>
  text.replaceAll("\u0130", "i").toLowerCase().replaceAll("+", " ");

/** The beginning of an escape, which the text after a key may complete. */
const BEGUN_ESCAPE = /(?:%[\da-f]?|\\(?:x[\da-f]?|u[\da-f]{0,3})?|&#?\w{0,6})$/i;

/** A part of a key as it is, and with the escapes that it seems to contain decoded. */
function* formsOf(part: string): Generator<string> {
  let layer: Layer | undefined = { text: part, marks: [] };
  for (; layer && layer.text.length >= MIN_SECRET_LENGTH; layer = decodeEscapes(layer.text))
    yield comparable(layer.text);
}

/** Decoded bytes that may contain a key. UTF-16, as .NET encodes a text, has a zero beside each. */
const printable = (bytes: string): string =>
  (bytes.replaceAll("\0", "").match(/[\t\r\n -~]{8}[\t\r\n -~]*/g) ?? []).join(" ");

/** Decodes base64 from each of four characters on, because text may stand before it in the run. */
function fromBase64(run: string): readonly string[] {
  // React Native before 0.74 has no `atob`.
  if (typeof atob !== "function") return [];
  const standard = run.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "");
  return [0, 1, 2, 3].map((start) => {
    const isWhole = (standard.length - start) % 4 !== 1;
    return printable(atob(standard.slice(start, isWhole ? undefined : -1)));
  });
}

const digitOf = (code: number): number => (code & 15) + (code > 64 ? 9 : 0);

/** Decodes hexadecimal digits from each of two digits on. */
function fromHex(run: string): readonly string[] {
  const digits = run.replace(/[ :,-]+/g, "");
  return [0, 1].map((start) => {
    const bytes = new Uint8Array((digits.length - start) >> 1);
    for (let at = 0, place = start; at < bytes.length; at++, place += 2)
      bytes[at] = digitOf(digits.charCodeAt(place)) * 16 + digitOf(digits.charCodeAt(place + 1));
    return printable(new TextDecoder("latin1").decode(bytes));
  });
}

/**
 * Patterns of runs that may be an encoded text, and of those that may be a printable text. A star
 * follows a fixed count, because V8 overflows its stack on `{11,}` with millions of characters.
 */
const RUNS = [
  // Hashes and addresses are many, and no printable text is only hexadecimal digits in base64.
  [/[\w+/-]{11}[\w+/-]*={0,2}/g, /[^\da-fx]/i, fromBase64],
  [
    /[\da-f][\da-f :,-]{14}[\da-f :,-]*/gi,
    /(?:[2-7][ :,-]*[\da-f][ :,-]*(?:00[ :,-]*)?){8}/i,
    fromHex,
  ],
] as const;

/**
 * Creates a search for parts of a key. It yields each place where a part stands: in upper or lower
 * case, in escapes of URLs, JSON or HTML, spread by invisible characters, or in base64 or
 * hexadecimal digits, encoded several times. A text that takes too long to decode is a place itself.
 */
function searchFor(parts: readonly string[]): FindKey {
  const wholes = parts.flatMap((part) => [part, part.replace(BEGUN_ESCAPE, "")]);
  const forms = [...new Set(wholes.flatMap((part) => [...formsOf(part)]))];
  const isLong = parts.every(({ length }) => length >= MIN_RUN_LENGTH);

  function* inRuns(text: string, depth: number, work: { left: number }): ReturnType<FindKey> {
    for (const [pattern, mayPrint, decodings] of RUNS) {
      // Names of fields are repeated in each record.
      const checked = new Map<string, boolean>();
      for (const { 0: run, index } of text.matchAll(pattern)) {
        if (!mayPrint.test(run)) continue;
        const hasKey =
          checked.get(run) ??
          decodings(run).some((decoded) => !inLayers(decoded, depth, work).next().done);
        checked.set(run, hasKey);
        if (hasKey) yield { start: index, end: index + run.length };
      }
    }
  }

  function* inLayers(text: string, depth: number, work: { left: number }): ReturnType<FindKey> {
    const layers: Layer[] = [];
    for (let decoded: string | undefined = text; decoded !== undefined; ) {
      work.left -= decoded.length;
      if (work.left < 0) return yield { start: 0, end: text.length };
      const spans: KeySpan[] = [];
      const compared = comparable(decoded);
      for (const form of forms)
        for (let at = compared.indexOf(form); at >= 0; at = compared.indexOf(form, at + 1))
          spans.push({ start: at, end: at + form.length });
      if (isLong && depth + layers.length < MAX_LAYERS)
        spans.push(...inRuns(decoded, depth + layers.length + 1, work));
      for (const { start, end } of spans)
        yield {
          start: layers.reduceRight((place, layer) => placeBefore(layer, place, false), start),
          end: layers.reduceRight((place, layer) => placeBefore(layer, place, true), end),
        };
      const layer: Layer | undefined =
        depth + layers.length < MAX_LAYERS ? decodeEscapes(decoded) : undefined;
      if (layer) layers.push(layer);
      decoded = layer?.text;
    }
  }

  return (text) =>
    inLayers(text, 0, { left: Math.max(MAX_WORK.least, text.length * MAX_WORK.factor) });
}

/** Creates a search for a whole key. */
export const findKey = (key: string): FindKey => searchFor([key]);

/** Characters of a key in a row that are secret: an excerpt may begin or end inside the key. */
const PART_LENGTH = 8;

/**
 * Creates a function that replaces a key, and each part of 8 of its characters, also where they are
 * encoded.
 */
export function redactor(key: string | undefined): (text: string) => string {
  if (key === undefined || key.length < MIN_SECRET_LENGTH) return (text) => text;
  const parts = [key];
  for (let start = 0; start + PART_LENGTH < key.length + 1; start++)
    parts.push(key.slice(start, start + PART_LENGTH));
  const find = searchFor(parts);
  return (text) => hideSpans(text, find(text));
}

const HIDDEN = "[api-key]";

/** The text with its spans replaced, each once. */
export function hideSpans(text: string, spans: Iterable<KeySpan>): string {
  const sorted = [...spans].sort((one, other) => one.start - other.start);
  let hidden = "";
  let done = 0;
  for (const [index, { start, end }] of sorted.entries()) {
    if (index === 0 || start > done) hidden += text.slice(done, start) + HIDDEN;
    done = Math.max(done, end);
  }
  return hidden + text.slice(done);
}

/**
 * A shorter key may stand in data by chance, so it is neither hidden there nor a reason to withhold
 * a response.
 */
export const MIN_LENGTH_IN_DATA = 8;

/** Whether a text contains a whole key of 8 characters or more, also encoded. */
export const repeatsKey = (key: string, text: string): boolean =>
  key.length >= MIN_LENGTH_IN_DATA && !findKey(key)(text).next().done;

// Finds an API key in a text. Escapes are decoded layer by layer, because a server may escape the
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
/** How many times a text may have been escaped. */
const MAX_LAYERS = 8;
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

/** A part of a key as it is, and with the escapes that it seems to contain decoded. */
function* formsOf(part: string): Generator<string> {
  let layer: Layer | undefined = { text: part, marks: [] };
  for (; layer && layer.text.length >= MIN_SECRET_LENGTH; layer = decodeEscapes(layer.text))
    yield comparable(layer.text);
}

/**
 * Creates a search for parts of a key. It yields each place where a part stands: in upper or lower
 * case, in escapes of URLs, JSON or HTML, escaped several times, or spread by invisible characters.
 */
function searchFor(parts: readonly string[]): FindKey {
  const forms = [...new Set(parts.flatMap((part) => [...formsOf(part)]))];
  return function* (text) {
    const layers: Layer[] = [];
    for (let decoded: string | undefined = text; decoded !== undefined; ) {
      const compared = comparable(decoded);
      for (const form of forms)
        for (let at = compared.indexOf(form); at >= 0; at = compared.indexOf(form, at + 1))
          yield {
            start: layers.reduceRight((place, layer) => placeBefore(layer, place, false), at),
            end: layers.reduceRight(
              (place, layer) => placeBefore(layer, place, true),
              at + form.length,
            ),
          };
      const layer: Layer | undefined =
        layers.length < MAX_LAYERS ? decodeEscapes(decoded) : undefined;
      if (layer) layers.push(layer);
      decoded = layer?.text;
    }
  };
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

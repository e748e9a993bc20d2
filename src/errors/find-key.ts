// Finds an API key in a text. The text is decoded layer by layer, because a list of encodings would
// miss the next one.

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
/** A shorter text in base64 or hexadecimal digits looks like any word. */
const MIN_RUN_LENGTH = 8;
/** How many encodings may be inside each other. */
const MAX_LAYERS = 8;
/** Characters that may be decoded for each character of a text, and at least. */
const MAX_WORK = { factor: 16, least: 100_000 };

/** HTML's names of printable ASCII: https://html.spec.whatwg.org/multipage/named-characters.html */
const ENTITIES = new Map(
  "excl! quot\" num# dollar$ percnt% amp& apos' lpar( rpar) ast* midast* plus+ comma, period. sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ UnderBar_ grave` lcub{ lbrace{ vert| verbar| rcub} rbrace}"
    .split(" ")
    .map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
);

/** An escape of URLs, of JSON and JavaScript, or of HTML; or characters that print nothing. */
const ESCAPE = new RegExp(
  `(?:%|\\\\x)(?<hex>[\\da-f]{2})|\\\\u(?<unicode>[\\da-f]{4})|(?:\\\\u\\{|&#x)0*(?<point>[\\da-f]{1,4})[;}]|&#0*(?<decimal>\\d{1,5});|\\\\(?<mark>["'\\\\/])|\\\\[bfnrt]|&(?<entity>\\w{2,8});|${UNPRINTABLE.source}`,
  "giu",
);

/**
 * The character that an escape stands for; empty if it prints nothing, undefined if it is no
 * escape.
 */
function unescaped(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { hex, unicode, point, decimal, mark, entity } = groups;
  if (entity) return ENTITIES.get(entity);
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

/** The place in the text before a layer that a place in the layer comes from. */
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

/**
 * Two groups of four characters whose six bytes print: what a key of eight characters has, wherever
 * its base64 begins.
 */
const PRINTABLE_BASE64 = /(?:[I-Za-f][C-HS-Xi-nyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){2}/;
const PRINTABLE_HEX = /(?:[2-7][\da-f]){8}/i;

/** The parts of decoded bytes that may contain a key: most bytes are no text. */
const printable = (text: string): string =>
  (text.match(/[\t\r\n -~]{8}[\t\r\n -~]*/g) ?? []).join(" ");

/**
 * The texts that a run of letters may stand for in base64, wherever the encoded text begins in it.
 */
function* fromBase64(run: string): Generator<string> {
  // Hashes and addresses are many, and no printable text is only hexadecimal digits in base64.
  if (/^[\da-fx]+$/i.test(run) || !PRINTABLE_BASE64.test(run)) return;
  // React Native before 0.74 has no `atob`.
  if (typeof atob !== "function") return;
  const standard = run.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "");
  for (let start = 0; start < 4; start++) {
    const isWhole = (standard.length - start) % 4 !== 1;
    yield printable(atob(standard.slice(start, isWhole ? undefined : -1)));
  }
}

const digitOf = (code: number): number => (code & 15) + (code > 64 ? 9 : 0);

/** The texts that a run of hexadecimal digits may stand for, wherever the first byte begins. */
function* fromHex(run: string): Generator<string> {
  const digits = run.replace(/[ :,-]+/g, "");
  if (!PRINTABLE_HEX.test(digits)) return;
  for (const start of [0, 1]) {
    const bytes = new Uint8Array((digits.length - start) >> 1);
    for (let at = 0, place = start; at < bytes.length; at++, place += 2)
      bytes[at] = digitOf(digits.charCodeAt(place)) * 16 + digitOf(digits.charCodeAt(place + 1));
    let text = "";
    // In parts, because a function takes a limited number of arguments.
    for (let at = 0; at < bytes.length; at += 8192)
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    yield printable(text);
  }
}

/**
 * Each pattern finds runs that may be an encoded text. A star follows a fixed count, because V8
 * overflows its stack on `{11,}` with millions of characters.
 */
const RUNS = [
  [/[\w+/-]{11}[\w+/-]*={0,2}/g, fromBase64],
  [/[\da-f][\da-f :,-]{14}[\da-f :,-]*/gi, fromHex],
] as const;

/**
 * A text as it is compared: case does not matter, and forms write a space as "+". Its length stays.
 */
const comparable = (text: string): string =>
  text.replaceAll("\u0130", "i").toLowerCase().replaceAll("+", " ");

/** A part of a key as it is, and with the escapes that it seems to contain decoded. */
function* formsOf(part: string): Generator<string> {
  let layer: Layer | undefined = { text: part, marks: [] };
  for (; layer && layer.text.length >= MIN_SECRET_LENGTH; layer = decodeEscapes(layer.text))
    yield comparable(layer.text);
}

/**
 * Creates a search for parts of a key. It yields each place where one stands: as it is in any case,
 * in escapes of URLs, JSON or HTML, spread by invisible characters, or inside base64 or hexadecimal
 * digits, several times encoded. A text that takes too long to decode counts as a place.
 */
function searchFor(parts: readonly string[]): FindKey {
  const forms = [...new Set(parts.flatMap((part) => [...formsOf(part)]))];
  const isLong = parts.every(({ length }) => length >= MIN_RUN_LENGTH);

  function* inLayer(text: string, depth: number, work: { left: number }): ReturnType<FindKey> {
    work.left -= text.length;
    if (work.left < 0) return yield { start: 0, end: text.length };
    const compared = comparable(text);
    for (const form of forms)
      for (let at = compared.indexOf(form); at >= 0; at = compared.indexOf(form, at + 1))
        yield { start: at, end: at + form.length };
    if (isLong && depth < MAX_LAYERS)
      for (const [pattern, decodings] of RUNS)
        for (const { 0: run, index } of text.matchAll(pattern))
          for (const decoded of decodings(run))
            if (!inLayers(decoded, depth + 1, work).next().done) {
              yield { start: index, end: index + run.length };
              break;
            }
  }

  function* inLayers(text: string, from: number, work: { left: number }): ReturnType<FindKey> {
    yield* inLayer(text, from, work);
    const layers: Layer[] = [];
    let layer = decodeEscapes(text);
    for (let depth = from + 1; layer && depth <= MAX_LAYERS; depth++) {
      layers.unshift(layer);
      for (const { start, end } of inLayer(layer.text, depth, work))
        yield {
          start: layers.reduce((place, one) => placeBefore(one, place, false), start),
          end: layers.reduce((place, one) => placeBefore(one, place, true), end),
        };
      layer = decodeEscapes(layer.text);
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

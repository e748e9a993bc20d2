// Finds an API key in a text. Decodes the text layer by layer, because a server that repeats a
// request in its message may have encoded it again.

import { UNPRINTABLE } from "../models/mismatch.ts";

/** A part of a text: from `start` up to and not including `end`. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
}

/** Finds the spans of a key in a text. */
export type FindKey = (text: string) => Generator<KeySpan, void, undefined>;

/** A shorter key is not hidden, because any text contains it by chance. */
export const MIN_SECRET_LENGTH = 4;
/** A shorter key or encoded text looks like any word. */
const MIN_RUN_LENGTH = 8;
/** How many times a text may have been encoded. */
const MAX_LAYERS = 8;
/**
 * How many characters to search, in a text and its decoded forms, so that the time of a search
 * depends only on the length of the text.
 */
const MAX_CHARACTERS = { perCharacter: 4, more: 2 ** 22 };
/** How many escapes to decode, and how many of them take as long as decoding one run. */
const [MAX_ESCAPES, ESCAPES_PER_RUN] = [2 ** 20, 4];
/** The marks that HTML can escape by name: https://html.spec.whatwg.org/#named-character-references */
const ENTITIES: ReadonlyMap<string | undefined, string> = new Map(
  `excl ! quot " num # dollar $ percnt % amp & apos ' lpar ( rpar ) ast * midast * plus + comma , period . sol / colon : semi ; lt < equals = gt > quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] hat ^ lowbar _ grave \` lcub { lbrace { verbar | vert | rcub } rbrace }`
    .match(/\S+ \S/g)
    ?.map((entity) => [entity.slice(0, -2), entity.slice(-1)]),
);

/** Matches escapes of URLs, JSON, JavaScript and HTML, and unprintable characters. */
const ESCAPE = new RegExp(
  `(?:%|\\\\x)(?<hex>[\\da-f]{2})|[%\\\\]u(?<unicode>[\\da-f]{4})|(?:\\\\[ux]\\{|&#x)0*(?<point>[\\da-f]{1,4})[;}]|&#0*(?<decimal>\\d{1,5});|\\\\(?<mark>["'\\\\/])|\\\\[bfnrt]|&(?<entity>[a-z]{2,6});|${UNPRINTABLE.source}`,
  "giu",
);

/** Returns the character of an escape; empty if it is unprintable, undefined if it is no escape. */
function unescaped(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { hex, unicode, point, decimal, mark, entity } = groups;
  if (entity) return ENTITIES.get(entity.toLowerCase());
  const digits = hex ?? unicode ?? point;
  if (digits) return String.fromCharCode(Number.parseInt(digits, 16));
  return decimal ? String.fromCharCode(Number(decimal)) : (mark ?? "");
}

interface Layer {
  readonly text: string;
  /** For each escape: its end in the decoded text, its end in the encoded text, its new length. */
  readonly marks: readonly number[];
}

/** The number of characters and escapes that a search may still read. */
interface Work {
  characters: number;
  escapes: number;
}

/** Decodes the escapes of a text once, as many as the work allows; undefined if it has none. */
function decodeEscapes(text: string, work: Work): Layer | undefined {
  const marks: number[] = [];
  let decoded = "";
  let end = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const character = unescaped(match.groups ?? {});
    if (character === undefined) continue;
    if (--work.escapes < 0) break;
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
    // A removed character at the very end of a span is not part of the span.
    if (at < place || (at === place && (!isEnd || marks[middle * 3 + 2]))) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return place;
  const [at = 0, before = 0] = marks.slice(low * 3 - 3, low * 3 - 1);
  return before + place - at;
}

/** Normalizes case, and the "+" that HTML forms write for a space, without changing the length. */
const comparable = (text: string): string =>
  text.replaceAll("\u0130", "i").toLowerCase().replaceAll("+", " ");

/** Matches the beginning of an escape, which the text after a key may complete. */
const BEGUN_ESCAPE = /(?:%[\da-f]?|\\(?:x[\da-f]?|u[\da-f]{0,3})?|&#?\w{0,6})$/i;

/** Yields a part of a key as it is, and with the escapes decoded that it seems to contain. */
function* formsOf(part: string): Generator<string> {
  const work = { characters: part.length, escapes: MAX_ESCAPES };
  let layer: Layer | undefined = { text: part, marks: [] };
  for (; layer && layer.text.length >= MIN_SECRET_LENGTH; layer = decodeEscapes(layer.text, work))
    yield comparable(layer.text);
}

/** Returns the readable parts of bytes. Drops zeros, because .NET encodes text as UTF-16. */
const printable = (bytes: string): string =>
  (bytes.replaceAll("\0", "").match(/[\t\r\n -~]{8}[\t\r\n -~]*/g) ?? []).join(" ");

/** Decodes base64 from each of the first 4 characters on, because other text may precede it. */
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

/** Decodes hexadecimal digits from each of the first 2 digits on. */
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
 * For base64 and hexadecimal: a pattern of encoded runs, a pattern that a run of printable text
 * must also match, and the decoder. The patterns repeat with a star, because V8 overflows its stack
 * on `{11,}` with millions of characters.
 */
const RUNS = [
  // Skips hashes and addresses, because the base64 of printable text is never only hexadecimal.
  [/[\w+/-]{11}[\w+/-]*={0,2}/g, /[^\da-fx]/i, fromBase64],
  [
    /[\da-f][\da-f :,-]{14}[\da-f :,-]*/gi,
    /(?:[2-7][ :,-]*[\da-f][ :,-]*(?:00[ :,-]*)?){8}/i,
    fromHex,
  ],
] as const;

/**
 * Creates a search for parts of a key. It finds them in any case, in escapes of URLs, JSON or HTML,
 * spread by invisible characters, and in base64 or hexadecimal digits, even if encoded several
 * times. A text that takes too long to decode counts as a part of the key.
 */
function searchFor(parts: readonly string[]): FindKey {
  const wholes = parts.flatMap((part) => [part, part.replace(BEGUN_ESCAPE, "")]);
  const forms = [...new Set(wholes.flatMap((part) => [...formsOf(part)]))];
  const isLong = parts.every(({ length }) => length >= MIN_RUN_LENGTH);

  function* inRuns(text: string, depth: number, work: Work): ReturnType<FindKey> {
    for (const [pattern, mayPrint, decodings] of RUNS) {
      // Remembers runs, because each record repeats the names of fields.
      const checked = new Map<string, boolean>();
      for (const { 0: run, index } of text.matchAll(pattern)) {
        if (!mayPrint.test(run)) continue;
        let hasKey = checked.get(run);
        if (hasKey === undefined) {
          work.escapes -= ESCAPES_PER_RUN;
          if (work.escapes < 0) return;
          hasKey = decodings(run).some(
            (decoded) => decoded !== "" && !inLayers(decoded, depth, work).next().done,
          );
          checked.set(run, hasKey);
        }
        if (hasKey) yield { start: index, end: index + run.length };
      }
    }
  }

  function* inLayers(text: string, depth: number, work: Work): ReturnType<FindKey> {
    const layers: Layer[] = [];
    for (let decoded: string | undefined = text; decoded !== undefined; ) {
      work.characters -= decoded.length;
      const spans: KeySpan[] = [];
      const compared = comparable(decoded);
      for (const form of forms)
        for (let at = compared.indexOf(form); at >= 0; at = compared.indexOf(form, at + 1))
          spans.push({ start: at, end: at + form.length });
      if (isLong && depth + layers.length < MAX_LAYERS)
        for (const span of inRuns(decoded, depth + layers.length + 1, work)) spans.push(span);
      for (const { start, end } of spans)
        yield {
          start: layers.reduceRight((place, layer) => placeBefore(layer, place, false), start),
          end: layers.reduceRight((place, layer) => placeBefore(layer, place, true), end),
        };
      const layer: Layer | undefined =
        depth + layers.length < MAX_LAYERS ? decodeEscapes(decoded, work) : undefined;
      if (work.characters < 0 || work.escapes < 0) return yield { start: 0, end: text.length };
      if (layer) layers.push(layer);
      decoded = layer?.text;
    }
  }

  return (text) =>
    inLayers(text, 0, {
      characters: text.length * MAX_CHARACTERS.perCharacter + MAX_CHARACTERS.more,
      escapes: MAX_ESCAPES,
    });
}

/** Creates a search for a whole key. */
export const findKey = (key: string): FindKey => searchFor([key]);

/** So many characters of a key are hidden, because an excerpt may begin or end inside the key. */
const PART_LENGTH = 8;

/** Creates a function that hides a key and each of its parts of 8 characters, even if encoded. */
export function redactor(key: string | undefined): (text: string) => string {
  if (key === undefined || key.length < MIN_SECRET_LENGTH) return (text) => text;
  const parts = [key];
  for (let start = 0; start + PART_LENGTH < key.length + 1; start++)
    parts.push(key.slice(start, start + PART_LENGTH));
  const find = searchFor(parts);
  return (text) => hideSpans(text, find(text));
}

const HIDDEN = "[api-key]";

/** Replaces spans of a text. Overlapping spans are replaced once. */
export function hideSpans(text: string, spans: Iterable<KeySpan>): string {
  const sorted = [...spans].sort((left, right) => left.start - right.start);
  let hidden = "";
  let done = 0;
  for (const [index, { start, end }] of sorted.entries()) {
    if (index === 0 || start > done) hidden += text.slice(done, start) + HIDDEN;
    done = Math.max(done, end);
  }
  return hidden + text.slice(done);
}

/** A shorter key may be in data by chance, so it is not hidden there, and withholds no response. */
export const MIN_LENGTH_IN_DATA = 8;

/** Whether a text contains a whole key of at least 8 characters, even if encoded. */
export const repeatsKey = (key: string, text: string): boolean =>
  key.length >= MIN_LENGTH_IN_DATA && !findKey(key)(text).next().done;

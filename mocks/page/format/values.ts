// Numbers, times and texts for people: grouped digits, amounts cut to what fits, sizes, durations, and what a text may show.
import { formatTokenAmount } from "../../../src/resources/display.ts";

/** 1234567 as "1,234,567", for any size. */
export const grouped = (value: bigint | number | string | null): string =>
  String(value ?? "unknown").replace(/\B(?=(\d{3})+$)/g, ",");

/** The exact amount with grouped digits: "1,234.000000000000000001". */
export function exactAmount(value: bigint, decimals: number | null): string {
  const [whole = "0", fraction] = formatTokenAmount(value, decimals).split(".");
  return grouped(whole) + (fraction === undefined ? "" : `.${fraction}`);
}

/** The amount with at most `places` decimals, cut, never rounded up; "<0.0001" for less than it can show. */
export function shortAmount(value: bigint, decimals: number | null, places = 5): string {
  const exact = exactAmount(value, decimals);
  const [whole = "0", fraction = ""] = exact.split(".");
  const shown = fraction.slice(0, places).replace(/0+$/, "");
  if (value !== 0n && whole === "0" && shown === "") return `<0.${"0".repeat(places - 1)}1`;
  // 2^256 of a token without decimals has 78 digits.
  const digits = whole.replaceAll(",", "");
  if (digits.length > 20) return `${digits[0]}.${digits.slice(1, 5)}…e${digits.length - 1}`;
  return shown === "" ? whole : `${whole}.${shown}`;
}

export const byteCount = (count: number): string =>
  count < 1024 ? `${count} bytes` : `${grouped((count / 1024).toFixed(1))} kB`;

/** The beginning of a text that is too long. */
export const beginningOf = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

/** "12.5 %" */
export const share = (part: number | null, whole: number | null): string =>
  part === null || whole === null
    ? "unknown"
    : whole === 0
      ? ""
      : `${((100 * part) / whole).toFixed(1)} %`;

export const milliseconds = (ms: number): string =>
  ms < 10
    ? `${ms.toFixed(1)} ms`
    : ms < 1000
      ? `${Math.round(ms)} ms`
      : `${(ms / 1000).toFixed(1)} s`;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** What data says if it is a text, as some write into the input of a transfer. */
export function inputText(data: string): string | undefined {
  const pairs = data.slice(2, 4002).match(/../g) ?? [];
  try {
    const text = utf8.decode(Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)));
    return /\p{L}/u.test(text) && !/[^\P{C}\s]/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** `0x1234…abcd` */
export const shortHex = (hex: string, ends = 6): string =>
  hex.length <= 2 * ends + 4 ? hex : `${hex.slice(0, ends + 2)}…${hex.slice(-ends)}`;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "narrow" });

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Seconds between the steps of the page's clock, and some more for clocks that differ. */
const CLOCK_STEP = 15;

/** "5 min. ago"; a time ahead of the clock is "in 5 min.". */
export function ago(time: Date, now: number): string {
  const seconds = Math.round((time.getTime() - now) / 1000);
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  // The page's clock moves in steps.
  return seconds > -5 && seconds <= CLOCK_STEP ? "now" : relative.format(seconds, "second");
}

/** "2026-03-01 12:00:05 UTC" */
export const exactTime = (time: Date): string =>
  `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;

const local = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "medium",
});

/** "2026-03-01 13:00:05 GMT+1", where the reader is. */
export const localTime = (time: Date): string => {
  const [zone = ""] = /GMT.*$/.exec(time.toString()) ?? [];
  return `${local.format(time)} ${zone.replace(/ .*/, "")}`;
};

/** Control characters, what turns the direction of the text around it, and joiners that join no emoji. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it replaces.
  /(?:[\u0000-\u001f\u007f-\u009f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic}))+/gu;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The letters of a text as people count them: a family is one emoji. */
const lettersOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** The longest text that a hover shows. */
export const HOVER_LENGTH = 500;

/** One line without control characters, of at most `length` characters. */
export function oneLine(text: string, length: number): string {
  const isLong = text.length > 4 * length;
  // The last letter of a cut text may be half of one, and its last unit half a character.
  const cut = text.slice(0, 4 * length).replace(/[\ud800-\udbff]$/, "");
  const whole = isLong ? lettersOf(cut).slice(0, -1).join("") : text;
  const clean = whole.replace(UNPRINTABLE, "\ufffd").trim();
  const shown = lettersOf(clean);
  return shown.length <= length && !isLong ? clean : `${shown.slice(0, length - 1).join("")}…`;
}

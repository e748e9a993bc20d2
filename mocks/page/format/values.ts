// Formats numbers, amounts, times and texts for people.
import { formatTokenAmount } from "../../../src/resources/display.ts";

/** "1,234,567" */
export const grouped = (value: bigint | number | string | null): string =>
  String(value ?? "unknown").replace(/\B(?=(\d{3})+$)/g, ",");

/** All digits: "1,234.000000000000000001". */
export function exactAmount(value: bigint, decimals: number | null): string {
  const [whole = "0", fraction] = formatTokenAmount(value, decimals).split(".");
  return grouped(whole) + (fraction === undefined ? "" : `.${fraction}`);
}

/** Rounds an amount down to `places` decimals. Less than that is "<0.00001". */
export function shortAmount(value: bigint, decimals: number | null, places = 5): string {
  const exact = exactAmount(value, decimals);
  const [whole = "0", fraction = ""] = exact.split(".");
  const shown = fraction.slice(0, places).replace(/0+$/, "");
  if (value !== 0n && whole === "0" && shown === "") return `<0.${"0".repeat(places - 1)}1`;
  // An amount of a token without decimals may have 78 digits.
  const digits = whole.replaceAll(",", "");
  if (digits.length > 20) return `${digits[0]}.${digits.slice(1, 5)}…e${digits.length - 1}`;
  return shown === "" ? whole : `${whole}.${shown}`;
}

export const byteCount = (count: number): string =>
  count < 1024 ? `${count} bytes` : `${grouped((count / 1024).toFixed(1))} kB`;

export const beginningOf = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

/** "12.5 %". Never rounds a part up to 100 % or down to 0 %. */
export function share(part: bigint | number | null, whole: bigint | number | null): string {
  if (part === null || whole === null) return "unknown";
  if (BigInt(whole) === 0n) return "";
  const percent = Number((BigInt(part) * 10n ** 15n) / BigInt(whole)) / 1e13;
  if (BigInt(part) > 0n && percent < 0.00001) return "<0.00001 %";
  if (percent > 0 && percent < 0.01)
    return `${percent.toFixed(1 - Math.floor(Math.log10(percent))).replace(/0$/, "")} %`;
  const isWhole = BigInt(part) === BigInt(whole);
  return `${isWhole ? 100 : Math.min(Number(percent.toFixed(2)), 99.99)} %`;
}

export const milliseconds = (ms: number): string =>
  ms < 10
    ? `${ms.toFixed(1)} ms`
    : ms < 1000
      ? `${Math.round(ms)} ms`
      : `${(ms / 1000).toFixed(1)} s`;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes text in the input of a transaction, where some people leave a note. Returns undefined for
 * other data.
 */
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

/** Seconds between updates of the page's clock, plus a tolerance for clocks that differ. */
const CLOCK_STEP = 15;

/** "5m ago", or "in 5m" for a time ahead of the clock. Rounds down: 100 minutes are "1h ago". */
export function ago(time: Date, now: number): string {
  const seconds = Math.round((time.getTime() - now) / 1000);
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return seconds > -5 && seconds <= CLOCK_STEP ? "now" : relative.format(seconds, "second");
}

/** "2026-03-01 12:00:05 UTC" */
export const exactTime = (time: Date): string =>
  `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;

const local = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "medium",
});

/** "2026-03-01 13:00:05 GMT+1" in the reader's zone. */
export const localTime = (time: Date): string => {
  const [zone = ""] = /GMT.*$/.exec(time.toString()) ?? [];
  return `${local.format(time)} ${zone.replace(/ .*/, "")}`;
};

/** Control characters, marks of writing direction, and joiners outside of emoji. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
  /(?:[\u0000-\u001f\u007f-\u009f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic}))+/gu;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits a text into letters as people count them: an emoji of a family is one. */
const lettersOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Characters of a tooltip. */
export const HOVER_LENGTH = 500;

/** More than three combining marks on a letter, which would cover the rows around it. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;

/** One line without control characters and stacks of marks, of at most `length` letters. */
export function oneLine(text: string, length: number): string {
  const most = 4 * length;
  // A text may be of any length, and a letter of many marks.
  const flat = text.slice(0, 10 * most).replace(STACKED_MARKS, "$1");
  const isLong = flat.length > most || text.length > 10 * most;
  // A cut may split the last letter, and its last UTF-16 unit may be half a character.
  const cut = flat.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  const whole = isLong ? lettersOf(cut).slice(0, -1).join("") : flat;
  const clean = whole.replace(UNPRINTABLE, "\ufffd").trim();
  const shown = lettersOf(clean);
  return shown.length <= length && !isLong ? clean : `${shown.slice(0, length - 1).join("")}…`;
}

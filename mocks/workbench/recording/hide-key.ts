// Leaves the api-key out of what is recorded, and the data as it is.

/** What stands in place of the key. */
const HIDDEN = "[api-key]";

/** A shorter key is no secret, and replacing it would change everything. */
const MIN_KEY = 4;

/** Leaves one key out of texts. */
export interface HideKey {
  readonly inTarget: (text: string) => string;
  /** A header. */
  readonly inValue: (text: string) => string;
  readonly inBody: (text: string) => string;
}

/** Whether a key could be a part of data: it is short, or a number. */
export const mayBeData = (key: string): boolean => key.length < 8 || /^(0x)?[0-9a-f]+$/i.test(key);

/** A text in base64, wherever it begins in what is encoded: without the letters that depend on what stands around it. */
const inBase64 = (text: string): readonly string[] =>
  [0, 2, 3].map((from, before) => {
    const bytes = Buffer.from("_".repeat(before) + text);
    return bytes.toString("base64").slice(from, Math.floor((bytes.length * 8) / 6));
  });

/** Ways to write a key: as it is, in a URL, in JSON, in base64. */
function formsOf(key: string): readonly string[] {
  const whole = Buffer.from(key).toString("base64");
  const base64 = [whole, whole.replace(/=+$/, ""), ...inBase64(key)];
  const fully = [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
  return [
    ...new Set([
      ...[key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), fully.join("")],
      new URLSearchParams({ key }).toString().slice("key=".length),
      ...base64.flatMap((one) => [
        one,
        encodeURIComponent(one),
        one.replaceAll("+", "-").replaceAll("/", "_"),
      ]),
    ]),
  ].sort((one, other) => other.length - one.length);
}

const unchanged = (text: string) => text;
const none: HideKey = { inTarget: unchanged, inValue: unchanged, inBody: unchanged };

/** The key asked last is asked again. */
let last: { readonly key: string; readonly hide: HideKey } | undefined;

/** How to leave a key out. One that could be data is left out only where a header, a parameter or a JSON string is exactly the key. */
export function hideKey(key: string | undefined): HideKey {
  if (key === undefined || key.length < MIN_KEY) return none;
  if (last?.key !== key) last = { key, hide: create(key) };
  return last.hide;
}

function create(key: string): HideKey {
  const forms = formsOf(key)
    .map((form) => form.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&"))
    .join("|");
  const replace = (before: string, after: string) => {
    const pattern = new RegExp(`${before}(?:${forms})${after}`, "gi");
    return (text: string) => text.replace(pattern, HIDDEN);
  };
  if (!mayBeData(key)) {
    const hide = replace("", "");
    return { inTarget: hide, inValue: hide, inBody: hide };
  }
  return {
    inTarget: replace("(?<==)", "(?=&|$)"),
    inValue: replace("(?<![^\\s=:;,])", "(?![^\\s;,])"),
    inBody: replace('(?<=")', '(?=")'),
  };
}

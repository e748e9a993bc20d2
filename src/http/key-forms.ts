// The ways in which a text may repeat the API key, so that none gets where it must not: to a page, or into a recording.

const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** A text in base64, wherever it begins in what is encoded: without the letters that depend on what stands around it. */
const inBase64 = (bytes: Uint8Array): readonly string[] =>
  [0, 2, 3].map((from, before) => {
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return btoa("_".repeat(before) + textOf(bytes)).slice(from, end);
  });

/** A key as it is, in a URL, in JSON, in base64; the longest first. Case does not matter. */
export function formsOfKey(key: string): readonly string[] {
  const bytes = new TextEncoder().encode(key);
  const whole = btoa(textOf(bytes));
  const base64 = [whole, whole.replace(/=+$/, ""), ...inBase64(bytes)];
  const fully = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
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

/** Shorter keys are not secret: they stand in any text. */
const MIN_SECRET_LENGTH = 8;

/** The forms of a key that must not show: none of a short one. */
export const secretForms = (key: string): readonly string[] =>
  key.length < MIN_SECRET_LENGTH ? [] : formsOfKey(key);

/** Whether a text contains the key, in any of its forms. */
export function repeatsKey(key: string, text: string): boolean {
  const lower = text.toLowerCase();
  return secretForms(key).some((form) => lower.includes(form.toLowerCase()));
}

// Leaves the api-key out of what is recorded, and the data as it is.
import {
  findKey,
  hideSpans,
  type KeySpan,
  MIN_LENGTH_IN_DATA,
  MIN_SECRET_LENGTH,
} from "../../src/errors/find-key.ts";

export interface HideKey {
  readonly inTarget: (text: string) => string;
  /** A header. */
  readonly inValue: (text: string) => string;
  readonly inBody: (text: string) => string;
}

/** Whether a key could be a part of data: it is short, or a number. */
export const mayBeData = (key: string): boolean =>
  key.length < MIN_LENGTH_IN_DATA || /^(0x)?[0-9a-f]+$/i.test(key);

const unchanged = (text: string) => text;
const hideNothing: HideKey = { inTarget: unchanged, inValue: unchanged, inBody: unchanged };

/**
 * Returns functions that leave a key out. A key that could be data is left out only where it is a
 * whole header, parameter or JSON string, because otherwise the recording would lose data.
 */
export function hideKey(key: string | undefined): HideKey {
  if (key === undefined || key.length < MIN_SECRET_LENGTH) return hideNothing;
  const find = findKey(key);
  // `before` and `after` are the characters that a key which could be data stands between; an end
  // of the text counts, too.
  const hide = (before: RegExp, after: RegExp) => (text: string) => {
    const spans = [...find(text)];
    if (!mayBeData(key)) return hideSpans(text, spans);
    const isBetween = ({ start, end }: KeySpan) =>
      before.test(text.slice(0, start).slice(-1)) && after.test(text.slice(end, end + 1));
    return hideSpans(text, spans.filter(isBetween));
  };
  return {
    inTarget: hide(/^=$/, /^&?$/),
    inValue: hide(/^[\s=:;,]?$/, /^[\s;,]?$/),
    inBody: hide(/^"$/, /^"$/),
  };
}

/** Leaves two keys out. */
export const bothHidden = (one: HideKey, other: HideKey): HideKey => ({
  inTarget: (text) => other.inTarget(one.inTarget(text)),
  inValue: (text) => other.inValue(one.inValue(text)),
  inBody: (text) => other.inBody(one.inBody(text)),
});

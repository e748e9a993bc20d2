// Hides API keys in recorded texts, and keeps data that looks like a key.
import {
  findKey,
  hideSpans,
  type KeySpan,
  MIN_LENGTH_IN_DATA,
  MIN_SECRET_LENGTH,
} from "../../src/errors/find-key.ts";

/** Whether a key could be a part of data: it is short, or a number. */
export const mayBeData = (key: string): boolean =>
  key.length < MIN_LENGTH_IN_DATA || /^(0x)?[0-9a-f]+$/i.test(key);

/**
 * The characters before and after a whole parameter, header value or JSON string. The start and the
 * end of the text count, too.
 */
const borders = {
  target: [/^=$/, /^&?$/],
  header: [/^[\s=:;,]?$/, /^[\s;,]?$/],
  body: [/^"$/, /^"$/],
} as const;

/** Returns a text without the keys. */
export type HideKeys = (place: keyof typeof borders, text: string) => string;

/**
 * Returns a function that hides keys. It hides a key that could be data only where the key is a
 * whole parameter, header or JSON string, because otherwise the recording would lose data.
 */
export function createHideKeys(keys: readonly (string | undefined)[]): HideKeys {
  const secrets = keys.filter((key = "") => key.length >= MIN_SECRET_LENGTH) as string[];
  const searches = secrets.map((key) => ({ find: findKey(key), isAmbiguous: mayBeData(key) }));
  return (place, original) => {
    const [before, after] = borders[place];
    return searches.reduce((text, { find, isAmbiguous }) => {
      const isWhole = ({ start, end }: KeySpan) =>
        before.test(text.slice(0, start).slice(-1)) && after.test(text.slice(end, end + 1));
      const spans = [...find(text)];
      return hideSpans(text, isAmbiguous ? spans.filter(isWhole) : spans);
    }, original);
  };
}

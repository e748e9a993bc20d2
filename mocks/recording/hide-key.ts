// Leaves the api-key out of what is recorded, and the data as it is.
import { formsOfKey } from "../../src/http/key-forms.ts";

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
  const forms = formsOfKey(key)
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

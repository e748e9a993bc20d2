// The names that the reader gives to accounts, kept in the browser.
import { createStore, createStoredText } from "../store.ts";

/** As long as a name that an answer has. */
export const MAX_NAME = 60;

const stored = createStoredText(() => localStorage, "explorer-names");

/** Of what anybody may have written there, the pairs of texts. */
function read(): ReadonlyMap<string, string> {
  try {
    const pairs: unknown = JSON.parse(stored.get() || "[]");
    const isPair = (one: unknown): one is [string, string] =>
      Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === "string");
    return new Map(Array.isArray(pairs) ? pairs.filter(isPair) : []);
  } catch {
    return new Map();
  }
}

/** By lower-case address. */
const names = createStore(read());

/** Gives an account a name; an empty one takes it away. */
export function nameAccount(address: string, name: string): void {
  const changed = new Map(names.get());
  const text = name.trim().slice(0, MAX_NAME);
  if (text === "") changed.delete(address.toLowerCase());
  else changed.set(address.toLowerCase(), text);
  names.set(changed);
  stored.set(changed.size === 0 ? "" : JSON.stringify([...changed]));
}

/** The reader's own name for an account; undefined without one. */
export const useOwnName = (address: string): string | undefined =>
  names.use().get(address.toLowerCase());

/** The accounts whose names contain a text. */
export const findOwnNames = (text: string) =>
  [...names.get()]
    .filter(([, name]) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .map(([address, name]) => ({ address, name }));

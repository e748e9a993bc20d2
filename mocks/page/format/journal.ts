// The requests that the page keeps of a journal.
import type { Entry } from "../service/admin.ts";

/** Older requests are not kept on the page. */
export const maxEntries = 1000;

/** The entries with those that changed in their places, and the newest of them all. */
export function merged(
  entries: readonly Entry[],
  changed: readonly Entry[],
  most = maxEntries,
): readonly Entry[] {
  if (changed.length === 0) return entries;
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  for (const entry of changed) byNumber.set(entry.number, entry);
  return [...byNumber.values()].sort((one, other) => one.number - other.number).slice(-most);
}

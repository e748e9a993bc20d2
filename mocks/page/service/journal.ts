// The journal as it grows: asked for what changed, kept up to a number of requests.
import { admin, type Entry, JournalChanges } from "./admin.ts";

/** Older requests are not kept on the page. */
export const maxEntries = 1000;

export interface JournalState {
  readonly generation: number;
  readonly revision: number;
  /** Oldest first. */
  readonly entries: readonly Entry[];
}

const nothing: JournalState = { generation: 0, revision: 0, entries: [] };

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

/** What is known after asking again; the same object where nothing has changed. */
export async function readJournal(
  known: JournalState | undefined,
  signal: AbortSignal,
): Promise<JournalState> {
  const after = known === undefined ? "" : `after=${known.revision}&`;
  const answer = await admin(`GET journal?${after}limit=${maxEntries}`, JournalChanges, { signal });
  const { generation, revision } = answer;
  if (known !== undefined && known.generation !== generation) return readJournal(undefined, signal);
  if (known !== undefined && known.revision === revision) return known;
  const { entries } = known ?? nothing;
  return { generation, revision, entries: merged(entries, answer.entries) };
}

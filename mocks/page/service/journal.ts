// The journal as it grows: asked for what changed, kept up to a number of requests.
import { maxEntries, merged } from "../format/journal.ts";
import { admin, type Entry } from "./admin.ts";

export interface JournalState {
  readonly generation: number;
  readonly revision: number;
  /** Oldest first. */
  readonly entries: readonly Entry[];
}

const nothing: JournalState = { generation: 0, revision: 0, entries: [] };

/** What is known after asking again; the same object where nothing has changed. */
export async function readJournal(
  known: JournalState | undefined,
  signal: AbortSignal,
): Promise<JournalState> {
  const answer = await admin("journal", { after: known?.revision, limit: maxEntries }, { signal });
  const { generation, revision } = answer;
  if (known !== undefined && known.generation !== generation) return readJournal(undefined, signal);
  if (known !== undefined && known.revision === revision) return known;
  const { entries } = known ?? nothing;
  return { generation, revision, entries: merged(entries, answer.entries) };
}

// The newest requests of an explorer or a tenant in order of arrival, and the changes since a
// revision.
import { type JournalEntry, noStrings, type OpenEntry, withoutKey } from "../message/notes.ts";
import { Exchanges, hiddenBeginning } from "./exchanges.ts";
import { journalInput } from "./journal-entry.ts";

/** The newest entries are kept, because a server may run for days. */
export const JOURNAL_ENTRIES = 10_000;

/** The newest entries kept for each tenant, of which there may be a thousand. */
export const TENANT_ENTRIES = 1000;

/** Maximum number of characters of a target or a message that are kept. */
const MAX_TEXT = 2000;

/** A change of a journal, and the entries it concerns. */
export interface JournalChanges {
  /**
   * Changes when the journal is cleared: earlier entries are gone, and numbers start at 1 again.
   */
  readonly generation: number;
  /** Number of the last change reported. The next request asks for the changes after it. */
  readonly revision: number;
  /** The number of the oldest entry that is kept; null without entries. */
  readonly first: number | null;
  /** Entries that arrived or were answered, in order of the change. */
  readonly entries: readonly JournalEntry[];
}

/** A journal as the service writes it; {@link Journal} reads it. */
export class RequestLog {
  readonly exchanges: Exchanges;
  readonly #entries: JournalEntry[] = [];
  /** The last change of each entry. */
  readonly #revisions = new WeakMap<JournalEntry, number>();
  readonly #limit: number;
  #revision = 0;
  #generation = 1;
  #count = 0;

  constructor(limit = JOURNAL_ENTRIES, exchanges = new Exchanges()) {
    this.#limit = limit;
    this.exchanges = exchanges;
  }

  /** All requests that are kept, in order. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /**
   * Adds the entry of a request that arrives, and drops the oldest entry above the limit. {@link
   * close} writes the outcome.
   */
  open({
    method,
    target,
    operation,
    at,
  }: Pick<JournalEntry, "method" | "target" | "operation" | "at">): OpenEntry {
    const entry: OpenEntry = {
      number: ++this.#count,
      method,
      target: withoutKey(target).slice(0, MAX_TEXT),
      operation,
      input: undefined,
      status: 0,
      message: undefined,
      notes: noStrings,
      faults: noStrings,
      at,
      duration: 0,
    };
    this.#entries.push(entry);
    if (this.#entries.length > this.#limit) this.#entries.shift();
    this.#revisions.set(entry, ++this.#revision);
    return entry;
  }

  /**
   * Writes the outcome of a request into its entry. `hide` removes keys, because another explorer
   * may have written the message.
   */
  close(
    entry: OpenEntry,
    { message, ...outcome }: Pick<JournalEntry, "status" | "message" | "duration">,
    hide = (text: string): string => text,
  ): void {
    Object.assign(entry, outcome);
    entry.message = message && hiddenBeginning(message, MAX_TEXT, hide);
    if (entry.notes.length > 0) entry.notes = entry.notes.map(hide);
    if (entry.input) entry.input = journalInput(entry.input);
    this.#revisions.set(entry, ++this.#revision);
  }

  /** Forgets all requests; numbers start at 1 again. */
  clear(): void {
    this.exchanges.forget(this.#entries);
    this.#entries.length = 0;
    this.#generation += 1;
    this.#count = 0;
  }

  /**
   * Returns up to `limit` entries that changed after a revision, the earliest change first. Without
   * a revision, returns the newest entries.
   */
  changes({
    after,
    limit,
  }: {
    readonly after?: number | undefined;
    readonly limit: number;
  }): JournalChanges {
    const generation = this.#generation;
    const first = this.#entries[0]?.number ?? null;
    const last = this.#revision;
    if (after === undefined)
      return { generation, revision: last, first, entries: this.#entries.slice(-limit) };
    const revisionOf = (entry: JournalEntry) => this.#revisions.get(entry) ?? 0;
    const entries = this.#entries
      .filter((entry) => revisionOf(entry) > after)
      .sort((left, right) => revisionOf(left) - revisionOf(right))
      .slice(0, limit);
    const end = entries.at(-1);
    const revision = end === undefined || entries.length < limit ? last : revisionOf(end);
    return { generation, revision, first, entries };
  }
}

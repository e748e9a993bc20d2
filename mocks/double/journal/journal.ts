// The journal: every request in order of arrival, within a budget of bytes, and assertions on the requests.
import { type OperationId, operations } from "../../../src/contract/index.ts";
import { type OperationKey, operationLabel } from "../../../src/contract/operation-names.ts";
import { decimalJson } from "./decimal-json.ts";
import type { Exchanges } from "./exchanges.ts";
import { JournalBudget } from "./journal-budget.ts";
import {
  differences,
  formatEntry,
  formatParameters,
  type JournalEntry,
  JournalError,
  knownOperation,
  noStrings,
  type OpenEntry,
  type RequestParameters,
  requestCount,
  withoutKey,
} from "./journal-entry.ts";

/** How many entries are kept: a server may run for days. */
const DEFAULT_LIMIT = 10_000;

interface JournalOptions {
  /** The minimum number of requests to keep, if the budget allows. @default 10_000 */
  readonly limit?: number;
  /** The bytes it may hold; journals with the same budget share them. */
  readonly budget?: JournalBudget;
}

/** A change of a journal, and the entries it concerns. */
export interface JournalChanges {
  /** Another number once the journal was cleared: earlier entries are gone, and numbers start at 1 again. */
  readonly generation: number;
  /** The last change reported: the next request asks for what follows it. */
  readonly revision: number;
  /** The number of the oldest entry that is kept; null without entries. */
  readonly first: number | null;
  /** Those that arrived or were answered, in order of the change. */
  readonly entries: readonly JournalEntry[];
}

/** Bytes of an entry without its texts. */
const ENTRY_BYTES = 512;

/** A character takes up to two bytes. */
const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((bytes, text) => bytes + 2 * text.length, 0);

/** The requests an explorer received: at least the newest 10,000 if they fit into 32 MiB. `mock.journal`. */
export class Journal {
  readonly #entries: JournalEntry[] = [];
  /** The bytes of each entry. */
  readonly #sizes: number[] = [];
  /** The last change of each entry. */
  readonly #revisions: number[] = [];
  #revision = 0;
  #generation = 1;
  readonly #limit: number;
  #budget: JournalBudget;
  #bytes = 0;
  #count = 0;

  constructor({ limit = DEFAULT_LIMIT, budget = new JournalBudget() }: JournalOptions = {}) {
    this.#limit = limit;
    this.#budget = budget;
    budget.join(this);
  }

  /** The approximate bytes of all requests that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** All requests that are kept, in order. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** For transports: the newest requests in full, of all journals with the same budget. */
  get exchanges(): Exchanges {
    return this.#budget.exchanges;
  }

  /** For transports: opens the entry of a request on arrival; the outcome is written into it later. */
  open(arrival: Pick<JournalEntry, "method" | "target" | "operation" | "at">): OpenEntry {
    const entry: OpenEntry = {
      number: ++this.#count,
      method: arrival.method,
      target: withoutKey(arrival.target),
      operation: arrival.operation,
      input: undefined,
      status: 0,
      message: undefined,
      notes: noStrings,
      faults: noStrings,
      at: arrival.at,
      duration: 0,
    };
    this.#entries.push(entry);
    this.#sizes.push(0);
    this.#revisions.push(++this.#revision);
    // By halves: shifting all entries for every request would cost more than the request.
    if (this.#entries.length > 2 * this.#limit) this.#budget.spend(-this.forgetHalf());
    // The parameters repeat the target.
    this.#charge(entry, ENTRY_BYTES + 2 * bytesOf([entry.target]));
    return entry;
  }

  /** For transports: writes the outcome of a request into its entry. */
  close(entry: OpenEntry, outcome: Pick<JournalEntry, "status" | "message" | "duration">): void {
    entry.status = outcome.status;
    entry.message = outcome.message;
    entry.duration = outcome.duration;
    const index = this.#indexOf(entry);
    if (index !== undefined) this.#revisions[index] = ++this.#revision;
    const { operation, input, message = "", notes, faults } = entry;
    const hasBody = operation !== undefined && operations[operation].places.body.length > 0;
    const body = (hasBody && decimalJson(input)) || "";
    const bytes = bytesOf([message, body]) + bytesOf(notes) + bytesOf(faults);
    if (bytes > 0) this.#charge(entry, bytes);
  }

  /** The place of an entry; undefined once it is forgotten. */
  #indexOf(entry: JournalEntry): number | undefined {
    const index = entry.number - (this.#entries[0]?.number ?? 0);
    return this.#entries[index] === entry ? index : undefined;
  }

  /** Adds to the bytes of an entry, unless it is forgotten. */
  #charge(entry: JournalEntry, bytes: number): void {
    const index = this.#indexOf(entry);
    if (index === undefined) return;
    this.#sizes[index] = (this.#sizes[index] ?? 0) + bytes;
    this.#bytes += bytes;
    this.#budget.spend(bytes);
  }

  /** For the budget: forgets the older half of the requests; returns the bytes they had. */
  forgetHalf(): number {
    const half = Math.ceil(this.#entries.length / 2);
    for (const entry of this.#entries.splice(0, half)) this.exchanges.forget(entry);
    this.#revisions.splice(0, half);
    const bytes = this.#sizes.splice(0, half).reduce((sum, size) => sum + size, 0);
    this.#bytes -= bytes;
    return bytes;
  }

  /** Forgets all requests; numbers start at 1 again. */
  clear(): void {
    for (const entry of this.#entries) this.exchanges.forget(entry);
    this.#entries.length = 0;
    this.#sizes.length = 0;
    this.#revisions.length = 0;
    this.#generation += 1;
    this.#budget.spend(-this.#bytes);
    this.#bytes = 0;
    this.#count = 0;
  }

  /** Up to `limit` entries that changed after a revision, the earliest change first; without one, the newest `limit` entries. */
  changes({
    after,
    limit,
  }: {
    readonly after?: number | undefined;
    readonly limit: number;
  }): JournalChanges {
    const generation = this.#generation;
    const first = this.#entries[0]?.number ?? null;
    if (after === undefined)
      return { generation, revision: this.#revision, first, entries: this.#entries.slice(-limit) };
    const changed: { readonly entry: JournalEntry; readonly revision: number }[] = [];
    for (const [index, revision] of this.#revisions.entries()) {
      const entry = this.#entries[index];
      if (revision > after && entry !== undefined) changed.push({ entry, revision });
    }
    const page = changed.sort((one, other) => one.revision - other.revision).slice(0, limit);
    const revision = page.length < limit ? this.#revision : (page.at(-1)?.revision ?? after);
    return { generation, revision, first, entries: page.map(({ entry }) => entry) };
  }

  /** For the explorer: leaves the budget it shares, when its tenant is dropped. */
  leaveBudget(): void {
    for (const entry of this.#entries) this.exchanges.forget(entry);
    this.#budget.leave(this);
    this.#budget = new JournalBudget();
    this.#budget.join(this);
  }

  /**
   * The requests of an operation, named by number or by the client's method, with these parameters if any are given.
   *
   * @example
   * await explorer.accounts.transactions(address, { condition: "to" });
   * mock.journal.find("accounts.transactions", { condition: "to" }).map(({ status }) => status).join(); // "200"
   */
  find<Key extends OperationKey>(
    operation: Key,
    parameters: RequestParameters<Key> = {},
  ): readonly JournalEntry[] {
    const id = knownOperation(operation, parameters);
    return this.#entries.filter(
      (entry) => entry.operation === id && differences(entry, parameters).length === 0,
    );
  }

  /**
   * The number of requests, or of those of an operation with these parameters.
   *
   * @example
   * await explorer.accounts.balances(addresses);
   * mock.journal.count("accounts.balance"); // 1
   */
  count<Key extends OperationKey>(operation?: Key, parameters?: RequestParameters<Key>): number {
    return operation === undefined ? this.#entries.length : this.find(operation, parameters).length;
  }

  /** Near misses: requests that were refused or had parameters ignored, probably because of a typo. */
  nearMisses(): readonly JournalEntry[] {
    return this.#entries.filter(
      ({ status, notes }) => notes.length > 0 || [400, 404, 405].includes(status),
    );
  }

  /**
   * Returns the requests of an operation with these parameters. Throws a {@link JournalError} that lists the requests received instead, if
   * there are none, or not exactly `times` (0: never).
   *
   * @example
   * await explorer.accounts.transactions(address, { condition: "from" });
   * mock.journal.expect("accounts.transactions", { address_hash: address, condition: "from" });
   * mock.journal.expect("contracts.verify", {}, { times: 0 });
   */
  expect<Key extends OperationKey>(
    operation: Key,
    parameters: RequestParameters<Key> = {},
    { times }: { readonly times?: number } = {},
  ): readonly JournalEntry[] {
    const found = this.find(operation, parameters);
    if (times === undefined ? found.length > 0 : found.length === times) return found;
    const id = knownOperation(operation, parameters);
    throw new JournalError(this.#explain(id, parameters, found.length, times));
  }

  #explain(id: OperationId, parameters: object, found: number, times?: number): string {
    const given = Object.keys(parameters).length ? ` with ${formatParameters(parameters)}` : "";
    const expected = times === undefined ? "a request" : requestCount(times);
    const lines = [
      `expected ${expected} of ${operationLabel(id)}${given}, received ${found || "none"}.`,
    ];
    const ofOperation = this.#entries.filter((entry) => entry.operation === id);
    const nearest = ofOperation
      .map((entry) => ({ entry, differs: differences(entry, parameters) }))
      .sort((one, other) => one.differs.length - other.differs.length)
      .slice(0, 5);
    for (const { entry, differs } of nearest)
      lines.push(
        `  ${formatEntry(entry)}${differs.length ? `\n    differs in ${differs.join("; ")}` : ""}`,
      );
    if (ofOperation.length > nearest.length)
      lines.push(`  … and ${ofOperation.length - nearest.length} more`);
    if (ofOperation.length === 0)
      lines.push(
        this.#entries.length ? "Requests received:" : "No request was received.",
        ...this.#entries.slice(-10).map((entry) => `  ${formatEntry(entry)}`),
      );
    const misses = this.nearMisses()
      .filter((entry) => !ofOperation.includes(entry))
      .slice(-5);
    if (ofOperation.length && misses.length)
      lines.push("Near misses:", ...misses.map((entry) => `  ${formatEntry(entry)}`));
    return lines.join("\n");
  }
}

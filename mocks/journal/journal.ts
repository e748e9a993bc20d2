// The journal: the requests that an explorer received, and assertions on them.
import * as z from "zod/mini";
import type { OperationId } from "../../src/contract/index.ts";
import { type OperationKey, operationLabel } from "../../src/contract/operation-names.ts";
import { validOptions } from "../input/options.ts";
import { INSPECT, type JournalEntry } from "../message/notes.ts";
import {
  differences,
  formatEntry,
  formatParameters,
  JournalError,
  knownOperation,
  type RequestParameters,
  requestCount,
} from "./journal-entry.ts";
import type { RequestLog } from "./request-log.ts";

const expectSchema = z.strictObject({ times: z.optional(z.int().check(z.gte(0))) });

/**
 * The newest 10,000 requests that an explorer received, or the newest 1000 of a tenant:
 * `mock.journal`.
 */
export class Journal {
  readonly #log: RequestLog;

  constructor(log: RequestLog) {
    this.#log = log;
  }

  /** All requests that are kept, in order. */
  get entries(): readonly JournalEntry[] {
    return this.#log.entries;
  }

  /** Forgets all requests; numbers start at 1 again. */
  clear(): void {
    this.#log.clear();
  }

  /**
   * Returns the requests of an operation, named by its number or by the client's method. With
   * `parameters`, only the requests that have these parameters.
   *
   * @example
   * await explorer.accounts.transactions(address, { condition: "to" });
   * const [entry] = mock.journal.find("accounts.transactions", { condition: "to" });
   * entry?.status; // 200
   */
  find<Key extends OperationKey>(
    operation: Key,
    parameters: RequestParameters<Key> = {},
  ): readonly JournalEntry[] {
    const id = knownOperation(operation, parameters);
    return this.entries.filter(
      (entry) => entry.operation === id && differences(entry, parameters).length === 0,
    );
  }

  /**
   * Returns the number of requests, or of the requests of an operation with these parameters.
   *
   * @example
   * await explorer.accounts.balances(addresses);
   * mock.journal.count("accounts.balance"); // 1
   */
  count<Key extends OperationKey>(operation?: Key, parameters?: RequestParameters<Key>): number {
    if (operation === undefined && parameters !== undefined)
      throw new JournalError("count: expected the operation that has these parameters");
    return operation === undefined ? this.entries.length : this.find(operation, parameters).length;
  }

  /**
   * Throws a {@link JournalError} that lists the requests with a parameter that no operation reads,
   * or with a path or method that no operation has. A test that fails on them finds typing mistakes
   * that a real explorer would ignore, too.
   */
  expectNoNearMisses(): void {
    const misses = this.entries.filter(
      ({ status, operation, notes }) =>
        notes.length > 0 || (operation === undefined && [404, 405].includes(status)),
    );
    if (misses.length === 0) return;
    const lines = misses.slice(0, 10).map((entry) => `\n  ${formatEntry(entry)}`);
    const more =
      misses.length > lines.length ? `\n  … and ${misses.length - lines.length} more` : "";
    throw new JournalError(
      `expected no near misses, received ${requestCount(misses.length)}:${lines.join("")}${more}`,
    );
  }

  /**
   * The entries without times, so that a snapshot of them stays the same:
   * `expect(mock.journal.toJSON()).toMatchSnapshot()`.
   */
  toJSON(): readonly Omit<JournalEntry, "at" | "duration">[] {
    return this.entries.map(({ at, duration, ...entry }) => entry);
  }

  /** `console.log(mock.journal)` prints a line for each of the newest requests. */
  [INSPECT](): string {
    const lines = this.entries.slice(-20).map((entry) => `\n  ${formatEntry(entry)}`);
    return `Journal of ${requestCount(this.entries.length)}${lines.length ? ":" : ""}${lines.join("")}`;
  }

  /**
   * Near misses: requests that were refused or had parameters ignored, probably because of a typo.
   */
  nearMisses(): readonly JournalEntry[] {
    return this.entries.filter(
      ({ status, notes }) => notes.length > 0 || [400, 404, 405].includes(status),
    );
  }

  /**
   * Returns the requests of an operation with these parameters. Throws a {@link JournalError} that
   * lists the requests received instead, if there are none, or not exactly `times` (0: never).
   *
   * @example
   * await explorer.accounts.transactions(address, { condition: "from" });
   * mock.journal.expect("accounts.transactions", { address_hash: address, condition: "from" });
   * mock.journal.expect("contracts.verify", {}, { times: 0 });
   */
  expect<Key extends OperationKey>(
    operation: Key,
    parameters: RequestParameters<Key> = {},
    options: { readonly times?: number } = {},
  ): readonly JournalEntry[] {
    const { times } = validOptions("journal.expect", expectSchema, options);
    const matching = this.find(operation, parameters);
    if (times === undefined ? matching.length > 0 : matching.length === times) return matching;
    const id = knownOperation(operation, parameters);
    throw new JournalError(this.#explain(id, parameters, matching.length, times));
  }

  #explain(id: OperationId, parameters: object, count: number, times?: number): string {
    const condition = Object.keys(parameters).length ? ` with ${formatParameters(parameters)}` : "";
    const expected = times === undefined ? "a request" : requestCount(times);
    const lines = [
      `expected ${expected} of ${operationLabel(id)}${condition}, received ${count || "none"}.`,
    ];
    const ofOperation = this.entries.filter((entry) => entry.operation === id);
    const nearest = ofOperation
      .map((entry) => ({ entry, differs: differences(entry, parameters) }))
      .sort((left, right) => left.differs.length - right.differs.length)
      .slice(0, 5);
    for (const { entry, differs } of nearest)
      lines.push(
        `  ${formatEntry(entry)}${differs.length ? `\n    differs in ${differs.join("; ")}` : ""}`,
      );
    if (ofOperation.length > nearest.length)
      lines.push(`  … and ${ofOperation.length - nearest.length} more`);
    if (ofOperation.length === 0)
      lines.push(
        this.entries.length ? "Requests received:" : "No request was received.",
        ...this.entries.slice(-10).map((entry) => `  ${formatEntry(entry)}`),
      );
    const misses = this.nearMisses()
      .filter((entry) => !ofOperation.includes(entry))
      .slice(-5);
    if (ofOperation.length && misses.length)
      lines.push("Near misses:", ...misses.map((entry) => `  ${formatEntry(entry)}`));
    return lines.join("\n");
  }
}

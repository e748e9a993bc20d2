// The outcomes of the sources that tools submitted. Tools ask for an outcome later, by its id.
import { keepRecent } from "../message/keep-recent.ts";

/** Number of outcomes remembered. Tools ask within minutes. */
const MAX_REMEMBERED = 1000;

/** Returns an id that cannot be guessed. */
const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(25)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/**
 * The outcomes of one tenant's submissions, in the form of the API that received them. Drops the
 * oldest.
 */
export class Submissions {
  readonly #outcomes = new Map<string, unknown>();

  /** Adds an outcome and returns its id. */
  add(outcome: unknown): string {
    const id = newId();
    keepRecent(this.#outcomes, id, outcome, MAX_REMEMBERED);
    return id;
  }

  get(id: string): unknown {
    return this.#outcomes.get(id);
  }

  clear(): void {
    this.#outcomes.clear();
  }
}

// The recorded calls of a store, of which a later one replaces an earlier one with the same question.

const callKey = (call: Readonly<Record<string, unknown>>): string =>
  JSON.stringify([call.method, call.params]);

/** More lines than this beside those that count make it worth writing them anew. */
const MANY = 1000;

export class StoredCalls {
  readonly #lines = new Map<string, string>();
  #count = 0;

  add(call: Readonly<Record<string, unknown>>, line: string): void {
    this.#count += 1;
    this.#lines.set(callKey(call), line);
  }

  /** Whether most lines were replaced. */
  get isWasteful(): boolean {
    return this.#count > MANY + 2 * this.#lines.size;
  }

  lines(): readonly string[] {
    return [...this.#lines.values()];
  }
}

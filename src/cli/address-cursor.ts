// Marks a place in a list of addresses, so that a later run goes on behind it.
import { createHash } from "node:crypto";
import { InvalidArgumentError } from "commander";
import type { Address } from "../models/primitives.ts";

/** How many addresses are done, and which they were. */
export class AddressCursor {
  readonly #hash = createHash("sha256");
  #count = 0;

  add(addresses: readonly Address[]): string {
    for (const one of addresses) this.#hash.update(`${one.toLowerCase()}\n`);
    this.#count += addresses.length;
    return `${this.#count} ${this.#hash.copy().digest("hex")}`;
  }

  /** The addresses behind a cursor. Throws if those before it have changed. */
  rest(addresses: readonly Address[], cursor: string | undefined): readonly Address[] {
    if (cursor === undefined) return addresses;
    const count = Number.parseInt(cursor, 10);
    if (count > addresses.length || this.add(addresses.slice(0, count)) !== cursor)
      throw new InvalidArgumentError(
        "The addresses that were exported already have changed: only those behind them may, and new ones follow at the end",
      );
    return addresses.slice(count);
  }
}

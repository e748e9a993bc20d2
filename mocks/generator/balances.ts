// The balances of the coin, or of one token, after the transactions planned so far.
import type { Address } from "../chain/records.ts";

export class Balances {
  readonly #amounts: Map<Address, bigint>;

  constructor(initial: Iterable<readonly [Address, bigint]> = []) {
    this.#amounts = new Map(initial);
  }

  of(account: Address): bigint {
    return this.#amounts.get(account) ?? 0n;
  }

  add(account: Address, change: bigint): void {
    this.#amounts.set(account, this.of(account) + change);
  }
}

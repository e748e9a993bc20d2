// The balances of a generated MRC20 token after the transactions planned so far.
import type { Account } from "./account.ts";

export class Balances {
  /** By the account's number, which is found faster than its address. */
  readonly #amounts = new Map<number, bigint>();

  of({ index }: Account): bigint {
    return this.#amounts.get(index) ?? 0n;
  }

  add(account: Account, change: bigint): void {
    this.#amounts.set(account.index, this.of(account) + change);
  }
}

// What everybody can still spend within the block being made.

/** Balances as the chain has them, with the changes of the block that is not yet on it. */
export class PendingBalances {
  readonly #balances = new Map<string, bigint>();
  readonly #onChain: (key: string) => bigint;

  constructor(onChain: (key: string) => bigint) {
    this.#onChain = onChain;
  }

  balance(key: string): bigint {
    return this.#balances.get(key) ?? this.#onChain(key);
  }

  add(key: string, change: bigint): void {
    this.#balances.set(key, this.balance(key) + change);
  }

  /** To be called when the block is on the chain. */
  clear(): void {
    this.#balances.clear();
  }
}

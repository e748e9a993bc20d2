// The balances on a chain with the changes of the block in progress.

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

  /** Call this when the block is on the chain. */
  clear(): void {
    this.#balances.clear();
  }
}

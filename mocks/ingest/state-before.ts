// The balances and nonces that steps leave open: what a node said of them before a block, and what the block has changed since.
import type { Address } from "../chain/records.ts";

/** A fact about the state before a block. */
export interface StateFact {
  readonly method: "eth_getBalance" | "eth_getTransactionCount";
  readonly address: Address;
}

const keyOf = ({ method, address }: StateFact) => `${method} ${address}`;

/** The state before a block, as far as it is known; notes what is missing. */
export class StateBefore {
  readonly #known = new Map<string, bigint>();
  readonly #missing = new Map<string, StateFact>();

  /** What has been asked for and is not known. */
  get missing(): readonly StateFact[] {
    return [...this.#missing.values()];
  }

  learn(fact: StateFact, value: bigint): void {
    this.#known.set(keyOf(fact), value);
    this.#missing.delete(keyOf(fact));
  }

  balance(address: Address): bigint {
    return this.#ask({ method: "eth_getBalance", address });
  }

  nonce(address: Address): bigint {
    return this.#ask({ method: "eth_getTransactionCount", address });
  }

  #ask(fact: StateFact): bigint {
    const known = this.#known.get(keyOf(fact));
    if (known === undefined) this.#missing.set(keyOf(fact), fact);
    return known ?? 0n;
  }
}

/** The state while a block runs: the state before it, and what has run since. */
export class RunningState {
  readonly #before: StateBefore;
  #moves: (readonly [Address, bigint])[] = [];
  #creations: Address[] = [];

  constructor(before: StateBefore) {
    this.#before = before;
  }

  add(account: Address, value: bigint): void {
    if (value !== 0n) this.#moves.push([account, value]);
  }

  move(from: Address, to: Address, value: bigint): void {
    this.add(from, -value);
    this.add(to, value);
  }

  /** An account created a contract, or a contract began to exist: its nonce is one higher. */
  countNonce(of: Address): void {
    this.#creations.push(of);
  }

  balance(of: Address): bigint {
    return this.#moves.reduce(
      (sum, [account, value]) => (account === of ? sum + value : sum),
      this.#before.balance(of),
    );
  }

  nonce(of: Address): bigint {
    const since = this.#creations.filter((account) => account === of).length;
    return this.#before.nonce(of) + BigInt(since);
  }

  /** A function that takes back all that happens from now on. */
  checkpoint(): () => void {
    const [moves, creations] = [this.#moves.length, this.#creations.length];
    return () => {
      this.#moves.length = moves;
      this.#creations.length = creations;
    };
  }
}

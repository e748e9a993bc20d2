// The names that a builder gives to accounts, for its error messages.
import type { ChainReader } from "../chain/reader.ts";
import type { Address } from "../chain/records.ts";
import { addressOfName } from "./evm.ts";

/** The names of accounts, and the number of accounts created without a name. */
export interface NamesState {
  readonly names: ReadonlyMap<Address, string>;
  readonly count: number;
}

const NEW_NAMES: NamesState = { names: new Map([[addressOfName("miner"), "miner"]]), count: 0 };

export class AccountNames {
  readonly #chain: ChainReader;
  #names = new Map(NEW_NAMES.names);
  #count = NEW_NAMES.count;

  constructor(chain: ChainReader) {
    this.#chain = chain;
  }

  state(): NamesState {
    return { names: new Map(this.#names), count: this.#count };
  }

  restore({ names, count }: NamesState = NEW_NAMES): void {
    this.#names = new Map(names);
    this.#count = count;
  }

  set(account: Address, name: string): void {
    this.#names.set(account, name);
  }

  /** Returns the account with this name. Without a name, returns a new account. */
  account(name = this.#unusedName()): Address {
    const account = addressOfName(name);
    this.set(account, name);
    return account;
  }

  /** An account as error messages show it: `alice (0x…)`. */
  readonly label = (account: Address): string => {
    const name = this.#names.get(account);
    return name === undefined ? account : `${name} (${account})`;
  };

  /** Returns an unused name whose address has not appeared on the chain. */
  #unusedName(): string {
    for (;;) {
      this.#count += 1;
      const name = `account ${this.#count}`;
      const account = addressOfName(name);
      const isUsed =
        this.#names.has(account) ||
        this.#chain.balance(account) !== 0n ||
        this.#chain.transactions(account, "all", {}).count > 0;
      if (!isUsed) return name;
    }
  }
}

// The names of accounts, for error messages and for new accounts.
import type { ChainReader } from "../chain/reader.ts";
import type { Address } from "../chain/records.ts";
import { addressOfName } from "./evm.ts";

export class AccountNames {
  readonly #chain: ChainReader;
  readonly #names = new Map<Address, string>();
  #count = 0;

  constructor(chain: ChainReader) {
    this.#chain = chain;
    this.set(addressOfName("miner"), "miner");
  }

  set(account: Address, name: string): void {
    this.#names.set(account, name);
  }

  /** The account with this name, or a new one. */
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

  /** A name that is not in use, of an address that the chain has not seen. */
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

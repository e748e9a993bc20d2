// Who has what: the state of a chain and what a story changed in it so far; it refuses what cannot be.
import type { HeadState, TokenState } from "../chain/block-input.ts";
import { ZERO_ADDRESS } from "../chain/constants.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Address, Hex } from "../chain/records.ts";
import { allowanceOf, approvedFor, isOperator, nonceOf, ownerOf } from "./derived-state.ts";
import { refuse } from "./impossible.ts";
import { Overlay, type Undo } from "./overlay.ts";
import { inCoins } from "./units.ts";

/** Names an account for a reader: `alice (0x…)`. */
export type Label = (account: Address) => string;

const pair = (one: Address, other: Address | bigint): string => `${one} ${other}`;

export class BuilderLedger {
  readonly #journal: Undo[] = [];
  readonly #label: Label;
  readonly #balances: Overlay<Address, bigint>;
  readonly #nonces: Overlay<Address, number>;
  readonly #codes: Overlay<Address, Hex>;
  readonly #tokens: Overlay<Address, TokenState>;
  readonly #supplies: Overlay<Address, bigint>;
  readonly #tokenBalances: Overlay<string, bigint>;
  readonly #owners: Overlay<string, Address | null>;
  readonly #uris: Overlay<string, readonly [Address, bigint, string] | null>;
  readonly #allowances: Overlay<string, bigint>;
  readonly #approved: Overlay<string, Address>;
  readonly #operators: Overlay<string, boolean>;

  constructor(chain: ChainReader, label: Label) {
    const over = <Value>(load: (first: Address, second: Address, third: Address) => Value) =>
      new Overlay<string, Value>(this.#journal, (key) => {
        const [first, second, third] = key.split(" ") as [Address, Address, Address];
        return load(first, second, third);
      });
    this.#label = label;
    this.#balances = new Overlay(this.#journal, (account) => chain.balance(account));
    this.#nonces = new Overlay(this.#journal, (account) => nonceOf(chain, account));
    this.#codes = new Overlay(this.#journal, (account) => chain.code(account));
    this.#tokens = new Overlay(this.#journal, (address) => ({ address }));
    this.#supplies = new Overlay(this.#journal, (token) => chain.token(token)?.totalSupply ?? 0n);
    this.#tokenBalances = over((token, holder) => chain.tokenBalance(token, holder));
    this.#owners = over((token, id) => ownerOf(chain, token, BigInt(id)));
    this.#uris = over(() => null);
    this.#allowances = over((token, owner, spender) => allowanceOf(chain, token, owner, spender));
    this.#approved = over((token, id) => approvedFor(chain, token, BigInt(id)));
    this.#operators = over((token, owner, operator) => isOperator(chain, token, owner, operator));
  }

  /** A point to come back to. */
  mark(): number {
    return this.#journal.length;
  }

  rewind(mark: number): void {
    while (this.#journal.length > mark) {
      this.#journal.pop()?.();
    }
  }

  /** What a chain cannot know from records alone. */
  facts(): HeadState {
    return {
      codes: this.#codes.changed(),
      tokens: this.#tokens.changed().map(([, token]) => token),
      uris: this.#uris.changed().flatMap(([, uri]) => (uri === null ? [] : [uri])),
    };
  }

  label(account: Address): string {
    return this.#label(account);
  }

  // Coins

  balance(account: Address): bigint {
    return this.#balances.get(account);
  }

  credit(account: Address, amount: bigint): void {
    this.#balances.set(account, this.balance(account) + amount);
  }

  debit(account: Address, amount: bigint, purpose: string): void {
    const has = this.balance(account);
    if (amount < 0n) {
      refuse(`${this.#label(account)} cannot pay ${amount}: an amount is not negative`);
    }
    if (has < amount) {
      refuse(
        `${this.#label(account)} has ${inCoins(has)} coins (${has}) and needs ${inCoins(amount)} (${amount}) ${purpose}`,
      );
    }
    this.#balances.set(account, has - amount);
  }

  move(from: Address, to: Address, amount: bigint): void {
    if (amount !== 0n) {
      this.debit(from, amount, `to send to ${this.#label(to)}`);
      this.credit(to, amount);
    }
  }

  // Accounts

  nonce(account: Address): number {
    return this.#nonces.get(account);
  }

  useNonce(account: Address): number {
    const nonce = this.nonce(account);
    this.#nonces.set(account, nonce + 1);
    return nonce;
  }

  code(account: Address): Hex {
    return this.#codes.get(account);
  }

  deploy(account: Address, code: Hex): void {
    if (this.code(account) !== "0x") {
      refuse(`there is already a contract at ${this.#label(account)}`);
    }
    this.#codes.set(account, code);
    this.#nonces.set(account, 1);
  }

  /** A contract ends with what it still has. */
  bury(account: Address, rest: bigint): void {
    this.debit(account, rest, "to take with it when it ends");
    this.#codes.set(account, "0x");
    this.#nonces.set(account, 0);
  }

  describe(token: TokenState): void {
    this.#tokens.set(token.address, token);
  }

  // MRC20

  tokenBalance(token: Address, holder: Address): bigint {
    return this.#tokenBalances.get(pair(token, holder));
  }

  /** From the zero address it is minted, to it, burnt. */
  moveToken(token: Address, from: Address, to: Address, amount: bigint): void {
    if (amount < 0n || amount >= 1n << 256n) {
      refuse(`${amount} is not an amount of ${this.#label(token)}: 0 to 2^256 - 1`);
    }
    if (from === ZERO_ADDRESS) {
      this.#changeSupply(token, amount);
    } else {
      const has = this.tokenBalance(token, from);
      if (has < amount) {
        refuse(
          `${this.#label(from)} has ${has} of ${this.#label(token)} and needs ${amount} to ${to === ZERO_ADDRESS ? "burn" : `send to ${this.#label(to)}`}`,
        );
      }
      this.#tokenBalances.set(pair(token, from), has - amount);
    }
    if (to === ZERO_ADDRESS) {
      this.#changeSupply(token, -amount);
    } else {
      this.#tokenBalances.set(pair(token, to), this.tokenBalance(token, to) + amount);
    }
  }

  #changeSupply(token: Address, change: bigint): void {
    const supply = this.#supplies.get(token) + change;
    if (supply >= 1n << 256n) {
      refuse(`${this.#label(token)} cannot have a supply of ${supply}: at most 2^256 - 1`);
    }
    this.#supplies.set(token, supply);
  }

  allowance(token: Address, owner: Address, spender: Address): bigint {
    return this.#allowances.get(`${token} ${owner} ${spender}`);
  }

  allow(token: Address, owner: Address, spender: Address, amount: bigint): void {
    this.#allowances.set(`${token} ${owner} ${spender}`, amount);
  }

  /** Takes `amount` from what the spender may take; returns what is left. */
  spend(token: Address, owner: Address, spender: Address, amount: bigint): bigint {
    const may = this.allowance(token, owner, spender);
    if (may < amount) {
      refuse(
        `${this.#label(spender)} may take ${may} of ${this.#label(token)} from ${this.#label(owner)} and needs ${amount}: approve it first`,
      );
    }
    this.allow(token, owner, spender, may - amount);
    return may - amount;
  }

  // MRC721

  owner(token: Address, id: bigint): Address | null {
    return this.#owners.get(pair(token, id));
  }

  moveNft(token: Address, from: Address, to: Address, id: bigint): void {
    if (id < 0n || id >= 1n << 256n) {
      refuse(`${id} is not a token id: 0 to 2^256 - 1`);
    }
    const owner = this.owner(token, id);
    if (from === ZERO_ADDRESS && owner !== null) {
      refuse(`token ${id} of ${this.#label(token)} exists already: ${this.#label(owner)} owns it`);
    }
    if (from !== ZERO_ADDRESS && owner !== from) {
      refuse(
        `${this.#label(from)} does not own token ${id} of ${this.#label(token)}: ${owner === null ? "it does not exist" : `${this.#label(owner)} does`}`,
      );
    }
    this.#owners.set(pair(token, id), to === ZERO_ADDRESS ? null : to);
    this.#approved.set(pair(token, id), ZERO_ADDRESS);
    this.#countNft(token, from, -1n);
    this.#countNft(token, to, 1n);
  }

  #countNft(token: Address, holder: Address, change: bigint): void {
    if (holder !== ZERO_ADDRESS) {
      this.#tokenBalances.set(pair(token, holder), this.tokenBalance(token, holder) + change);
    }
  }

  setUri(token: Address, id: bigint, uri: string): void {
    this.#uris.set(pair(token, id), [token, id, uri]);
  }

  approve(token: Address, id: bigint, operator: Address): void {
    this.#approved.set(pair(token, id), operator);
  }

  approveAll(token: Address, owner: Address, operator: Address, approved: boolean): void {
    this.#operators.set(`${token} ${owner} ${operator}`, approved);
  }

  /** Whether somebody may move a token: its owner, whom the owner approved, or an operator. */
  mayMove(token: Address, id: bigint, mover: Address): boolean {
    const owner = this.owner(token, id);
    return (
      owner !== null &&
      (owner === mover ||
        this.#approved.get(pair(token, id)) === mover ||
        this.#operators.get(`${token} ${owner} ${mover}`))
    );
  }
}

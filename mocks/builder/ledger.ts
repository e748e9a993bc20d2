// The state that transactions execute on: the state of the chain, and the changes since. Every
// change can be undone. Refuses changes that are impossible on any chain.

import { describe } from "../../src/models/issues.ts";
import { isCreation } from "../chain/fields.ts";
import { addressInWord, ZERO_ADDRESS } from "../chain/hex.ts";
import { items } from "../chain/listing.ts";
import type { ChainReader, Listing } from "../chain/reader.ts";
import {
  type Address,
  compareLogs,
  type Frame,
  type Hash,
  type HeadState,
  type Hex,
  type TokenState,
} from "../chain/records.ts";
import { inCoins } from "../chain/units.ts";
import { refuse, tokenEvents, word } from "./evm.ts";

/** A copy-on-write layer over the chain: reads a value from the chain until the value is set. */
class Overlay<Keys extends readonly (Address | bigint)[], Value> {
  readonly #changes = new Map<string, { readonly keys: Keys; readonly value: Value }>();
  readonly #undos: (() => void)[];
  readonly #load: (...keys: Keys) => Value;

  constructor(undos: (() => void)[], load: (...keys: Keys) => Value) {
    this.#undos = undos;
    this.#load = load;
  }

  get(...keys: Keys): Value {
    const change = this.#changes.get(keys.join());
    return change === undefined ? this.#load(...keys) : change.value;
  }

  set(value: Value, ...keys: Keys): void {
    const key = keys.join();
    const before = this.#changes.get(key);
    this.#undos.push(() => {
      if (before === undefined) this.#changes.delete(key);
      else this.#changes.set(key, before);
    });
    this.#changes.set(key, { keys, value });
  }

  /** The values that were set, in the order they were first set. */
  changed() {
    return [...this.#changes.values()];
  }
}

/** Shows an account in an error message: `alice (0x…)`. */
export type Label = (account: Address) => string;

/** Refuses a balance that no chain can hold. */
export function assertBalance(balance: bigint, label: string): void {
  if (balance < 0n) refuse(`${label} cannot have ${balance}: a balance cannot be negative`);
  if (balance >= 1n << 256n)
    refuse(`${label} cannot have ${balance}: a balance has at most 256 bits`);
}

/**
 * Refuses numbers, because they cannot be added to bigints. Programs in JavaScript may pass them.
 */
export function assertAmount(amount: bigint): void {
  if (typeof amount !== "bigint")
    throw new TypeError(
      `Invalid amount ${describe(amount)}: expected a bigint, such as 5n or coins("0.5")`,
    );
}

/** "alice (0x…) has 1 coins (…) and needs 2 (…) for gas" */
export const coinsMissing = (account: string, balance: bigint, cost: bigint, purpose: string) =>
  `${account} has ${inCoins(balance)} coins (${balance}) and needs ${inCoins(cost)} (${cost})${purpose}`;

interface Parties {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address | null;
}

/** Describes the amount that a holder lacks for a transfer of a token. */
export const amountMissing = (
  { token, from, to }: Parties,
  balance: bigint,
  amount: bigint,
  label: Label,
) =>
  `${label(from)} has ${balance} of ${label(token)} and needs ${amount} to ${to === null || to === ZERO_ADDRESS ? "burn" : `send to ${label(to)}`}`;

/** Says why an id cannot move or be minted: another account owns it, or it does not exist. */
export function idMissing(
  { token, from }: Omit<Parties, "to">,
  id: bigint,
  owner: Address | null | undefined,
  label: Label,
): string {
  const which = `token ${id} of ${label(token)}`;
  if (!owner) return `${label(from)} cannot move ${which}: it does not exist`;
  return from === ZERO_ADDRESS
    ? `${which} exists already: ${label(owner)} owns it`
    : `${label(from)} does not own ${which}: ${label(owner)} does`;
}

export class BuilderLedger {
  readonly label: Label;
  readonly #chain: ChainReader;
  readonly #undos: (() => void)[] = [];
  readonly #balances = this.#over((account: Address) => this.#chain.balance(account));
  readonly #nonces = this.#over((account: Address) => nonceOf(this.#chain, account));
  readonly #codes = this.#over((account: Address) => this.#chain.code(account));
  readonly #tokens = this.#over((address: Address): TokenState => ({ address }));
  readonly #supplies = this.#over((token: Address) => this.#chain.token(token)?.totalSupply ?? 0n);
  readonly #tokenBalances = this.#over((token: Address, holder: Address) =>
    this.#chain.tokenBalance(token, holder),
  );
  readonly #owners = this.#over(
    (token: Address, id: bigint) => this.#chain.nft(token, id)?.owner ?? null,
  );
  readonly #uris = this.#over((_token: Address, _id: bigint): string | null => null);
  readonly #allowances = this.#over((token: Address, owner: Address, spender: Address) =>
    allowanceOf(this.#chain, token, owner, spender),
  );
  readonly #approved = this.#over((token: Address, id: bigint) =>
    approvedFor(this.#chain, token, id),
  );
  readonly #operators = this.#over((token: Address, owner: Address, operator: Address) =>
    isOperator(this.#chain, token, owner, operator),
  );

  constructor(chain: ChainReader, label: Label) {
    this.#chain = chain;
    this.label = label;
  }

  #over<Keys extends readonly (Address | bigint)[], Value>(load: (...keys: Keys) => Value) {
    return new Overlay<Keys, Value>(this.#undos, load);
  }

  checkpoint(): number {
    return this.#undos.length;
  }

  revertTo(checkpoint: number): void {
    while (this.#undos.length > checkpoint) {
      this.#undos.pop()?.();
    }
  }

  /** Returns the changes that do not follow from blocks: code, token metadata, token URIs. */
  headState(): HeadState {
    return {
      codes: this.#codes.changed().map(({ keys: [account], value }) => [account, value]),
      tokens: this.#tokens.changed().map(({ value }) => value),
      uris: this.#uris.changed().map(({ keys: [token, id], value }) => [token, id, value]),
    };
  }

  // Coins

  balance(account: Address): bigint {
    return this.#balances.get(account);
  }

  credit(account: Address, amount: bigint): void {
    assertAmount(amount);
    const balance = this.balance(account) + amount;
    assertBalance(balance, this.label(account));
    this.#balances.set(balance, account);
  }

  debit(account: Address, amount: bigint, purpose: string): void {
    assertAmount(amount);
    const balance = this.balance(account);
    if (amount < 0n) {
      refuse(`${this.label(account)} cannot pay ${amount}: an amount cannot be negative`);
    }
    if (balance < amount) refuse(coinsMissing(this.label(account), balance, amount, ` ${purpose}`));
    this.#balances.set(balance - amount, account);
  }

  move(from: Address, to: Address, amount: bigint): void {
    if (amount !== 0n) {
      this.debit(from, amount, `to send to ${this.label(to)}`);
      this.credit(to, amount);
    }
  }

  // Accounts

  nonce(account: Address): number {
    return this.#nonces.get(account);
  }

  useNonce(account: Address): number {
    const nonce = this.nonce(account);
    this.#nonces.set(nonce + 1, account);
    return nonce;
  }

  code(account: Address): Hex {
    return this.#codes.get(account);
  }

  deploy(account: Address, code: Hex): void {
    if (this.code(account) !== "0x") {
      refuse(`there is already a contract at ${this.label(account)}`);
    }
    this.#codes.set(code, account);
    this.#nonces.set(1, account);
  }

  /** Removes a contract, and destroys its remaining coins. */
  destroy(account: Address, balance: bigint): void {
    this.debit(account, balance, "to destroy");
    this.#codes.set("0x", account);
    this.#nonces.set(0, account);
  }

  setToken(token: TokenState): void {
    this.#tokens.set(token, token.address);
  }

  // MRC20

  tokenBalance(token: Address, holder: Address): bigint {
    return this.#tokenBalances.get(token, holder);
  }

  /** Moves an amount. A move from the zero address mints it, a move to that address burns it. */
  moveToken(token: Address, from: Address, to: Address, amount: bigint): void {
    assertAmount(amount);
    if (amount < 0n || amount >= 1n << 256n) {
      refuse(`${amount} is not an amount of ${this.label(token)}: expected 0 to 2^256 - 1`);
    }
    if (from === ZERO_ADDRESS) {
      this.#changeSupply(token, amount);
    } else {
      const balance = this.tokenBalance(token, from);
      if (balance < amount) refuse(amountMissing({ token, from, to }, balance, amount, this.label));
      this.#tokenBalances.set(balance - amount, token, from);
    }
    if (to === ZERO_ADDRESS) {
      this.#changeSupply(token, -amount);
    } else {
      this.#tokenBalances.set(this.tokenBalance(token, to) + amount, token, to);
    }
  }

  #changeSupply(token: Address, change: bigint): void {
    const supply = this.#supplies.get(token) + change;
    if (supply >= 1n << 256n) {
      refuse(`${this.label(token)} cannot have a supply of ${supply}: at most 2^256 - 1`);
    }
    this.#supplies.set(supply, token);
  }

  allowance(token: Address, owner: Address, spender: Address): bigint {
    return this.#allowances.get(token, owner, spender);
  }

  allow(token: Address, owner: Address, spender: Address, amount: bigint): void {
    assertAmount(amount);
    this.#allowances.set(amount, token, owner, spender);
  }

  /** Reduces an allowance by `amount`. */
  spend(token: Address, owner: Address, spender: Address, amount: bigint): void {
    const allowance = this.allowance(token, owner, spender);
    if (allowance < amount) {
      refuse(
        `${this.label(spender)} may take ${allowance} of ${this.label(token)} from ${this.label(owner)} and needs ${amount}: approve it first`,
      );
    }
    this.allow(token, owner, spender, allowance - amount);
  }

  // MRC721

  owner(token: Address, id: bigint): Address | null {
    return this.#owners.get(token, id);
  }

  moveNft(token: Address, from: Address, to: Address, id: bigint): void {
    assertAmount(id);
    if (id < 0n || id >= 1n << 256n) {
      refuse(`${id} is not a token id: expected 0 to 2^256 - 1`);
    }
    const owner = this.owner(token, id);
    if (from === ZERO_ADDRESS ? owner !== null : owner !== from)
      refuse(idMissing({ token, from }, id, owner, this.label));
    this.#owners.set(to === ZERO_ADDRESS ? null : to, token, id);
    this.#approved.set(ZERO_ADDRESS, token, id);
    this.#countNft(token, from, -1n);
    this.#countNft(token, to, 1n);
  }

  #countNft(token: Address, holder: Address, change: bigint): void {
    if (holder !== ZERO_ADDRESS) {
      this.#tokenBalances.set(this.tokenBalance(token, holder) + change, token, holder);
    }
  }

  setUri(token: Address, id: bigint, uri: string): void {
    this.#uris.set(uri, token, id);
  }

  approve(token: Address, id: bigint, operator: Address): void {
    this.#approved.set(operator, token, id);
  }

  approveAll(token: Address, owner: Address, operator: Address, approved: boolean): void {
    this.#operators.set(approved, token, owner, operator);
  }

  /**
   * Whether an account may move a token: it owns the token, is approved for it, or is the owner's
   * operator.
   */
  mayMove(token: Address, id: bigint, mover: Address): boolean {
    const owner = this.owner(token, id);
    return (
      owner !== null &&
      (owner === mover ||
        this.#approved.get(token, id) === mover ||
        this.#operators.get(token, owner, mover))
    );
  }
}

const last = <Item>(list: Listing<Item>): Item | undefined =>
  list.count === 0 ? undefined : list.at(list.count - 1);

/** Whether the frame at `inner` runs inside the frame at `outer`. */
const isInside = (inner: readonly number[], outer: readonly number[]): boolean =>
  inner.length > outer.length && outer.every((at, depth) => inner[depth] === at);

/**
 * Whether a creation raised its creator's nonce. Even a failed creation does, unless a frame around
 * it failed too.
 */
function raisesNonce(chain: ChainReader, creation: Frame): boolean {
  return (
    !creation.undone ||
    (creation.transaction.succeeded !== false &&
      !items(chain.framesOf(creation.transaction)).some(
        (frame) => frame.error !== null && isInside(creation.traceAddress, frame.traceAddress),
      ))
  );
}

/** The nonce of an account's next transaction, or of a contract's next creation. */
function nonceOf(chain: ChainReader, account: Address): number {
  const sent = last(chain.transactions(account, "from", {}));
  if (sent !== undefined) {
    return (sent.nonce ?? 0) + 1;
  }
  const frames = items(chain.frames(account, {}));
  const creations = frames.filter(
    (frame) => frame.from === account && isCreation(frame.type) && raisesNonce(chain, frame),
  );
  return creations.length + (isContract(chain, account, frames) ? 1 : 0);
}

/** Whether an account is a contract, even without code, because a contract's nonce starts at 1. */
const isContract = (chain: ChainReader, account: Address, frames: readonly Frame[]): boolean =>
  chain.code(account) !== "0x" ||
  items(chain.transactions(account, "contract", {})).some(({ succeeded }) => succeeded !== false) ||
  frames.some(({ created, undone }) => created === account && !undone);

const lastLog = (chain: ChainReader, address: Address, ...topics: (Hash | undefined)[]) =>
  last(chain.logs({ address, topics, operand: "and" }));

/** Returns a spender's allowance according to the last Approval event. */
function allowanceOf(chain: ChainReader, token: Address, owner: Address, spender: Address): bigint {
  const approval = lastLog(chain, token, tokenEvents.approval, word(owner), word(spender));
  return approval === undefined ? 0n : BigInt(approval.data);
}

/** Returns the account that the last Approval event approved, unless the token has moved since. */
function approvedFor(chain: ChainReader, token: Address, id: bigint): Address {
  const approval = lastLog(chain, token, tokenEvents.approval, undefined, undefined, word(id));
  const moved = lastLog(chain, token, tokenEvents.transfer, undefined, undefined, word(id));
  const topic = approval?.topics[2];
  return approval === undefined ||
    topic === undefined ||
    (moved !== undefined && compareLogs(moved, approval) > 0)
    ? ZERO_ADDRESS
    : addressInWord(topic);
}

/** Whether an operator may move all of an owner's tokens, by the last ApprovalForAll event. */
function isOperator(
  chain: ChainReader,
  token: Address,
  owner: Address,
  operator: Address,
): boolean {
  const approval = lastLog(chain, token, tokenEvents.approvalForAll, word(owner), word(operator));
  return approval !== undefined && BigInt(approval.data) !== 0n;
}

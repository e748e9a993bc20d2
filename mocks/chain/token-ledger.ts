// One token as its Transfer events, and what it says of itself, make it.
import type { TokenState } from "./block-input.ts";
import { ZERO_ADDRESS } from "./constants.ts";
import { ForkMap } from "./fork-map.ts";
import type { Address, Token, TokenStandard } from "./records.ts";
import type { TokenShortfall } from "./shortfall.ts";
import type { TransferEvent } from "./transfer-event.ts";

export class TokenLedger {
  readonly address: Address;
  #facts: Omit<TokenState, "address"> = {};
  /** The standard its first event shows, and how many events of it there are. */
  #shown: { readonly standard: TokenStandard; readonly events: number } | undefined;
  /** How many events were passed over, as they are not of its standard. */
  #passed = 0;
  #supply = 0n;
  #holders = 0;
  #balances = new ForkMap<Address, bigint>();
  #owners = new ForkMap<bigint, Address>();
  #uris = new ForkMap<bigint, string>();
  #inventory: Inventory | undefined;

  constructor(address: Address) {
    this.address = address;
  }

  fork(): TokenLedger {
    const fork = new TokenLedger(this.address);
    fork.#facts = this.#facts;
    fork.#shown = this.#shown;
    fork.#passed = this.#passed;
    fork.#supply = this.#supply;
    fork.#holders = this.#holders;
    fork.#balances = this.#balances.fork();
    fork.#owners = this.#owners.fork();
    fork.#uris = this.#uris.fork();
    fork.#inventory = this.#inventory;
    return fork;
  }

  get standard(): TokenStandard | undefined {
    const { standard = this.#shown?.standard } = this.#facts;
    return standard ?? undefined;
  }

  /** The token, if it is known to be one. */
  get record(): Token | undefined {
    const { standard, address } = this;
    if (standard === undefined) return undefined;
    const { name = null, symbol = null, decimals = null } = this.#facts;
    const totalSupply = this.#supply < 0n ? 0n : this.#supply;
    return { address, standard, name, symbol, decimals, totalSupply, holderCount: this.#holders };
  }

  balance(holder: Address): bigint {
    const balance = this.#balances.get(holder) ?? 0n;
    return balance < 0n ? 0n : balance;
  }

  /** Whether it ever heard of the holder. */
  knows(holder: Address): boolean {
    return this.#balances.get(holder) !== undefined;
  }

  /** What was told of it. */
  get facts(): TokenState {
    return { ...this.#facts, address: this.address };
  }

  owner(id: bigint): Address | undefined {
    return this.#owners.get(id);
  }

  uri(id: bigint): string {
    return this.#uris.get(id) ?? "";
  }

  /** What was told of its ids. */
  uris(): (readonly [Address, bigint, string])[] {
    return Array.from(this.#uris.entries(), ([id, uri]) => [this.address, id, uri]);
  }

  /** The ids that exist, ascending: all, or one holder's. */
  ids(holder?: Address): readonly bigint[] {
    this.#inventory ??= inventory(this.#owners);
    return holder === undefined ? this.#inventory.all : (this.#inventory.of.get(holder) ?? []);
  }

  applyMetadata({
    name,
    symbol,
    decimals,
    standard,
    totalSupply,
  }: Omit<TokenState, "address">): void {
    const said = Object.entries({ name, symbol, decimals, standard });
    const known = Object.fromEntries(said.filter(([, value]) => value !== undefined));
    this.#facts = { ...this.#facts, ...known };
    if (totalSupply !== undefined && totalSupply !== null) this.#supply = totalSupply;
  }

  applyBalance(holder: Address, balance: bigint): void {
    this.#setBalance(holder, balance);
  }

  applyUri(id: bigint, uri: string): void {
    this.#uris.set(id, uri);
  }

  /** Whether an event counts: it has the form of the standard, or the contract itself said what it is. */
  counts({ standard }: TransferEvent): boolean {
    return standard === undefined ? Boolean(this.#facts.standard) : standard === this.standard;
  }

  /** Notes an event before it is applied: the first one shows the standard. */
  see(event: TransferEvent): void {
    if (event.standard !== undefined) {
      this.#shown ??= { standard: event.standard, events: 0 };
      if (this.#shown.standard === event.standard) this.#count(1);
    }
    if (!this.counts(event)) this.#passed++;
  }

  /** The reverse, after it was taken back. */
  unsee(event: TransferEvent): void {
    if (!this.counts(event)) this.#passed--;
    if (this.#shown?.standard === event.standard) this.#count(-1);
  }

  /** Whether the events so far were read as those of a token that says it follows `standard`. */
  reads(standard: TokenStandard | null): boolean {
    return this.#passed === 0 && (this.standard === undefined || this.standard === standard);
  }

  /** The same token before its first event, now known to follow `standard`. */
  restarted(standard: TokenStandard | null): TokenLedger {
    const token = new TokenLedger(this.address);
    token.#facts = { ...this.#facts, standard };
    for (const [id, uri] of this.#uris.entries()) token.#uris.set(id, uri);
    return token;
  }

  /** Whether no event has shown it to be a token. */
  get isBare(): boolean {
    return this.#shown === undefined;
  }

  /** What is missing for an event that counts to be true, if something is. */
  shortfall({ from, to, value }: TransferEvent): TokenShortfall | undefined {
    const token = this.address;
    if (this.standard === "mrc20") {
      const has = this.balance(from);
      const isCovered = from === ZERO_ADDRESS || has >= value;
      return isCovered ? undefined : { of: "amount", token, from, to, value, has };
    }
    const owner = this.owner(value);
    const isTrue = from === (owner ?? ZERO_ADDRESS);
    return isTrue ? undefined : { of: "id", token, from, value, owner };
  }

  /** An amount moves, is minted or is burnt. */
  move({ from, to, value }: Pick<TransferEvent, "from" | "to" | "value">): void {
    if (from === ZERO_ADDRESS) this.#supply += value;
    else this.#addBalance(from, -value);
    if (to === ZERO_ADDRESS) this.#supply -= value;
    else this.#addBalance(to, value);
  }

  /** A token id comes to an owner; undefined: it exists no more, or not yet. */
  give(id: bigint, owner: Address | undefined): void {
    const before = this.#owners.get(id);
    if (before === owner) return;
    this.#inventory = undefined;
    this.move({ from: before ?? ZERO_ADDRESS, to: owner ?? ZERO_ADDRESS, value: 1n });
    if (owner === undefined) this.#owners.delete(id);
    else this.#owners.set(id, owner);
  }

  #addBalance(holder: Address, change: bigint): void {
    this.#setBalance(holder, (this.#balances.get(holder) ?? 0n) + change);
  }

  #setBalance(holder: Address, balance: bigint): void {
    const before = this.#balances.get(holder) ?? 0n;
    this.#holders += Number(balance > 0n) - Number(before > 0n);
    this.#balances.set(holder, balance);
  }

  #count(change: number): void {
    if (this.#shown === undefined) return;
    const events = this.#shown.events + change;
    this.#shown = events === 0 ? undefined : { ...this.#shown, events };
  }
}

interface Inventory {
  readonly all: readonly bigint[];
  readonly of: ReadonlyMap<Address, readonly bigint[]>;
}

function inventory(owners: ForkMap<bigint, Address>): Inventory {
  const tokens = [...owners.entries()].sort(([left], [right]) => (left < right ? -1 : 1));
  const of = new Map<Address, bigint[]>();
  for (const [id, owner] of tokens) {
    const ids = of.get(owner);
    if (ids === undefined) of.set(owner, [id]);
    else ids.push(id);
  }
  return { all: tokens.map(([id]) => id), of };
}

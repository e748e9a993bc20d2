// One token: its balances, owners and metadata, from its Transfer events and its head state.
import type { TokenState } from "./block-input.ts";
import { ForkMap } from "./fork-map.ts";
import { ZERO_ADDRESS } from "./hex.ts";
import type { Address, Token, TokenStandard } from "./records.ts";
import type { TokenShortfall } from "./shortfall.ts";
import type { TransferEvent } from "./transfer-event.ts";

export class TokenLedger {
  readonly address: Address;
  #state: Omit<TokenState, "address"> = {};
  /** The standard of its first event, and the number of its events of that standard. */
  #seen: { readonly standard: TokenStandard; readonly events: number } | undefined;
  /** The number of events skipped for not being of its standard. */
  #skipped = 0;
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
    fork.#state = this.#state;
    fork.#seen = this.#seen;
    fork.#skipped = this.#skipped;
    fork.#supply = this.#supply;
    fork.#holders = this.#holders;
    fork.#balances = this.#balances.fork();
    fork.#owners = this.#owners.fork();
    fork.#uris = this.#uris.fork();
    fork.#inventory = this.#inventory;
    return fork;
  }

  get standard(): TokenStandard | undefined {
    const { standard = this.#seen?.standard } = this.#state;
    return standard ?? undefined;
  }

  /** The token, if it is known to be one. */
  get record(): Token | undefined {
    const { standard, address } = this;
    if (standard === undefined) return undefined;
    const { name = null, symbol = null, decimals = null } = this.#state;
    const totalSupply = this.#supply < 0n ? 0n : this.#supply;
    return { address, standard, name, symbol, decimals, totalSupply, holderCount: this.#holders };
  }

  balance(holder: Address): bigint {
    const balance = this.#balances.get(holder) ?? 0n;
    return balance < 0n ? 0n : balance;
  }

  /** Who holds some of it, in no order. */
  *holders(): Generator<readonly [Address, bigint]> {
    for (const [holder, balance] of this.#balances.entries())
      if (balance > 0n) yield [holder, balance];
  }

  /** Whether the holder ever had a balance set. */
  hasHolder(holder: Address): boolean {
    return this.#balances.get(holder) !== undefined;
  }

  /** The head state that was set for it. */
  get state(): TokenState {
    return { ...this.#state, address: this.address };
  }

  owner(id: bigint): Address | undefined {
    return this.#owners.get(id);
  }

  uri(id: bigint): string {
    return this.#uris.get(id) ?? "";
  }

  /** The token URIs that were set for its ids. */
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
    const fields = Object.entries({ name, symbol, decimals, standard });
    const known = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    this.#state = { ...this.#state, ...known };
    if (totalSupply !== undefined && totalSupply !== null) this.#supply = totalSupply;
  }

  applyBalance(holder: Address, balance: bigint): void {
    this.#setBalance(holder, balance);
  }

  applyUri(id: bigint, uri: string): void {
    this.#uris.set(id, uri);
  }

  /** Whether an event moves the token: it has the form of its standard, or the standard was set as head state. */
  accepts({ standard }: TransferEvent): boolean {
    return standard === undefined ? Boolean(this.#state.standard) : standard === this.standard;
  }

  /** Counts an event before it is applied; the first one decides the standard. */
  noteEvent(event: TransferEvent): void {
    if (event.standard !== undefined) {
      this.#seen ??= { standard: event.standard, events: 0 };
      if (this.#seen.standard === event.standard) this.#count(1);
    }
    if (!this.accepts(event)) this.#skipped++;
  }

  /** The reverse, after the event is undone. */
  forgetEvent(event: TransferEvent): void {
    if (!this.accepts(event)) this.#skipped--;
    if (this.#seen?.standard === event.standard) this.#count(-1);
  }

  /** Whether the events so far were read as those of a `standard` token. */
  isReadAs(standard: TokenStandard | null): boolean {
    return this.#skipped === 0 && (this.standard === undefined || this.standard === standard);
  }

  /** The token before its first event, with its standard set. */
  restart(standard: TokenStandard | null): TokenLedger {
    const token = new TokenLedger(this.address);
    token.#state = { ...this.#state, standard };
    for (const [id, uri] of this.#uris.entries()) token.#uris.set(id, uri);
    return token;
  }

  /** Whether it has no events. */
  get hasNoEvents(): boolean {
    return this.#seen === undefined;
  }

  /** What the sender lacks for an event, if anything. */
  shortfall({ from, to, value }: TransferEvent): TokenShortfall | undefined {
    const token = this.address;
    if (this.standard === "mrc20") {
      const balance = this.balance(from);
      const isCovered = from === ZERO_ADDRESS || balance >= value;
      return isCovered ? undefined : { kind: "amount", token, from, to, value, balance };
    }
    const owner = this.owner(value);
    const ownsId = from === (owner ?? ZERO_ADDRESS);
    return ownsId ? undefined : { kind: "id", token, from, value, owner };
  }

  /** Moves an amount; from the zero address it is minted, to it, burnt. */
  transfer({ from, to, value }: Pick<TransferEvent, "from" | "to" | "value">): void {
    if (from === ZERO_ADDRESS) this.#supply += value;
    else this.#addBalance(from, -value);
    if (to === ZERO_ADDRESS) this.#supply -= value;
    else this.#addBalance(to, value);
  }

  /** Takes back what transfers changed: a holder's balance, or for the zero address, the supply. */
  giveBack(holder: Address, change: bigint): void {
    if (holder === ZERO_ADDRESS) this.#supply -= change;
    else this.#addBalance(holder, change);
  }

  /** Sets the owner of a token id; undefined if it no longer, or not yet, exists. */
  setOwner(id: bigint, owner: Address | undefined): void {
    const before = this.#owners.get(id);
    if (before === owner) return;
    this.#inventory = undefined;
    this.transfer({ from: before ?? ZERO_ADDRESS, to: owner ?? ZERO_ADDRESS, value: 1n });
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
    if (this.#seen === undefined) return;
    const events = this.#seen.events + change;
    this.#seen = events === 0 ? undefined : { ...this.#seen, events };
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

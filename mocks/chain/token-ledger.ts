// The ledger of a token. Balances, owners and supply follow from its events, unless its contract
// returned other values at the head.

import { ForkMap } from "./fork-map.ts";
import { ZERO_ADDRESS } from "./hex.ts";
import {
  type Address,
  hasIds,
  type Token,
  type TokenStandard,
  type TokenState,
} from "./records.ts";
import { ownerAfter, type TransferEvent, transferOf } from "./transfer-event.ts";
import type { Overdraft } from "./writer.ts";

type Standard = Pick<TransferEvent, "standard">;

export class TokenLedger {
  readonly address: Address;
  #state: Omit<TokenState, "address"> = {};
  /** The standard of the token's first event. `#events` counts the events of that standard. */
  #eventStandard: TokenStandard | undefined;
  #events = 0;
  /** The number of events that were skipped because they are of another standard. */
  #skipped = 0;
  /** The supply that follows from the events. */
  #supply = 0n;
  /** The balances that follow from the events. Contains every account that may hold the token. */
  #balances = new ForkMap<Address, bigint>();
  /** The owners that follow from the events. */
  #owners = new ForkMap<bigint, Address>();
  /**
   * The contract's total supply minus that of the events; undefined if the contract returned none.
   */
  #moreSupply: bigint | undefined;
  /**
   * The balances that the contract returned, minus the balances that follow from the events. Stores
   * the difference, so that a later event also changes the balance that the contract returned.
   */
  #moreBalance = new ForkMap<Address, bigint>();
  /**
   * Owners that the contract returned, for ids whose events say otherwise. Null if the id does not
   * exist. A later event of an id removes its entry.
   */
  #otherOwners = new ForkMap<bigint, Address | null>();
  /** The contract's number of ids, minus that of the events. */
  #moreIds = 0n;
  #holders = 0;
  #uris = new ForkMap<bigint, string>();
  #inventory: Inventory | undefined;

  constructor(address: Address) {
    this.address = address;
  }

  fork(): TokenLedger {
    const fork = new TokenLedger(this.address);
    fork.#state = this.#state;
    fork.#eventStandard = this.#eventStandard;
    fork.#events = this.#events;
    fork.#skipped = this.#skipped;
    fork.#supply = this.#supply;
    fork.#balances = this.#balances.fork();
    fork.#owners = this.#owners.fork();
    fork.#moreSupply = this.#moreSupply;
    fork.#moreBalance = this.#moreBalance.fork();
    fork.#otherOwners = this.#otherOwners.fork();
    fork.#moreIds = this.#moreIds;
    fork.#holders = this.#holders;
    fork.#uris = this.#uris.fork();
    fork.#inventory = this.#inventory;
    return fork;
  }

  get standard(): TokenStandard | undefined {
    const { standard = this.#eventStandard } = this.#state;
    return standard ?? undefined;
  }

  get record(): Token | undefined {
    const { standard, address } = this;
    if (standard === undefined) return undefined;
    const { name = null, symbol = null, decimals = null } = this.#state;
    const supply = this.#supply + (this.#moreSupply ?? this.#moreIds);
    const totalSupply = supply < 0n ? 0n : supply;
    return { address, standard, name, symbol, decimals, totalSupply, holderCount: this.#holders };
  }

  balance(holder: Address): bigint {
    const balance = (this.#balances.get(holder) ?? 0n) + (this.#moreBalance.get(holder) ?? 0n);
    return balance < 0n ? 0n : balance;
  }

  /** Whether a balance was ever set for the holder, even 0. */
  hasHolder(holder: Address): boolean {
    return this.#balances.get(holder) !== undefined;
  }

  get state(): TokenState {
    return { ...this.#state, address: this.address };
  }

  owner(id: bigint): Address | undefined {
    const override = this.#otherOwners.get(id);
    return override === undefined ? this.#owners.get(id) : (override ?? undefined);
  }

  *knownHolders(): Generator<Address> {
    for (const [holder] of this.#balances.entries()) if (holder !== ZERO_ADDRESS) yield holder;
  }

  *knownIds(): Generator<bigint> {
    for (const [id] of this.#owners.entries()) yield id;
    for (const [id] of this.#otherOwners.entries())
      if (this.#owners.get(id) === undefined) yield id;
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
    this.#inventory ??= inventory(
      [...this.knownIds()].flatMap((id) => {
        const owner = this.owner(id);
        return owner === undefined ? [] : [[id, owner] as const];
      }),
    );
    return holder === undefined ? this.#inventory.all : (this.#inventory.byOwner.get(holder) ?? []);
  }

  applyMetadata({
    name,
    symbol,
    decimals,
    standard,
    totalSupply,
  }: Omit<TokenState, "address">): void {
    const fields = Object.entries({ name, symbol, decimals, standard });
    const definedFields = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    this.#state = { ...this.#state, ...definedFields };
    if (totalSupply === undefined) return;
    this.#moreSupply = totalSupply === null ? undefined : totalSupply - this.#supply;
  }

  /** Sets a balance as the contract returned it; null if it returned none. */
  applyBalance(holder: Address, balance: bigint | null): void {
    const byEvents = this.#balances.get(holder);
    const before = this.balance(holder);
    const more = balance === null ? 0n : balance - (byEvents ?? 0n);
    if (more === 0n) this.#moreBalance.delete(holder);
    else this.#moreBalance.set(holder, more);
    if (byEvents === undefined && balance !== null) this.#balances.set(holder, 0n);
    this.#countHolder(holder, before, this.balance(holder));
  }

  /** Sets an owner as the contract returned it; null if the id does not exist. */
  applyOwner(id: bigint, owner: Address | null): void {
    const byEvents = this.#owners.get(id);
    this.#forgetOtherOwner(id);
    if (owner !== null && this.#balances.get(owner) === undefined) this.#balances.set(owner, 0n);
    if (owner === (byEvents ?? null)) return;
    this.#inventory = undefined;
    this.#otherOwners.set(id, owner);
    this.#moreIds += BigInt(Number(owner !== null) - Number(byEvents !== undefined));
  }

  /** Sets a token URI as the contract returned it; null if it returned none. */
  applyUri(id: bigint, uri: string | null): void {
    if (uri === null) this.#uris.delete(id);
    else this.#uris.set(id, uri);
  }

  /**
   * Whether an event moves the token. An event without indexed arguments fits every standard, so it
   * moves the token only if a node stated the token's standard.
   */
  accepts({ standard }: Standard): boolean {
    return standard === undefined ? Boolean(this.#state.standard) : standard === this.standard;
  }

  /** Counts an event before it is applied; the first one decides the standard. */
  noteEvent(event: Standard): void {
    if (event.standard !== undefined) {
      this.#eventStandard ??= event.standard;
      if (this.#eventStandard === event.standard) this.#events++;
    }
    if (!this.accepts(event)) this.#skipped++;
  }

  forgetEvent(event: Standard): void {
    if (!this.accepts(event)) this.#skipped--;
    if (this.#eventStandard === undefined || this.#eventStandard !== event.standard) return;
    this.#events--;
    if (this.#events === 0) this.#eventStandard = undefined;
  }

  /** Whether the events so far were read as events of this standard. */
  isReadAs(standard: TokenStandard | null): boolean {
    return this.#skipped === 0 && (this.standard === undefined || this.standard === standard);
  }

  /** Returns the token as it was before its first event, but with this standard. */
  restart(standard: TokenStandard | null): TokenLedger {
    const token = new TokenLedger(this.address);
    token.#state = { ...this.#state, standard };
    for (const [id, uri] of this.#uris.entries()) token.#uris.set(id, uri);
    return token;
  }

  get hasAmounts(): boolean {
    return this.standard !== undefined && !hasIds(this.standard);
  }

  get hasNoEvents(): boolean {
    return this.#eventStandard === undefined;
  }

  /**
   * Returns the overdraft of an event whose sender lacks the amount or the id; undefined otherwise.
   */
  overdraft({ from, to, value }: TransferEvent): Omit<Overdraft, "transaction"> | undefined {
    const transfer = { token: this.address, from, to, value };
    if (this.hasAmounts) {
      const balance = this.balance(from);
      const isCovered = from === ZERO_ADDRESS || balance >= value;
      return isCovered ? undefined : { ...transfer, balance };
    }
    const owner = this.owner(value);
    return from === (owner ?? ZERO_ADDRESS) ? undefined : { ...transfer, balance: null, owner };
  }

  /**
   * Moves an amount. A transfer from the zero address mints it, and a transfer to the zero address
   * burns it.
   */
  transfer({ from, to, value }: Pick<TransferEvent, "from" | "to" | "value">): void {
    if (from === ZERO_ADDRESS) this.#supply += value;
    else this.#addBalance(from, -value);
    if (to === ZERO_ADDRESS) this.#supply -= value;
    else this.#addBalance(to, value);
  }

  /** Applies a transfer of an amount or of one id. */
  apply(event: TransferEvent): void {
    if (this.hasAmounts) this.transfer(event);
    else this.setOwner(event.value, ownerAfter(event));
  }

  /**
   * Undoes a transfer of an amount. Does not undo a transfer of ids, but returns these ids, because
   * the caller must find their previous owners in the history.
   */
  undo(event: TransferEvent): readonly bigint[] {
    if (!this.hasAmounts)
      return Array.from({ length: event.count }, (_, nth) => transferOf(event, nth).value);
    this.transfer({ ...event, from: event.to, to: event.from });
    return [];
  }

  /** Sets the owner of a token id; undefined if the id does not exist now. */
  setOwner(id: bigint, owner: Address | undefined): void {
    this.#forgetOtherOwner(id);
    const before = this.#owners.get(id);
    if (before === owner) return;
    this.#inventory = undefined;
    this.transfer({ from: before ?? ZERO_ADDRESS, to: owner ?? ZERO_ADDRESS, value: 1n });
    if (owner === undefined) this.#owners.delete(id);
    else this.#owners.set(id, owner);
  }

  #addBalance(holder: Address, change: bigint): void {
    const before = this.#balances.get(holder) ?? 0n;
    const after = before + change;
    this.#balances.set(holder, after);
    const more = this.#moreBalance.get(holder) ?? 0n;
    this.#countHolder(holder, before + more, after + more);
  }

  /** Updates the number of holders after a change of a balance. */
  #countHolder(holder: Address, before: bigint, after: bigint): void {
    if (holder === ZERO_ADDRESS) return;
    this.#holders += Number(after > 0n) - Number(before > 0n);
  }

  #forgetOtherOwner(id: bigint): void {
    const override = this.#otherOwners.get(id);
    if (override === undefined) return;
    this.#inventory = undefined;
    this.#otherOwners.delete(id);
    this.#moreIds -= BigInt(Number(override !== null) - Number(this.#owners.get(id) !== undefined));
  }
}

interface Inventory {
  readonly all: readonly bigint[];
  readonly byOwner: ReadonlyMap<Address, readonly bigint[]>;
}

function inventory(owners: (readonly [bigint, Address])[]): Inventory {
  const tokens = owners.sort(([left], [right]) => (left < right ? -1 : 1));
  const byOwner = new Map<Address, bigint[]>();
  for (const [id, owner] of tokens) {
    const ids = byOwner.get(owner);
    if (ids === undefined) byOwner.set(owner, [id]);
    else ids.push(id);
  }
  return { all: tokens.map(([id]) => id), byOwner };
}

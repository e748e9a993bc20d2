// Caches lists that need a whole chain, until it changes.

import type { BusyAccount } from "../chain/reader.ts";
import type { Address, ContractVerification, Token } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";

/** Cached values per chain. */
const MAX_KEYS = 20;

interface Kept<Value> {
  readonly revision: number;
  readonly values: Map<string, Value>;
}

/** Caches a value by chain and key until the chain changes. */
export function keptFor<Value extends object, Key extends string = string>(
  compute: (chain: ChainWriter, key: Key) => Value,
): (chain: ChainWriter, key: Key) => Value {
  const ofChain = new WeakMap<ChainWriter, Kept<Value>>();
  return (chain, key) => {
    let cache = ofChain.get(chain);
    if (cache?.revision !== chain.revision) {
      cache = { revision: chain.revision, values: new Map() };
      ofChain.set(chain, cache);
    }
    const cached = cache.values.get(key);
    if (cached !== undefined) return cached;
    const value = compute(chain, key);
    const [oldest] = cache.values.keys();
    if (cache.values.size >= MAX_KEYS && oldest !== undefined) cache.values.delete(oldest);
    cache.values.set(key, value);
    return value;
  };
}

const MAX_ACCOUNTS = 100;
const MAX_HOLDERS = 1000;

export interface WholeChain {
  /** Most holders first. */
  readonly tokens: readonly Token[];
  /** Last verified first. */
  readonly contracts: readonly ContractVerification[];
}

type Addressed = { readonly address: Address };

const byAddress = (one: Addressed, other: Addressed) => (one.address < other.address ? -1 : 1);

const lists = keptFor<WholeChain, "lists">((chain) => ({
  tokens: chain
    .tokens()
    .sort((one, other) => other.holderCount - one.holderCount || byAddress(one, other)),
  contracts: chain
    .verifiedContracts()
    .sort((one, other) => other.verifiedAt - one.verifiedAt || byAddress(one, other)),
}));

export const wholeChain = (chain: ChainWriter): WholeChain => lists(chain, "lists");

/** Lower-case names that several tokens or contracts have. */
const sharedNames = keptFor<ReadonlySet<string>, "names">((chain) => {
  const owners = new Map<string, Address>();
  const shared = new Set<string>();
  const note = (name: string | null, address: Address) => {
    const key = name?.toLowerCase() ?? "";
    if ((owners.get(key) ?? address) !== address) shared.add(key);
    owners.set(key, address);
  };
  const { tokens, contracts } = wholeChain(chain);
  for (const { address, name, symbol } of tokens) note(name || symbol, address);
  for (const { address, contractName } of contracts)
    if (!chain.token(address)?.name) note(contractName, address);
  return shared;
});

export const isShared = (chain: ChainWriter, name: string): boolean =>
  sharedNames(chain, "names").has(name.toLowerCase());

const busiest = keptFor<readonly BusyAccount[], "busiest">((chain) =>
  chain.busiestAccounts(MAX_ACCOUNTS),
);

export const busiestAccounts = (chain: ChainWriter): readonly BusyAccount[] =>
  busiest(chain, "busiest");

export interface Holder extends Addressed {
  readonly balance: bigint;
}

const byBalance = (one: Holder, other: Holder) =>
  one.balance === other.balance ? byAddress(one, other) : one.balance > other.balance ? -1 : 1;

/** The holders of a token, the largest first. */
export const holdersOf = keptFor<readonly Holder[], Address>((chain, token) => {
  let holders: Holder[] = [];
  let least: Holder | undefined;
  for (const [address, balance] of chain.holdersOf(token)) {
    const holder = { address, balance };
    if (least !== undefined && byBalance(holder, least) > 0) continue;
    holders.push(holder);
    // Sorted in parts, so that a token with a million holders takes little memory and time.
    if (holders.length < 8 * MAX_HOLDERS) continue;
    holders = holders.sort(byBalance).slice(0, MAX_HOLDERS);
    least = holders.at(-1);
  }
  return holders.sort(byBalance).slice(0, MAX_HOLDERS);
});

// Caches lists that need a whole chain, until it changes.

import type { Address } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";

/** Caches a value of a chain until the chain changes. */
export function cachedFor<Value>(
  compute: (chain: ChainWriter) => Value,
): (chain: ChainWriter) => Value {
  const cache = new WeakMap<ChainWriter, { readonly revision: number; readonly value: Value }>();
  return (chain) => {
    const { revision } = chain;
    const cached = cache.get(chain);
    if (cached?.revision === revision) return cached.value;
    const value = compute(chain);
    cache.set(chain, { revision, value });
    return value;
  };
}

const MAX_ACCOUNTS = 100;
const MAX_HOLDERS = 1000;

type Addressed = { readonly address: Address };

const byAddress = (one: Addressed, other: Addressed) => (one.address < other.address ? -1 : 1);

export const wholeChain = cachedFor((chain) => ({
  /** Most holders first. */
  tokens: chain
    .tokens()
    .sort((one, other) => other.holderCount - one.holderCount || byAddress(one, other)),
  /** Last verified first. */
  contracts: chain
    .verifiedContracts()
    .sort((one, other) => other.verifiedAt - one.verifiedAt || byAddress(one, other)),
}));

/** Lower-case names that several tokens or contracts have. */
const sharedNames = cachedFor((chain) => {
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
  sharedNames(chain).has(name.toLowerCase());

export const busiestAccounts = cachedFor((chain) => chain.busiestAccounts(MAX_ACCOUNTS));

export interface Holder extends Addressed {
  readonly balance: bigint;
}

const byBalance = (one: Holder, other: Holder) =>
  one.balance === other.balance ? byAddress(one, other) : one.balance > other.balance ? -1 : 1;

/** The largest holders of a token, the largest first. */
function largestHolders(chain: ChainWriter, token: Address): readonly Holder[] {
  let holders: Holder[] = [];
  let least: Holder | undefined;
  for (const address of chain.knownHolders(token)) {
    const holder = { address, balance: chain.tokenBalance(token, address) };
    if (holder.balance === 0n || (least !== undefined && byBalance(holder, least) > 0)) continue;
    holders.push(holder);
    // Sorts parts of the holders, because a token may have a million of them.
    if (holders.length < 8 * MAX_HOLDERS) continue;
    holders = holders.sort(byBalance).slice(0, MAX_HOLDERS);
    least = holders.at(-1);
  }
  return holders.sort(byBalance).slice(0, MAX_HOLDERS);
}

const lastHolders = cachedFor((): { token?: Address; holders: readonly Holder[] } => ({
  holders: [],
}));

/** Like `largestHolders`. Caches one token, because a reader pages through its holders. */
export function holdersOf(chain: ChainWriter, token: Address): readonly Holder[] {
  const last = lastHolders(chain);
  if (last.token !== token) Object.assign(last, { token, holders: largestHolders(chain, token) });
  return last.holders;
}

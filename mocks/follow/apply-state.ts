// Sets on a chain what a node told of the state at its head, where that is news: what is asked of strangers leaves nothing behind.
import type { HeadState, TokenState } from "../chain/block-input.ts";
import type { Address } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";

export function applyNews(chain: ChainWriter, state: HeadState): void {
  // First what contracts are: the rest depends on it.
  apply(chain, {
    balances: filtered(state.balances, ([account, balance]) => balance !== chain.balance(account)),
    codes: filtered(state.codes, ([account, code]) => code !== chain.code(account)),
    tokens: filtered(state.tokens, (token) => isNews(chain, token)),
  });
  const isToken = ([token]: readonly [Address, ...unknown[]]) => chain.token(token) !== undefined;
  apply(chain, {
    tokenBalances: filtered(state.tokenBalances, isToken).filter(
      ([token, holder, balance]) => balance !== chain.tokenBalance(token, holder),
    ),
    owners: filtered(state.owners, isToken),
    uris: filtered(state.uris, isToken),
  });
}

/** Each change has its price: whoever watches the chain looks again. */
function apply(chain: ChainWriter, state: Record<string, readonly unknown[]> & HeadState): void {
  if (Object.values(state).some(({ length }) => length > 0)) chain.applyHeadState(state);
}

const filtered = <Entry>(
  entries: Iterable<Entry> | undefined,
  keeps: (entry: Entry) => boolean,
): Entry[] => [...(entries ?? [])].filter(keeps);

function isNews(chain: ChainWriter, { address, ...told }: TokenState): boolean {
  const known = chain.token(address);
  if (known === undefined)
    return Object.values(told).some((value) => value !== undefined && value !== null);
  const { name = known.name, symbol = known.symbol, decimals = known.decimals } = told;
  const { standard = known.standard, totalSupply = known.totalSupply } = told;
  return (
    name !== known.name ||
    symbol !== known.symbol ||
    decimals !== known.decimals ||
    standard !== known.standard ||
    totalSupply !== known.totalSupply
  );
}

// Everything a chain answers about some addresses, as one value to compare.
import type { Chain } from "../../mocks/chain/chain.ts";
import type { Listing, Role } from "../../mocks/chain/reader.ts";
import type { Address } from "../../mocks/chain/records.ts";

export const all = <Record>(list: Listing<Record>): Record[] =>
  Array.from({ length: list.count }, (_, index) => list.at(index));

const ROLES: readonly Role[] = ["all", "from", "to", "contract"];
const STANDARDS = ["mrc20", "mrc721"] as const;

/** The bodies of the chain, the oldest first. */
export function bodies(chain: Chain) {
  const first = chain.length === 0 ? 0 : chain.head.number - chain.length + 1;
  return Array.from({ length: chain.length }, (_, index) => chain.body(first + index));
}

export function answers(chain: Chain, addresses: Iterable<Address>) {
  const named = [...new Set(addresses)];
  return {
    bodies: bodies(chain),
    transactionCount: chain.transactionCount,
    addresses: named.map((address) => ({
      address,
      balance: chain.balance(address),
      code: chain.code(address),
      token: chain.token(address),
      nfts: all(chain.nfts(address)),
      balances: named.map((holder) => chain.tokenBalance(address, holder)),
      nftsByHolder: named.map((holder) => all(chain.nfts(address, holder))),
      holdings: STANDARDS.map((standard) => all(chain.holdings(address, standard))),
      transfers: STANDARDS.map((standard) => all(chain.transfers(address, standard, {}))),
      transactions: ROLES.map((role) => all(chain.transactions(address, role, {}))),
      frames: all(chain.frames(address, {})),
      logs: all(chain.logs({ address, topics: [], operand: "and" })),
      mined: all(chain.blocksMinedBy(address)),
    })),
  };
}

/** Every address that occurs in the blocks of the chains. */
export function addressesIn(...chains: Chain[]): Set<Address> {
  const found = new Set<Address>();
  for (const body of chains.flatMap(bodies)) {
    for (const { transaction, frames, logs } of body?.executions ?? []) {
      for (const { from, to, created } of [transaction, ...frames]) {
        for (const address of [from, to, created]) if (address !== null) found.add(address);
      }
      for (const { address } of logs) found.add(address);
    }
    if (body !== undefined) found.add(body.block.miner);
  }
  return found;
}

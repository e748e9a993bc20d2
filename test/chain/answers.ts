// Everything a chain answers about some addresses, as one value to compare.

import { items } from "../../mocks/chain/listing.ts";
import type { Role } from "../../mocks/chain/reader.ts";
import type { Address } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";

const ROLES: readonly Role[] = ["all", "from", "to", "contract"];
const STANDARDS = ["mrc20", "mrc721"] as const;

/** The bodies of the chain, the oldest first. */
export function bodies(chain: ChainWriter) {
  const first = chain.length === 0 ? 0 : chain.head.number - chain.length + 1;
  return Array.from({ length: chain.length }, (_, index) => chain.blockInput(first + index));
}

export function answers(chain: ChainWriter, addresses: Iterable<Address>) {
  const named = [...new Set(addresses)];
  return {
    bodies: bodies(chain),
    transactionCount: chain.transactionCount,
    addresses: named.map((address) => ({
      address,
      balance: chain.balance(address),
      code: chain.code(address),
      token: chain.token(address),
      nfts: items(chain.nfts(address)),
      balances: named.map((holder) => chain.tokenBalance(address, holder)),
      nftsByHolder: named.map((holder) => items(chain.nfts(address, holder))),
      holdings: STANDARDS.map((standard) => items(chain.holdings(address, standard))),
      transfers: STANDARDS.map((standard) => items(chain.transfers(address, standard, {}))),
      transactions: ROLES.map((role) => items(chain.transactions(address, role, {}))),
      frames: items(chain.frames(address, {})),
      logs: items(chain.logs({ address, topics: [], operand: "and" })),
      mined: items(chain.blocksMinedBy(address)),
    })),
  };
}

/** Every address that occurs in the blocks of the chains. */
export function addressesIn(...chains: ChainWriter[]): Set<Address> {
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

// The answers of a chain to every query, about some addresses, as one value to compare.

import { items } from "../../mocks/chain/listing.ts";
import type { ChainReader, ChainSurvey, Role } from "../../mocks/chain/reader.ts";
import type { Address } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";

const ROLES: readonly Role[] = ["all", "from", "to", "contract"];
const STANDARDS = ["mrc20", "mrc721"] as const;

/** The bodies of the chain, the oldest first. */
export function bodies(chain: ChainWriter) {
  const first = chain.length === 0 ? 0 : chain.head.number - chain.length + 1;
  return Array.from({ length: chain.length }, (_, index) => chain.blockInput(first + index));
}

type Answers = {
  readonly [Query in Exclude<keyof ChainReader | keyof ChainSurvey, "revision">]: unknown;
};

const inOrder = <Item>(values: Iterable<Item>): Item[] =>
  [...values].sort((one, other) => (`${one}` < `${other}` ? -1 : 1));

const byAddress = <Item extends { readonly address: Address }>(list: readonly Item[]): Item[] =>
  list.toSorted((one, other) => (one.address < other.address ? -1 : 1));

/**
 * The answers to every query of a chain; a query that is left out does not compile. Only `revision`
 * is, which counts changes and so differs between equal chains.
 */
export function answers(chain: ChainWriter, addresses: Iterable<Address>) {
  const named = [...new Set(addresses)];
  const inputs = bodies(chain);
  const sent = items(chain.allTransactions({}));
  const of = <Answer>(ask: (address: Address) => Answer): Answer[] => named.map(ask);
  const numbers = inputs.map((input) => input?.block.number ?? 0);
  return {
    bodies: inputs,
    transactionCount: chain.transactionCount,
    chainId: chain.chainId,
    origin: chain.origin,
    head: chain.length === 0 ? null : chain.head,
    block: [-1, ...numbers, numbers.length].map((number) => chain.block(number)),
    blocksMinedBy: of((address) => items(chain.blocksMinedBy(address))),
    transaction: sent.map(({ hash }) => chain.transaction(hash)),
    execution: sent.map(({ hash }) => chain.execution(hash)),
    allTransactions: sent,
    transactions: of((address) =>
      ROLES.map((role) => items(chain.transactions(address, role, {}))),
    ),
    frames: of((address) => items(chain.frames(address, {}))),
    framesOf: sent.map((transaction) => items(chain.framesOf(transaction))),
    logs: of((address) => items(chain.logs({ address, topics: [], operand: "and" }))),
    transfers: of((address) =>
      STANDARDS.map((standard) => items(chain.transfers(address, standard, {}))),
    ),
    // More than any chain of these tests has, so that the list is exact.
    busiestAccounts: chain.busiestAccounts(1000),
    balance: of((address) => chain.balance(address)),
    code: of((address) => chain.code(address)),
    token: of((address) => chain.token(address)),
    tokens: byAddress(chain.tokens()),
    tokenBalance: of((address) => named.map((holder) => chain.tokenBalance(address, holder))),
    holdings: of((address) =>
      STANDARDS.map((standard) => items(chain.holdings(address, standard))),
    ),
    nfts: of((address) => [
      items(chain.nfts(address)),
      named.map((holder) => items(chain.nfts(address, holder))),
    ]),
    nft: of((address) => items(chain.nfts(address)).map((nft) => chain.nft(address, nft.tokenId))),
    verified: of((address) => chain.verified(address)),
    verifiedContracts: byAddress(chain.verifiedContracts()),
    knownTokens: inOrder(chain.knownTokens()),
    knownHolders: of((address) =>
      inOrder(chain.knownHolders(address)).filter((holder) => chain.tokenBalance(address, holder)),
    ),
    knownIds: of((address) => inOrder(chain.knownIds(address))),
  } satisfies Answers & { readonly bodies: unknown; readonly transactionCount: unknown };
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

// Everything a chain can be asked about an account, to compare two chains.
import { expect } from "vitest";
import { items } from "../../mocks/chain/listing.ts";
import type { LiveChain } from "../../mocks/chain/live-chain.ts";
import type { Address } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { holderReads } from "../../mocks/operations/head-reads.ts";

/** Everything the two chains can be asked about an account. */
export function accountState(chain: ChainWriter, address: Address) {
  const frames = items(chain.frames(address, {})).map(
    ({ transaction, traceAddress, type, value, undone }) => [
      transaction.hash,
      traceAddress,
      type,
      value,
      undone,
    ],
  );
  return {
    balance: chain.balance(address),
    code: chain.code(address),
    transactions: items(chain.transactions(address, "all", {})).map(({ hash }) => hash),
    frames,
    token: chain.token(address),
    mrc20: items(chain.holdings(address, "mrc20")),
    mrc721: items(chain.holdings(address, "mrc721")),
    nfts: items(chain.nfts(address)),
    transfers: chain.transfers(address, "mrc20", {}).count,
    logs: chain.logs({ address, topics: [], operand: "and" }).count,
  };
}

/** Expects two chains to tell the same of their head and of these accounts. */
export function expectSameChain(
  chain: ChainWriter,
  other: ChainWriter,
  addresses: readonly Address[],
): void {
  expect(chain.head).toEqual(other.head);
  expect(chain.transactionCount).toBe(other.transactionCount);
  for (const address of addresses)
    expect([address, accountState(chain, address)]).toEqual([
      address,
      accountState(other, address),
    ]);
}

/** Asks the node of a followed chain for the state of these accounts, as requests to an explorer do. */
export async function readState(
  { chain, question }: Pick<LiveChain, "chain" | "question">,
  addresses: readonly Address[],
): Promise<void> {
  for (const account of addresses) {
    const asked = question(function* () {
      yield { kind: "balance", account };
      yield { kind: "code", account };
      if (chain.token(account) === undefined) return;
      yield* holderReads(chain, account);
      for (const { tokenId } of items(chain.nfts(account)))
        yield { kind: "uri", token: account, id: tokenId };
    });
    for (let wait = asked.fetch(); wait; wait = asked.fetch()) await wait;
  }
}

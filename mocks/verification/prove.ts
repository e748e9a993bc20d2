// Lets a service prove sources: gathers what the chain knows of a contract, asks the verifier, and records what it proves.
import type { Chain } from "../chain/chain.ts";
import type { ChainReader, Listing } from "../chain/reader.ts";
import type { Address, Hex } from "../chain/records.ts";
import type { Verify } from "../service/handler.ts";
import type { OnChainContract, Verifier } from "./port.ts";

/** After so many records other work gets its turn. */
const batch = 5_000;

/** What `pick` finds in a list of any length. */
async function collect<Entry>(
  list: Listing<Entry>,
  pick: (entry: Entry) => Hex | undefined,
): Promise<Hex[]> {
  const found: Hex[] = [];
  for (let index = 0; index < list.count; index++) {
    if (index % batch === batch - 1) await new Promise((resolve) => setTimeout(resolve));
    const entry = pick(list.at(index));
    if (entry !== undefined) found.push(entry);
  }
  return found;
}

/** The code of every successful creation of the address, oldest first. */
async function creationCodes(chain: ChainReader, address: Address): Promise<Hex[]> {
  const byTransaction = await collect(
    chain.transactions(address, "contract", {}),
    ({ created, succeeded, input }) =>
      created === address && succeeded !== false ? input : undefined,
  );
  // An address comes either of a transaction's nonce or of a contract's; only the latter is found among the frames.
  if (byTransaction.length > 0) return byTransaction;
  return collect(chain.frames(address, {}), ({ created, undone, input }) =>
    created === address && !undone ? input : undefined,
  );
}

/** What the chain knows of a contract. */
export async function contractOn(chain: ChainReader, address: Address): Promise<OnChainContract> {
  return {
    address,
    runtimeCode: chain.code(address),
    creationCodes: await creationCodes(chain, address),
  };
}

/** Operation C3's ability: verifies with `verifier`, and tells the chain what is proven; `now` in seconds since 1970. */
export function proveWith(verifier: Verifier, chain: Chain, now: () => number): Verify {
  return async (contract, submission) => {
    const onChain = await contractOn(chain, contract);
    const verdict = await verifier.verify(submission, onChain);
    if (!verdict.verified) return verdict.message;
    if (chain.code(contract) !== onChain.runtimeCode) {
      return "The code on chain changed while the source was verified; submit it again";
    }
    chain.tell({ verified: [{ ...verdict.contract, verifiedAt: now() }] });
    return undefined;
  };
}

// Operation C3 on a chain: gathers what the chain knows of a contract, asks the verifier, records what is proven.
import type { ChainReader } from "../chain/reader.ts";
import type { VerifiedContract } from "../chain/records.ts";
import type { Verify } from "../operations/handler.ts";
import { contractOn } from "../verification/contract-on.ts";
import type { Verifier } from "../verification/port.ts";

/** `record` keeps a proven source; `now` is in milliseconds. */
export const verifyOn =
  (
    chain: ChainReader,
    verifier: Verifier,
    record: (contract: VerifiedContract) => void,
    now: () => number,
  ): Verify =>
  async (address, submission) => {
    const contract = await contractOn(chain, address);
    const verdict = await verifier.verify(submission, contract);
    if (!verdict.verified) return verdict.message;
    if (chain.code(address) !== contract.runtimeCode) {
      return "The code on chain changed while the source was verified; submit it again";
    }
    record({ ...verdict.contract, verifiedAt: Math.floor(now() / 1000) });
    return undefined;
  };

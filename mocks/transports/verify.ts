// Operation C3 on a chain: gives the verifier the contract's code, and records a verified source.
import type { ChainReader } from "../chain/reader.ts";
import type { ContractVerification } from "../chain/records.ts";
import type { Verify } from "../operations/handler.ts";
import { contractOn } from "../verification/contract-on.ts";
import type { Verifier } from "../verification/port.ts";

/** `record` stores a verified contract; `now` is in milliseconds. */
export const verifyOn =
  (
    chain: ChainReader,
    verifier: Verifier,
    record: (contract: ContractVerification) => void,
    now: () => number,
  ): Verify =>
  async (address, submission) => {
    const contract = await contractOn(chain, address);
    const verdict = await verifier.verify(submission, contract);
    if (!verdict.verified) return verdict.message;
    if (chain.code(address) !== contract.runtimeCode) {
      return "The code on chain changed during verification; submit the source again";
    }
    record({ ...verdict.contract, verifiedAt: Math.floor(now() / 1000) });
    return undefined;
  };

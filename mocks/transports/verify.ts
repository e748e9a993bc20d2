// Operation C3 on a chain: gives the verifier the contract's code, and records a verified source unless a better proof is recorded.
import type { ChainReader } from "../chain/reader.ts";
import type { ContractVerification } from "../chain/records.ts";
import type { Verify } from "../operations/handler.ts";
import { contractOn } from "../verification/contract-on.ts";
import type { Verifier } from "../verification/port.ts";

/** What became of a proof, beside the one recorded before. */
function outcome(
  proof: Pick<ContractVerification, "level">,
  recorded: ContractVerification | undefined,
): { readonly replaces: boolean; readonly note: string } {
  const before = recorded?.level;
  if (before === undefined) return { replaces: true, note: "" };
  if (before === "exact" && proof.level !== "exact")
    return { replaces: false, note: "; the exact match recorded before stays" };
  return { replaces: true, note: `; it replaces the ${before} match recorded before` };
}

/** `record` stores a verified contract; `now` is in milliseconds. */
export const verifyOn =
  (
    chain: ChainReader,
    verifier: Verifier,
    record: (contract: ContractVerification) => void,
    now: () => number,
  ): Verify =>
  async (address, submission, { headers, signal }) => {
    const contract = await contractOn(chain, address);
    const submitter = String(headers["api-key"]);
    const verdict = await verifier.verify(submission, contract, { submitter, signal });
    if (!verdict.verified) return verdict;
    if (chain.code(address) !== contract.runtimeCode) {
      const message = "The code on chain changed during verification; submit the source again";
      return { verified: false, message };
    }
    const { replaces, note } = outcome(verdict.contract, chain.verified(address));
    if (replaces) record({ ...verdict.contract, verifiedAt: Math.floor(now() / 1000) });
    return { ...verdict, message: `${verdict.message}${note}` };
  };

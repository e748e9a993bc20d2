// Operation C3 on a chain: gives the verifier the contract's code, and records a verified source
// unless an equal or better proof is recorded.
import type { ChainReader } from "../chain/reader.ts";
import type { Address, ContractVerification } from "../chain/records.ts";
import type { ServiceRequest } from "../message/message.ts";
import { contractOn } from "./contract-on.ts";
import type { InputSubmission, Submission, Verdict, Verifier } from "./verifier.ts";

/**
 * Verifies a source, and records it unless a better proof is recorded. The headers of `request`
 * name the submitter in the queue, and its signal ends the wait.
 */
export type Verify = (
  contract: Address,
  submission: Submission | InputSubmission,
  request: Pick<ServiceRequest, "headers" | "signal">,
) => Promise<Verdict>;

type Proof = Pick<ContractVerification, "level" | "uncovered">;

/** Ranks proofs: a source that an operator loaded as verified counts more than a partial match. */
const strength = ({ level }: Proof): number =>
  level === "exact" ? 3 : level === "partial" ? 1 : 2;

/** Whether a proof leaves fewer regions open than the recorded proof, and no other region. */
function isStronger(proof: Proof, recorded: Proof): boolean {
  const [strengthOfProof, strengthOfRecorded] = [strength(proof), strength(recorded)];
  if (strengthOfProof !== strengthOfRecorded) return strengthOfProof > strengthOfRecorded;
  const [open, openBefore] = [proof.uncovered ?? [], recorded.uncovered ?? []];
  return open.length < openBefore.length && open.every((region) => openBefore.includes(region));
}

/** Decides whether a proof replaces the recorded proof, and what the message says about it. */
function outcome(
  proof: Proof,
  recorded: ContractVerification | undefined,
): { readonly replaces: boolean; readonly note: string } {
  if (recorded === undefined) return { replaces: true, note: "" };
  const { level } = recorded;
  const before =
    level === undefined ? "source loaded as verified" : `${level} match recorded before`;
  return isStronger(proof, recorded)
    ? { replaces: true, note: `; it replaces the ${before}` }
    : { replaces: false, note: `; the ${before} stays` };
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

// Operation C3 on a chain: gathers what the chain knows of a contract, asks the verifier, records what is proven.
import type { ChainReader } from "../chain/reader.ts";
import type { Address, Hex, VerifiedContract } from "../chain/records.ts";
import type { Verify } from "../service/handler.ts";
import type { Verifier } from "../verification/port.ts";

/** Every input that made a contract at this address, oldest first: of transactions, then of frames. */
function creationCodes(chain: ChainReader, address: Address): Hex[] {
  const codes: { readonly block: number; readonly input: Hex }[] = [];
  const creations = chain.transactions(address, "contract", {});
  for (let index = 0; index < creations.count; index++) {
    const { block, input } = creations.at(index);
    codes.push({ block: block.number, input });
  }
  const frames = chain.frames(address, {});
  for (let index = 0; index < frames.count; index++) {
    const { created, input, transaction } = frames.at(index);
    if (created === address) codes.push({ block: transaction.block.number, input });
  }
  return codes.sort((one, other) => one.block - other.block).map(({ input }) => input);
}

/** `record` keeps a proven source; `now` is in milliseconds. */
export const verifyOn =
  (
    chain: ChainReader,
    verifier: Verifier,
    record: (contract: VerifiedContract) => void,
    now: () => number,
  ): Verify =>
  async (address, submission) => {
    const verdict = await verifier.verify(submission, {
      address,
      runtimeCode: chain.code(address),
      creationCodes: creationCodes(chain, address),
    });
    if (!verdict.verified) return verdict.message;
    record({ ...verdict.contract, verifiedAt: Math.floor(now() / 1000) });
    return undefined;
  };

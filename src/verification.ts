// What one submits for verification, and how it travels.
import type { OperationInput, Operations } from "./contract/index.ts";
import type { Address } from "./models/primitives.ts";

/** The source of a contract and how it was compiled (C3). */
export interface VerificationSubmission {
  /** The name of the contract in the source. */
  readonly contract_name: string;
  /** The Solidity compiler's version: "v0.8.20+commit.a1b79de6". */
  readonly compiler: string;
  /** The optimizer's `runs`. */
  readonly runs_optimizer: number;
  readonly optimization_enabled: boolean;
  /** The source as text; it is encoded on the way. */
  readonly contract_source: string;
  /** The ABI-encoded arguments in hexadecimal; none if left out. */
  readonly constructor_arguments?: string | undefined;
  readonly evm_version?: string | undefined;
  /** The libraries the contract is linked with. */
  readonly libraries?: readonly { readonly name: string; readonly address: Address }[] | undefined;
}

/** The submission as the operation takes it. */
export function submissionInput(
  contract_hash: Address,
  submission: VerificationSubmission,
): OperationInput<Operations["C3"]> {
  const { contract_source, optimization_enabled, constructor_arguments = "", ...rest } = submission;
  return {
    ...rest,
    contract_hash,
    constructor_arguments,
    optimization_enabled: optimization_enabled ? 1 : 0,
    contract_source: base64(contract_source),
  };
}

/** Arguments of one function call; engines allow some tens of thousands. */
const CHUNK = 8192;

/** Base64 of the UTF-8 form; `btoa` alone refuses anything beyond Latin-1. */
function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}

// What one submits for verification, and how it travels.
import type { OperationInput, Operations } from "../contract/index.ts";
import type { Address } from "../models/primitives.ts";

/** How a contract was compiled. */
export interface CompilerSettings {
  /** The name of the contract in the source. */
  readonly contract_name: string;
  /** The Solidity compiler's version: "v0.8.20+commit.a1b79de6". */
  readonly compiler: string;
  /** The optimizer's `runs`. */
  readonly runs_optimizer: number;
  /** A number is taken as the specification has it: 1 is enabled, any other is not. */
  readonly optimization_enabled: boolean | number;
  /** The ABI-encoded arguments in hexadecimal; none if left out. */
  readonly constructor_arguments?: string | undefined;
  readonly evm_version?: string | undefined;
  /** The libraries the contract is linked with. */
  readonly libraries?: readonly { readonly name: string; readonly address: Address }[] | undefined;
}

/** The source of a contract and how it was compiled (C3): the source either as text or as the specification has it. */
export type VerificationSubmission = CompilerSettings &
  (
    | {
        /** The source as text; it is encoded on the way. */
        readonly source: string;
        readonly contract_source?: undefined;
      }
    | {
        /** The source in base64; text is taken too, as no Solidity source reads as base64. */
        readonly contract_source: string;
        readonly source?: undefined;
      }
  );

/** The submission as the operation takes it. */
export function submissionInput(
  contract_hash: Address,
  submission: VerificationSubmission,
): OperationInput<Operations["C3"]> {
  const {
    source,
    contract_source,
    optimization_enabled: enabled,
    constructor_arguments = "",
    ...rest
  } = submission;
  return {
    ...rest,
    contract_hash,
    constructor_arguments,
    optimization_enabled: enabled === true || enabled === 1 ? 1 : 0,
    contract_source: source === undefined ? encoded(contract_source) : base64(source),
  };
}

/** Base64 as it is, text encoded: a contract has braces, which base64 has not. */
const encoded = (text: string) => (/^[A-Za-z0-9+/=\s]+$/.test(text) ? text : base64(text));

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

// The submission for a contract verification, and its wire form.
import type { OperationInput, Operations } from "../contract/index.ts";
import { ParameterError } from "../errors/index.ts";
import type { Address, Status } from "../models/primitives.ts";

/** The compiler settings with which the contract was deployed. */
export interface CompilerSettings {
  /** The name of the contract in the source: "Market", or "Market.sol:Market" with its file. */
  readonly contract_name: string;
  /** The version of the Solidity compiler: "v0.8.20+commit.a1b79de6". */
  readonly compiler: string;
  /** The optimizer's `runs`: 200 unless the project sets another value. */
  readonly runs_optimizer: number;
  /**
   * Whether the optimizer was enabled: true or false, the number 1 or 0, or the text "1" or "0"
   * that `contracts.code` returns.
   */
  readonly optimization_enabled: boolean | number | Status;
  /**
   * The ABI-encoded constructor arguments in hexadecimal.
   *
   * @default "" (no arguments)
   */
  readonly constructor_arguments?: string | undefined;
  /**
   * The EVM version that the compiler targeted: "paris".
   *
   * @default the compiler's default
   */
  readonly evm_version?: string | undefined;
  /**
   * The libraries that the contract is linked with.
   *
   * @default none
   * @example
   * const libraries = [{ name: "PointMath", address: contract }];
   */
  readonly libraries?: readonly { readonly name: string; readonly address: Address }[] | undefined;
}

/**
 * The source of a contract, as text (`source`) or in base64 (`contract_source`), and its compiler
 * settings (C3).
 *
 * @example
 * const submission = {
 *   contract_name: "Market",
 *   compiler: "v0.8.20+commit.a1b79de6",
 *   runs_optimizer: 200,
 *   optimization_enabled: false,
 *   source: await readFile("Market.sol", "utf8"),
 * };
 */
export type VerificationSubmission = CompilerSettings &
  (
    | {
        /** The Solidity source as text. */
        readonly source: string;
        readonly contract_source?: undefined;
      }
    | {
        /**
         * The Solidity source in base64, as the API requires. Base64url and plain text are
         * converted.
         */
        readonly contract_source: string;
        readonly source?: undefined;
      }
  );

const OPTIMIZED: readonly unknown[] = [true, 1, "1", "true"];
const UNOPTIMIZED: readonly unknown[] = [false, 0, "0", "false"];

/**
 * Returns the number for `optimization_enabled`. Throws a {@link ParameterError} for an unclear
 * value instead of guessing, because a wrong guess would make a correct source fail.
 */
function optimizationOf(received: CompilerSettings["optimization_enabled"]): 0 | 1 {
  // Returns undefined, because `checkParameters` reports a missing field together with all others.
  if (received === undefined) return received;
  if (OPTIMIZED.includes(received)) return 1;
  if (UNOPTIMIZED.includes(received)) return 0;
  throw new ParameterError(
    "Invalid parameters for contracts.verify (C3)",
    [{ path: ["optimization_enabled"], expected: "true or false, or 1 or 0", received }],
    { operation: "C3" },
  );
}

/** Returns the input of C3 for a submission. */
export function submissionInput(
  contract_hash: Address,
  submission: VerificationSubmission,
): OperationInput<Operations["C3"]> {
  const {
    source,
    contract_source,
    optimization_enabled,
    constructor_arguments = "",
    ...rest
    // If the value is not a submission, every field is missing and reported.
  } = Object(submission) as VerificationSubmission;
  return {
    ...rest,
    contract_hash,
    constructor_arguments,
    optimization_enabled: optimizationOf(optimization_enabled),
    contract_source: source === undefined ? toBase64(contract_source) : base64(source),
  };
}

/** Keeps base64, converts base64url, and encodes plain text, which contains braces in Solidity. */
const toBase64 = (text: string) =>
  typeof text === "string" && /^[A-Za-z0-9+/=_\s-]+$/.test(text)
    ? text.replaceAll("-", "+").replaceAll("_", "/")
    : base64(text);

/** Characters per call of `fromCharCode`, because engines allow only some tens of thousands. */
const CHUNK = 8192;

/** Encodes a text as UTF-8 and base64, because `btoa` alone accepts only Latin-1. */
function base64(text: string): string {
  // Returns an invalid source unchanged, because `checkParameters` reports it.
  if (typeof text !== "string") return text;
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}

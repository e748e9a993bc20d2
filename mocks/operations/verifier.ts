// The interface of a verifier, which decides whether a source belongs to a contract. Types only, so
// that browsers may import them.

import type { Address, ContractVerification, Hex } from "../chain/records.ts";

/** Options of one verification. */
export interface VerifyOptions {
  /** The name of the caller. The queue serves all submitters equally. @default "" */
  readonly submitter?: string | undefined;
  /** Aborts when the caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
}

/** A source submitted for a contract: the decoded body of operation C3. */
export interface Submission {
  readonly contract_name: string;
  /** "v0.8.20+commit.a1b79de6", "0.8.20" … */
  readonly compiler: string;
  readonly runs_optimizer: number;
  /** 1 is enabled, any other number is not. */
  readonly optimization_enabled: number;
  /** The source text in base64. */
  readonly contract_source: string;
  /** Hexadecimal, with or without 0x; empty where the constructor takes none. */
  readonly constructor_arguments: string;
  readonly evm_version?: string | null | undefined;
  readonly libraries?:
    | readonly { readonly name: string; readonly address: string }[]
    | null
    | undefined;
}

/** A submission of the compiler's whole input, with any number of files. C3 has no field for it. */
export interface InputSubmission {
  /** "src/Market.sol:Market". */
  readonly contract_name: string;
  readonly compiler: string;
  /** The compiler's standard JSON input, as JSON. */
  readonly standard_input: string;
  /** Default: the arguments on chain, if they encode the constructor's parameters. */
  readonly constructor_arguments?: string | undefined;
}

/** The contract as the chain has it. */
export interface OnChainContract {
  readonly address: Address;
  /** Runtime code at the head; `0x` for an account without code. */
  readonly runtimeCode: Hex;
  /**
   * The input of each transaction or create frame that created a contract at this address, with
   * constructor arguments, oldest first; more than one if it was destroyed and created again. Empty
   * where unknown.
   */
  readonly creationCodes: readonly Hex[];
  /** The target of the contract, if it is a proxy. */
  readonly proxy?: ProxyContract | undefined;
}

/** A contract that forwards its calls to another. */
export interface ProxyContract {
  /** The kind of proxy with its article, such as "an EIP-1167 clone". */
  readonly kind: string;
  readonly target: Address;
  /** Whether the target's source is verified. */
  readonly verified: boolean;
  /**
   * Whether the proxy's own code comes from a compiler, so that it can be verified. A clone is
   * written byte by byte.
   */
  readonly compiled: boolean;
}

/** A verified source: the record of C2 without the time, which the service adds. */
export type VerifiedSource = Omit<ContractVerification, "verifiedAt">;

export type Verdict =
  /** `message` says what was compared, and whether the metadata matches. The record has it too. */
  | { readonly verified: true; readonly contract: VerifiedSource; readonly message: string }
  /** `message` says what differs, or why the comparison failed. */
  | { readonly verified: false; readonly message: string }
  /**
   * No verdict: nothing is known about the source, nothing is recorded, and the same submission may
   * be repeated.
   */
  | {
      readonly verified: null;
      readonly message: string;
      /**
       * `overload`: too many submissions wait. `submitter`: too many submissions of this submitter
       * wait. `stopped`: the compiler took too long or was stopped.
       */
      readonly cause: "overload" | "submitter" | "stopped";
      /** Seconds after which to try again. */
      readonly retryAfter: number;
    };

/** Compiles and compares. An invalid submission is a verdict, not an exception. */
export interface Verifier {
  verify(
    submission: Submission | InputSubmission,
    onChain: OnChainContract,
    options?: VerifyOptions,
  ): Promise<Verdict>;
  /** The available compilers, such as "v0.8.20+commit.a1b79de6", the oldest first. */
  compilers?(): readonly string[];
  /** Terminates its worker threads; pending submissions get no verdict. */
  close(): Promise<void>;
}

/** The limits of a verifier. */
export interface VerifierLimits {
  /**
   * The CPU time that one submission may take, in milliseconds.
   * @default 20_000
   */
  readonly timeout?: number;
  /** The memory limit of a compiler, in mebibytes. @default 1024 */
  readonly memory?: number;
}

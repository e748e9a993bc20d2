// What the service asks of a verifier: is this source the source of that code? Types only, so that browsers may name them.
import type { Address, Hex, VerifiedContract } from "../chain/records.ts";

/** What someone claims about a contract: the body of operation C3, decoded but not yet believed. */
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

/** What the chain knows of the contract. */
export interface OnChainContract {
  readonly address: Address;
  /** Runtime code at the head; `0x` for an account without. */
  readonly runtimeCode: Hex;
  /**
   * The input of each transaction or create frame that made a contract at this address, constructor arguments
   * included, oldest first; more than one where it was destroyed and made again. Empty where nothing tells.
   */
  readonly creationCodes: readonly Hex[];
}

/** A proven source: the record of C2 but for the time, which is the service's to say. */
export type VerifiedSource = Omit<VerifiedContract, "verifiedAt">;

export type Verdict =
  /** `message`: what was compared, and whether the metadata agrees too; the record has it too. */
  | { readonly verified: true; readonly contract: VerifiedSource; readonly message: string }
  /** `message`: what differs, or why nothing could be compared. */
  | { readonly verified: false; readonly message: string };

/** Compiles and compares. It never throws for what a submission contains: that is a verdict. */
export interface Verifier {
  verify(submission: Submission, onChain: OnChainContract): Promise<Verdict>;
  /** Ends its worker threads; verdicts under way are answered as not verified. */
  close(): Promise<void>;
}

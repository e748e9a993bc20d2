// The records a chain is made of, one object per block, transaction, call frame, log and token. Hex strings in them are lower case.
import type { Address, Hash, Hex } from "../../src/models/primitives.ts";
import type { FrameType } from "./frame-type.ts";

export type { Address, Hash, Hex } from "../../src/models/primitives.ts";

export interface Block {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly miner: Address;
  readonly gasUsed: number;
  readonly gasLimit: number;
  readonly baseFeePerGas: bigint | null;
  readonly transactionCount: number;
  /** The fees the miner receives, without the base fee, which is burnt. */
  readonly fees: bigint;
  /** Issuance, uncle rewards included; 0 on chains without. */
  readonly miningReward: bigint;
}

/** A transaction with its receipt. */
export interface ChainTransaction {
  readonly hash: Hash;
  readonly block: Block;
  readonly index: number;
  readonly from: Address;
  /** Null for a creation. */
  readonly to: Address | null;
  /** The address of the contract it creates, even if that fails; null for a call. */
  readonly created: Address | null;
  readonly value: bigint;
  readonly input: Hex;
  readonly nonce: number;
  /** Null before the Byzantium fork, whose receipts have no status. */
  readonly succeeded: boolean | null;
  /** The error in its trace; null if it succeeded or has no trace. */
  readonly error: string | null;
  readonly gasLimit: number;
  readonly gasUsed: number;
  readonly cumulativeGasUsed: number;
  /** The effective price. */
  readonly gasPrice: bigint;
  readonly maxFeePerGas: bigint | null;
  readonly maxPriorityFeePerGas: bigint | null;
}

/** One call frame below the root of a transaction: an internal transaction. */
export interface Frame {
  readonly transaction: ChainTransaction;
  readonly traceAddress: readonly number[];
  readonly type: FrameType;
  readonly from: Address;
  readonly to: Address | null;
  /** The contract a create frame created, else null. */
  readonly created: Address | null;
  readonly value: bigint;
  readonly input: Hex;
  readonly gasLimit: number | null;
  readonly gasUsed: number | null;
  /** Its own error, if it has one. */
  readonly error: string | null;
  /** It or an ancestor failed, so its effects are reverted. */
  readonly undone: boolean;
  /** The number of direct children. */
  readonly subTraces: number;
}

export interface Log {
  readonly transaction: ChainTransaction;
  /** Position in the block. */
  readonly index: number;
  readonly address: Address;
  readonly data: Hex;
  readonly topics: readonly Hash[];
}

export type TokenStandard = "mrc20" | "mrc721";

export interface Token {
  readonly address: Address;
  readonly standard: TokenStandard;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly totalSupply: bigint;
  readonly holderCount: number;
}

/** A Transfer event of a token. */
export interface Transfer {
  readonly log: Log;
  readonly token: Token;
  readonly from: Address;
  readonly to: Address;
  /** The amount of an MRC20 transfer, the token id of an MRC721 one. */
  readonly value: bigint;
}

/** One MRC721 token that exists at the head. */
export interface Nft {
  readonly token: Token;
  readonly tokenId: bigint;
  readonly owner: Address;
  /** Empty if the contract has none. */
  readonly uri: string;
}

/** An account's balance of a token. */
export interface Holding {
  readonly token: Token;
  readonly holder: Address;
  readonly balance: bigint;
}

/** How much was proven of a verified source: `exact`, to the last comment and name; or `partial`, only what the program does. */
export type VerificationLevel = "exact" | "partial";
/** What the proof of a source does not cover. */
export type UncoveredRegion = "metadata hash" | "creation code";

/** The verified source of a contract, returned by C1 and C2. Units and names follow the specification (2.11). */
export interface ContractVerification {
  readonly address: Address;
  readonly compiler: string;
  readonly libraries: readonly { readonly name: string; readonly address: Address }[];
  /** Seconds since 1970. */
  readonly verifiedAt: number;
  readonly contractName: string;
  readonly runs: number;
  readonly optimizationEnabled: boolean;
  readonly code: Hex;
  readonly abi: readonly unknown[];
  readonly source: string;
  readonly constructorArguments: string;
  readonly swarmSource: string;
  /** What the verifier compared and found; absent if the source was loaded as verified. */
  readonly message?: string;
  /** How much the verifier proved; absent like `message`. */
  readonly level?: VerificationLevel;
  /** What the proof leaves open; empty if it is exact, absent like `message`. */
  readonly uncovered?: readonly UncoveredRegion[];
}

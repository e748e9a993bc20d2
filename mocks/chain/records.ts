// The records a chain is made of: what happened, decoded, one object per block, transaction, call frame, log and token.

export type Hex = `0x${string}`;
/** 20 bytes, lower case. */
export type Address = Hex;
/** 32 bytes, lower case. */
export type Hash = Hex;

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
  /** What the miner receives in fees: the base fee, which is burnt, is not in it. */
  readonly fees: bigint;
  /** Issuance, uncle rewards included; 0 on chains without. */
  readonly miningReward: bigint;
}

export interface Transaction {
  readonly hash: Hash;
  readonly block: Block;
  readonly index: number;
  readonly from: Address;
  /** Null for a creation. */
  readonly to: Address | null;
  /** The address a creation made (also of a failed one), else null. */
  readonly created: Address | null;
  readonly value: bigint;
  readonly input: Hex;
  readonly nonce: number;
  /** Whether it succeeded; null before the Byzantium fork, where receipts do not say. */
  readonly succeeded: boolean | null;
  /** Why it failed, as the trace says; null if it did not or nothing says. */
  readonly error: string | null;
  readonly gasLimit: number;
  readonly gasUsed: number;
  readonly cumulativeGasUsed: number;
  /** The effective price. */
  readonly gasPrice: bigint;
  readonly maxFeePerGas: bigint | null;
  readonly maxPriorityFeePerGas: bigint | null;
}

/** What a call frame can be: a call in one of four ways, a creation in one of two, or the end of a contract. */
export const FRAME_TYPES = [
  "call",
  "delegatecall",
  "staticcall",
  "callcode",
  "create",
  "create2",
  "selfdestruct",
] as const;
export type FrameType = (typeof FRAME_TYPES)[number];

/** One call frame below the root of a transaction: an internal transaction. */
export interface Frame {
  readonly transaction: Transaction;
  readonly traceAddress: readonly number[];
  readonly type: FrameType;
  readonly from: Address;
  readonly to: Address | null;
  /** The contract a create frame made, else null. */
  readonly created: Address | null;
  readonly value: bigint;
  readonly input: Hex;
  readonly gasLimit: number | null;
  readonly gasUsed: number | null;
  /** Its own error, if it has one. */
  readonly error: string | null;
  /** It or an ancestor failed, so nothing of it remains. */
  readonly undone: boolean;
  /** The number of direct children. */
  readonly subTraces: number;
}

export interface Log {
  readonly transaction: Transaction;
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
  /** Empty where the contract has none or refuses to say. */
  readonly uri: string;
}

/** What an account holds of a token. */
export interface Holding {
  readonly token: Token;
  readonly holder: Address;
  readonly balance: bigint;
}

/** A contract whose source is proven: what C1 and C2 answer from. Units and names as the specification has them (2.11). */
export interface VerifiedContract {
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
  /** What was compared and found; none where the source was brought as proven. */
  readonly message?: string;
}

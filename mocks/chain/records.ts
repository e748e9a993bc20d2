// The records of a chain: blocks, transactions, call frames, logs and tokens. Their hex strings are
// in lower case.
import type { Address, Hash, Hex } from "../../src/models/primitives.ts";
import type { blockFields, frameFields, logFields, RecordOf, transactionFields } from "./fields.ts";

export type { Address, Hash, Hex } from "../../src/models/primitives.ts";

export interface Block extends RecordOf<typeof blockFields> {}

/** A transaction with its receipt. */
export interface ChainTransaction extends RecordOf<typeof transactionFields> {
  readonly hash: Hash;
  readonly block: Block;
  /** Position in the block. */
  readonly index: number;
}

/** The first four bytes of the call data; null where there are fewer, and for a creation. */
export const selectorOf = ({ to, input }: Pick<ChainTransaction, "to" | "input">): Hex | null =>
  to === null || input.length < 10 ? null : (input.slice(0, 10) as Hex);

/** One call frame below the root of a transaction: an internal transaction. */
export interface Frame extends RecordOf<typeof frameFields> {
  readonly transaction: ChainTransaction;
}

export interface Log extends RecordOf<typeof logFields> {
  readonly transaction: ChainTransaction;
}

/** Compares logs by their place in the chain, for sorting. */
export const compareLogs = (left: Log, right: Log): number =>
  left.transaction.block.number - right.transaction.block.number || left.index - right.index;

/** The token standards. Their transfers move an amount or an id. */
const tokenStandards = { mrc20: "amount", mrc721: "id" } as const satisfies Readonly<
  Record<string, "amount" | "id">
>;

export type TokenStandard = keyof typeof tokenStandards;
export const standards = Object.keys(tokenStandards) as readonly TokenStandard[];

/** Makes an object with a value for each standard. Its keys are the standards with a suffix. */
export const perStandard = <Suffix extends string, Value>(
  suffix: Suffix,
  valueFor: (standard: TokenStandard) => Value,
) =>
  Object.fromEntries(
    standards.map((standard) => [`${standard}${suffix}`, valueFor(standard)]),
  ) as Readonly<Record<`${TokenStandard}${Suffix}`, Value>>;

/** Whether tokens of a standard have ids. Otherwise, they have amounts. */
export const hasIds = (standard: TokenStandard): boolean => tokenStandards[standard] === "id";

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

export interface Holding {
  readonly token: Token;
  readonly holder: Address;
  readonly balance: bigint;
}

/**
 * The extent of a verification. `exact` proves the whole source with its comments. `partial` proves
 * only the behaviour.
 */
export type VerificationLevel = "exact" | "partial";
/** The regions that the proof of a source does not cover. */
export const uncoveredRegions = [
  "metadata hash",
  "ABI",
  "creation code",
  "immutables",
  "code that can be reached in the metadata",
] as const;
export type UncoveredRegion = (typeof uncoveredRegions)[number];

/** A variable of a contract, or a member of a struct. */
export interface StorageVariable {
  readonly label: string;
  /** The slot in decimal digits. For a member, counted from the start of its struct. */
  readonly slot: string;
  /** Bytes from the low end of the slot. */
  readonly offset: number;
  /** The id of its type. */
  readonly type: string;
}

export interface StorageType {
  /** "inplace", "mapping", "dynamic_array" or "bytes". */
  readonly encoding: string;
  /** "uint256", "mapping(address => uint256)" */
  readonly label: string;
  readonly numberOfBytes: string;
  /** The ids of a mapping's types. */
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  /** The id of the type of an array's elements. */
  readonly base?: string | undefined;
  /** The members of a struct. */
  readonly members?: readonly StorageVariable[] | undefined;
}

/** The places of a contract's variables in its storage, from Solidity's `storageLayout`. */
export interface StorageLayout {
  readonly storage: readonly StorageVariable[];
  /** The types by id; null where there are no variables. */
  readonly types: Readonly<Record<string, StorageType>> | null;
}

/** The files that a contract was compiled from, and the maps from its code to them. */
export interface CompiledFiles {
  /** The files by their number in source maps. */
  readonly files: ReadonlyMap<number, { readonly name: string; readonly text: string }>;
  /** Solidity's source maps. */
  readonly runtime: string;
  readonly creation: string;
  /** Whether neither the optimizer nor the Yul pipeline moved any of the code. */
  readonly isPlain: boolean;
  /**
   * Absent if the compiler did not return it: before 0.5.13, or because the input did not request
   * it.
   */
  readonly storage?: StorageLayout | undefined;
}

/** The verified source of a contract, as C1 and C2 return it. */
export interface ContractVerification {
  readonly address: Address;
  readonly compiler: string;
  readonly libraries: readonly { readonly name: string; readonly address: Address }[];
  /** Seconds since 1970. */
  readonly verifiedAt: number;
  readonly contractName: string;
  readonly runs: number;
  readonly optimizationEnabled: boolean;
  /** The EVM version that the compiler used; null or absent if it is unknown. */
  readonly evmVersion?: string | null | undefined;
  /** Whether the compiler used its intermediate representation (`viaIR`). */
  readonly viaIR?: boolean | undefined;
  /** The code that was verified. The chain may have other code by now. */
  readonly code: Hex;
  readonly abi: readonly unknown[];
  readonly source: string;
  readonly constructorArguments: string;
  readonly swarmSource: string;
  /** The result of the verifier's comparison; absent if the source was loaded as verified. */
  readonly message?: string | undefined;
  /** How much the verifier proved; absent like `message`. */
  readonly level?: VerificationLevel | undefined;
  /** The regions that the proof leaves open; empty if it is exact, absent like `message`. */
  readonly uncovered?: readonly UncoveredRegion[] | undefined;
  /** Absent if the compiler's output is not known. */
  readonly compiled?: CompiledFiles | undefined;
}

/** The fields of a contract that follow from its creation code, even if the creation fails. */
export type CreatedContract = Pick<
  ContractVerification,
  "contractName" | "abi" | "constructorArguments" | "compiled"
>;

export interface Execution {
  readonly transaction: ChainTransaction;
  /** The frames below the root, in execution order. */
  readonly frames: readonly Frame[];
  readonly logs: readonly Log[];
}

/** A block to append: its parent is the head. */
export interface BlockInput {
  readonly block: Block;
  readonly executions: readonly Execution[];
  /** Other changes of coin balances: withdrawals, uncle rewards, burnt blob fees. */
  readonly credits?: readonly (readonly [Address, bigint])[];
}

/** The metadata of a token contract. Undefined is unknown; null means that it has none. */
export interface TokenState {
  readonly address: Address;
  /** Null for a contract that is not a token, whatever events it emits. */
  readonly standard?: TokenStandard | null | undefined;
  readonly name?: string | null | undefined;
  readonly symbol?: string | null | undefined;
  readonly decimals?: number | null | undefined;
  readonly totalSupply?: bigint | null | undefined;
}

/**
 * The state at the head as a node reports it. It overrides the state that follows from events and
 * traces.
 */
export interface HeadState {
  readonly balances?: Iterable<readonly [Address, bigint]>;
  readonly codes?: Iterable<readonly [Address, Hex]>;
  readonly tokens?: Iterable<TokenState>;
  /**
   * `balanceOf`: token, holder, balance. Null if the contract returned no balance, so that events
   * decide.
   */
  readonly tokenBalances?: Iterable<readonly [Address, Address, bigint | null]>;
  /** `ownerOf`: token, id, owner; null if the id does not exist. */
  readonly owners?: Iterable<readonly [Address, bigint, Address | null]>;
  /** `tokenURI`: token, id, text; null if the contract does not return it. */
  readonly uris?: Iterable<readonly [Address, bigint, string | null]>;
  readonly verified?: Iterable<ContractVerification>;
}

// What a block brings to a chain: all that happened in it, and beside it what only a node could tell.
import type {
  Address,
  Block,
  Frame,
  Hex,
  Log,
  TokenStandard,
  Transaction,
  VerifiedContract,
} from "./records.ts";

/** A transaction with everything that happened in it. */
export interface Execution {
  readonly transaction: Transaction;
  /** The frames below the root, in execution order. */
  readonly frames: readonly Frame[];
  readonly logs: readonly Log[];
}

/** A block to append: its parent is the head. */
export interface BlockInput {
  readonly block: Block;
  readonly executions: readonly Execution[];
  /** Changes of native balances that no transaction, fee or reward tells: withdrawals, uncle rewards, burnt blob fees. */
  readonly credits?: readonly (readonly [Address, bigint])[];
}

/** What a token contract says of itself. A field left out is not known; null is a contract that has none. */
export interface TokenState {
  readonly address: Address;
  /** Null is a contract that is no token, whatever its events look like. */
  readonly standard?: TokenStandard | null | undefined;
  readonly name?: string | null | undefined;
  readonly symbol?: string | null | undefined;
  readonly decimals?: number | null | undefined;
  readonly totalSupply?: bigint | null | undefined;
}

/** Answers of a node about the head. They win over what an index derives from events and traces. */
export interface HeadState {
  readonly balances?: Iterable<readonly [Address, bigint]>;
  readonly codes?: Iterable<readonly [Address, Hex]>;
  readonly tokens?: Iterable<TokenState>;
  /** `balanceOf`: token, holder, balance. */
  readonly tokenBalances?: Iterable<readonly [Address, Address, bigint]>;
  /** `tokenURI`: token, id, text. */
  readonly uris?: Iterable<readonly [Address, bigint, string]>;
  readonly verified?: Iterable<VerifiedContract>;
}

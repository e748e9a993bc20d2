// What a chain is filled with: blocks with their transactions, and the state of the head that only a node knows.
import type {
  Address,
  Block,
  ChainTransaction,
  ContractVerification,
  Frame,
  Hex,
  Log,
  TokenStandard,
} from "./records.ts";

/** A transaction with its frames and logs. */
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
  /** Changes of native balances outside of transactions, fees and rewards: withdrawals, uncle rewards, burnt blob fees. */
  readonly credits?: readonly (readonly [Address, bigint])[];
}

/** What a token contract returns about itself. A field left out is unknown; null means that the contract has none. */
export interface TokenState {
  readonly address: Address;
  /** Null for a contract that is no token, whatever its events look like. */
  readonly standard?: TokenStandard | null | undefined;
  readonly name?: string | null | undefined;
  readonly symbol?: string | null | undefined;
  readonly decimals?: number | null | undefined;
  readonly totalSupply?: bigint | null | undefined;
}

/** The state of the head as a node reports it. It wins over what events and traces imply. */
export interface HeadState {
  readonly balances?: Iterable<readonly [Address, bigint]>;
  readonly codes?: Iterable<readonly [Address, Hex]>;
  readonly tokens?: Iterable<TokenState>;
  /** `balanceOf`: token, holder, balance; null if the contract does not return it, so that events decide. */
  readonly tokenBalances?: Iterable<readonly [Address, Address, bigint | null]>;
  /** `ownerOf`: token, id, owner; null if the id does not exist. */
  readonly owners?: Iterable<readonly [Address, bigint, Address | null]>;
  /** `tokenURI`: token, id, text; null if the contract does not return it. */
  readonly uris?: Iterable<readonly [Address, bigint, string | null]>;
  readonly verified?: Iterable<ContractVerification>;
}

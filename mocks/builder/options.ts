// The options of a chain builder and its methods, and what they return.
import type { Address, ContractVerification, Hash } from "../chain/records.ts";
import type { TokenMetadata } from "./token-metadata.ts";
import type { GasOptions, SentTransaction } from "./transaction.ts";

/** The rules of the chain. */
export interface ChainBuilderOptions {
  /** The coins a miner receives per block. Default 2 coins. */
  readonly blockReward?: bigint;
  /** The miner of blocks that do not set one. */
  readonly miner?: Address;
  /** Seconds between blocks. Default 12. */
  readonly blockTime?: number;
  /** The priority fee of transactions that do not set one. Default 1 gwei. */
  readonly priorityFeePerGas?: bigint;
  /** Gas costs nothing, so balances stay round. Default: whether it costs nothing at the head. */
  readonly freeGas?: boolean;
}

/** How an account starts. */
export interface AccountOptions {
  /** Its name in error messages. The address follows from the name, so it is the same on every chain. */
  readonly name?: string;
  /** Coins to give it. */
  readonly balance?: bigint;
}

export interface Mrc20Options extends TokenMetadata, GasOptions {
  /** Minted to the deployer. */
  readonly supply?: bigint;
  /** Minted to other holders. */
  readonly holders?: Iterable<readonly [Address, bigint]>;
}

export interface Mrc721Options extends TokenMetadata, GasOptions {}

/** The transaction that deploys a contract, with the contract's address. */
export interface DeployedContract extends SentTransaction {
  readonly address: Address;
}

/** A contract's source to register as verified. Fields left out get a compiler's defaults. */
export type ContractSource = Partial<Omit<ContractVerification, "address" | "code">> &
  Pick<ContractVerification, "abi">;

/** A transaction, or its hash. */
export type TransactionReference = Hash | { readonly hash: Hash };

export const hashOfReference = (transaction: TransactionReference): Hash =>
  typeof transaction === "string" ? transaction : transaction.hash;

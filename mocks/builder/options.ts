// The options and results of a chain builder and its methods, including token metadata.

import { concat, fromString, padRight, size } from "ox/Hex";
import { isHash } from "../../src/models/hex.ts";
import type { Address, ContractVerification, Hash, Hex } from "../chain/records.ts";
import { classOf } from "../input/options.ts";
import { word } from "./evm.ts";
import type { ChosenAddress } from "./frame.ts";
import type { GasOptions, SentTransaction } from "./transaction.ts";

/** Options with all their defaults. */
export type Complete<Options> = {
  readonly [Name in keyof Options]-?: NonNullable<Options[Name]>;
};

export interface ChainBuilderOptions {
  /** The coins a miner receives for each block. Default 2 coins. */
  readonly blockReward?: bigint | undefined;
  /** The miner of blocks that do not set one. */
  readonly miner?: Address | undefined;
  /** Seconds between blocks. Default 12. */
  readonly blockTime?: number | undefined;
  /** The priority fee of transactions that do not set one. Default 1 gwei. */
  readonly priorityFeePerGas?: bigint | undefined;
  /** Makes gas free, so that balances stay round. Default: true if gas is free at the head. */
  readonly freeGas?: boolean | undefined;
}

/** The name of an account, and coins for it. */
export interface AccountOptions {
  /**
   * The account's name in messages. The address is derived from the name, so it is the same on
   * every chain.
   */
  readonly name?: string | undefined;
  /** Coins to add to its balance. Default none. */
  readonly balance?: bigint | undefined;
}

export interface Mrc20Options extends TokenMetadata, ChosenAddress, GasOptions {
  /** Minted to the deployer. */
  readonly supply?: bigint | undefined;
  /** Minted to other holders. */
  readonly holders?: Iterable<readonly [Address, bigint]> | undefined;
}

export interface Mrc721Options extends TokenMetadata, ChosenAddress, GasOptions {}

/** The transaction that deploys a contract, with the contract's address. */
export interface DeployedContract extends SentTransaction {
  readonly address: Address;
}

/** A contract's source to register as verified. Every field but `abi` has a default. */
export type ContractSource = Partial<Omit<ContractVerification, "address" | "code">> &
  Pick<ContractVerification, "abi">;

export type TransactionReference = Hash | { readonly hash: Hash };

/** Returns the hash of a transaction. Throws a TypeError if the value refers to none. */
export function hashOfReference(transaction: TransactionReference): Hash {
  const hash = typeof transaction === "string" ? transaction : transaction?.hash;
  if (isHash(hash)) return hash;
  throw new TypeError(`expected a transaction or its hash, received ${classOf(transaction)}`);
}

/** A token's metadata. If a field is left out or null, the contract has no such function. */
export interface TokenMetadata {
  readonly name?: string | null | undefined;
  readonly symbol?: string | null | undefined;
  readonly decimals?: number | null | undefined;
}

/** Returns a token's ABI-encoded constructor arguments: name and symbol (string,string). */
export function metadataArguments({ name, symbol }: TokenMetadata): Hex {
  const tail = (text: string): Hex => {
    const bytes = fromString(text);
    return concat(word(size(bytes)), padRight(bytes, Math.ceil(size(bytes) / 32) * 32));
  };
  const [first, second] = [tail(name ?? ""), tail(symbol ?? "")];
  return concat(word(64), word(64 + size(first)), first, second);
}

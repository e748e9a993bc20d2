// The truth about devnet as its node reports it (`oracle.json.gz`); shared/chains/README.md explains its parts.
import type { Address, Hash } from "../../mocks/chain/records.ts";
import { DEVNET, readZipped } from "./chains.ts";

/** "block/transaction/log", transaction, token, from, to, value or id. */
export type OracleTransfer = readonly [string, Hash, Address, Address, Address, string];

export interface OracleToken {
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: string | null;
  readonly totalSupply: string | null;
  readonly holderCount: number;
  readonly balances: Readonly<Record<Address, string>>;
}

interface OracleFilter {
  readonly count: number;
  /** "block/transaction/log", in chain order. */
  readonly keys: readonly string[];
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly topics?: readonly (Hash | null)[];
  readonly or?: Readonly<Record<string, Hash>>;
}

interface OracleFrame {
  readonly traceAddress: readonly number[];
  readonly type: string;
  readonly from: Address;
  readonly to: Address | null;
  readonly value: string;
  readonly subtraces: number;
  readonly error: string | null;
  readonly undone: boolean;
  readonly gas: string | null;
  readonly gasUsed: string | null;
}

export interface Oracle {
  readonly neverAppears: readonly Address[];
  readonly nativeBalances: Readonly<Record<Address, string>>;
  readonly nativeBalancesAt: readonly {
    readonly address: Address;
    readonly block: number;
    readonly balance: string;
  }[];
  readonly tokens20: Readonly<
    Record<Address, OracleToken & { readonly eventsGiveBalances: boolean }>
  >;
  readonly tokens721: Readonly<
    Record<
      Address,
      OracleToken & {
        readonly eventsGiveOwners: boolean;
        readonly inventory: Readonly<Record<Address, readonly string[]>>;
        readonly tokens: Readonly<
          Record<string, { readonly owner: Address | null; readonly uri: string | null }>
        >;
      }
    >
  >;
  readonly txs: Readonly<
    Record<Address, Readonly<Record<"from" | "to" | "contract" | "all", readonly Hash[]>>>
  >;
  readonly receiptStatus: Readonly<Record<Hash, string>>;
  readonly internal: Readonly<Record<Hash, readonly OracleFrame[]>>;
  readonly blocks: Readonly<
    Record<
      string,
      {
        readonly miner: Address;
        readonly timestamp: string;
        readonly transactions: number;
        readonly gasUsed: number;
        readonly gasLimit: number;
        readonly baseFeePerGas: string;
        readonly tips: string;
      }
    >
  >;
  readonly minedBy: Readonly<Record<Address, readonly number[]>>;
  readonly created: Readonly<
    Record<Address, { readonly tx: Hash; readonly creator: Address; readonly status: string }>
  >;
  readonly internalTxsOfAddress: Readonly<Record<Address, readonly Hash[]>>;
  readonly transfers: Readonly<
    Record<
      Address,
      {
        readonly mrc20Count: number;
        readonly mrc721Count: number;
        readonly mrc20: readonly OracleTransfer[];
        readonly mrc721: readonly OracleTransfer[];
      }
    >
  >;
  readonly logs: Readonly<
    Record<Address, { readonly total: number; readonly filters: readonly OracleFilter[] }>
  >;
  readonly contracts: Readonly<
    Record<
      Address,
      {
        readonly creator: Address;
        readonly tx: Hash;
        readonly codeBytes: number;
        readonly codeHash: Hash;
      }
    >
  >;
}

export function readDevnetOracle(): Oracle {
  return JSON.parse(readZipped(DEVNET, "oracle.json.gz"));
}

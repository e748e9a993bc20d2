// The parts of a chain's shape: blocks as a node of that chain returns them, made by hand from its public format, and what an explorer has to answer.
import { createHash } from "node:crypto";
import type { Address, Hash } from "../../../mocks/double/chain/records.ts";
import type { RpcBlock } from "../../../mocks/double/sources/ingest/block.ts";

export const hashOf = (text: string): Hash =>
  `0x${createHash("sha256").update(text).digest("hex")}`;

/** A made-up account. */
export const account = (nth: number): Address => `0xc0de${nth.toString(16).padStart(36, "0")}`;

export const hex = (value: bigint | number): `0x${string}` => `0x${value.toString(16)}`;

export const GWEI = 10n ** 9n;
export const [ALICE, BOB, MINER] = [account(1), account(2), account(3)] as const;

/** What ALICE has before the first block. */
export const ALICE_HAS = 10n ** 18n;

type Fields = Readonly<Record<string, unknown>>;

/** A transaction with its receipt and its trace; null for what the node does not have. */
export interface Sent {
  readonly transaction: Fields & { readonly hash: Hash };
  readonly receipt: Fields | null;
  readonly trace: Fields | null;
}

/** A transfer of 5 by ALICE to BOB at 2 gwei, with the fields that a chain adds or changes. */
export function sent(
  name: string,
  {
    transaction = {},
    receipt = {},
    trace = {},
  }: { transaction?: Fields; receipt?: Fields | null; trace?: Fields | null } = {},
): Sent {
  const made = {
    ...{ hash: hashOf(name), type: "0x2", nonce: "0x0", from: ALICE, to: BOB, value: "0x5" },
    ...{ gas: "0x5208", gasPrice: hex(2n * GWEI), input: "0x", ...transaction },
  };
  return {
    transaction: made,
    receipt: receipt && {
      ...{ transactionHash: made.hash, status: "0x1", gasUsed: "0x5208" },
      ...{ cumulativeGasUsed: "0x5208", contractAddress: null, logs: [] },
      ...{ effectiveGasPrice: made.gasPrice, type: made.type, ...receipt },
    },
    trace: trace && {
      txHash: made.hash,
      result: { type: "CALL", from: made.from, to: made.to, gas: "0x0", gasUsed: "0x0", ...trace },
    },
  };
}

/** The first block and the one with these transactions; the base fee is 1 gwei. */
export function blocksWith(transactions: readonly Sent[], header: Fields = {}): RpcBlock[] {
  const blank = {
    ...{ miner: MINER, gasUsed: "0x5208", gasLimit: "0x1c9c380", difficulty: "0x0", uncles: [] },
  };
  const traces = transactions.flatMap(({ trace }) => trace ?? []);
  return [
    {
      block: {
        ...{ number: "0x0", hash: hashOf("0"), parentHash: hashOf("none"), timestamp: "0x1" },
        ...{ ...blank, transactions: [] },
      },
      ...{ receipts: [], traces: [] },
    },
    {
      block: {
        ...{ number: "0x1", hash: hashOf("1"), parentHash: hashOf("0"), timestamp: "0x2" },
        ...{ ...blank, baseFeePerGas: hex(GWEI), ...header },
        transactions: transactions.map(({ transaction }) => transaction),
      },
      receipts: transactions.map(({ receipt }) => receipt),
      traces,
    },
  ];
}

/** What an explorer answers about block 1. */
export interface Shape {
  readonly chainId: number;
  readonly blocks: readonly RpcBlock[];
  /** B1, and A10 of the miner. */
  readonly rewards: { readonly fees: bigint; readonly mining_reward: bigint };
  /** A2, in the order of the block: status (X2 too), fee, price and gas. */
  readonly transactions: readonly {
    readonly tx_status: "0" | "1" | null;
    readonly tx_fee: bigint | null;
    readonly gas_price?: bigint | null;
    readonly gas_used?: bigint | null;
  }[];
  /** X3 of the first transaction. */
  readonly internal?: readonly {
    readonly trace_type: string | null;
    readonly value: bigint;
    readonly gas_used: bigint | null;
  }[];
  /** A1, of a chain folder, which has no node to ask. */
  readonly balances: Readonly<Record<Address, bigint>>;
  /** What is reported. */
  readonly missing?: readonly RegExp[];
}

/** 21,000 gas at 2 gwei, of which the miner gets half. */
export const [FEE, TIP] = [42_000n * GWEI, 21_000n * GWEI];
export const plain = { tx_status: "1", tx_fee: FEE } as const;

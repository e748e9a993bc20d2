// The parts of a chain's shape: blocks as a node of that chain returns them, made by hand from its public format, and what an explorer has to answer.
import { createHash } from "node:crypto";
import type { Address, Hash } from "../../../mocks/chain/records.ts";
import type { RpcBlock } from "../../../mocks/ingest/block-fields.ts";

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

/** A token with 2 decimals, of which BOB gets 7, and a collection of which he gets number 9, in the first transaction of each chain. */
export const [GOLD, ART] = [account(40), account(41)] as const;
const TOKEN_CODE = "0x6000";

const word = (value: bigint | number | string) =>
  (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0");
const abiText = (text: string) =>
  `${word(32)}${word(text.length)}${Buffer.from(text).toString("hex").padEnd(64, "0")}`;

/** Transfer(address,address,uint256) from nobody. */
export const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const NOBODY = `0x${word(0)}`;
const mints = [
  { address: GOLD, topics: [TRANSFER, NOBODY, `0x${word(BOB)}`], data: `0x${word(7)}` },
  { address: ART, topics: [TRANSFER, NOBODY, `0x${word(BOB)}`, `0x${word(9)}`], data: "0x" },
].map((log, index) => ({ ...log, logIndex: hex(index) }));

/** What the contracts return to calls; they revert to any other. */
const returned: Readonly<Record<string, string>> = {
  [`${GOLD}0x06fdde03`]: abiText("Gold"),
  [`${GOLD}0x95d89b41`]: abiText("GLD"),
  [`${GOLD}0x313ce567`]: word(2),
  [`${GOLD}0x18160ddd`]: word(7),
  [`${GOLD}0x70a08231${word(BOB)}`]: word(7),
  [`${ART}0x06fdde03`]: abiText("Art"),
  [`${ART}0x95d89b41`]: abiText("ART"),
  [`${ART}0x01ffc9a780ac58cd${"0".repeat(56)}`]: word(1),
  [`${ART}0x70a08231${word(BOB)}`]: word(1),
  [`${ART}0x6352211e${word(9)}`]: word(BOB),
  [`${ART}0xc87b56dd${word(9)}`]: abiText("ipfs://9"),
};
/** The calls of a chain folder. */
export const tokenCalls = [
  ...[GOLD, ART].map((token) => ({
    ...{ method: "eth_getCode", params: [token, "0x1"], result: TOKEN_CODE },
  })),
  ...Object.entries(returned).map(([call, result]) => ({
    method: "eth_call",
    params: [{ to: call.slice(0, 42), data: call.slice(42) }, "0x1"],
    result: `0x${result}`,
  })),
];

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
      receipts: transactions.map(({ receipt }, index) =>
        index === 0 ? { ...receipt, logs: mints } : receipt,
      ),
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

// The gas costs of the Prague fork that can be computed without running code.
import { byteLength } from "../chain/hex.ts";
import type { Block, Hex } from "../chain/records.ts";

const words = (length: number): number => Math.ceil(length / 32);

/**
 * Counts the "tokens" of call data (EIP-7623): a zero byte is one token, any other byte is four.
 */
function tokens(input: Hex): number {
  let count = 0;
  for (let at = 2; at < input.length; at += 2) {
    count += input.charCodeAt(at) === 48 && input.charCodeAt(at + 1) === 48 ? 1 : 4;
  }
  return count;
}

/** The gas of a transaction, at least the floor of EIP-7623. */
export function transactionGas(input: Hex, creates: boolean, execution: number): number {
  const creation = creates ? 32_000 + 2 * words(byteLength(input)) : 0;
  const data = tokens(input);
  return Math.max(21_000 + 4 * data + creation + execution, 21_000 + 10 * data);
}

/** The gas of a LOG instruction: a base cost, and costs per topic and per byte of data. */
export const logGas = (topics: number, data: Hex): number =>
  375 + 375 * topics + 8 * byteLength(data);

/**
 * The gas that a call costs its caller: access to a cold account, and a surcharge if coins move.
 */
export const callGas = (sendsCoins: boolean): number => 2_600 + (sendsCoins ? 9_000 : 0);

/** CREATE and CREATE2, without the gas that the init code uses. */
export const createGas = (initCode: Hex): number => 32_000 + 2 * words(byteLength(initCode));

/** The gas of init code that only returns its runtime code, and of storing that code. */
export function deploymentGas(code: Hex): number {
  const length = byteLength(code);
  const size = words(length);
  const copy = 3 * size + 3 * size + Math.floor((size * size) / 512);
  return (length === 0 ? 0 : 16 + copy) + 200 * length;
}

/** The base fee of the block after `parent` (EIP-1559); null before EIP-1559. */
export function nextBaseFee(parent: Block): bigint | null {
  const fee = parent.baseFeePerGas;
  if (fee === null) {
    return null;
  }
  const target = BigInt(Math.floor((parent.gasLimit ?? 0) / 2));
  const used = BigInt(parent.gasUsed ?? 0);
  if (used === target || target === 0n) {
    return fee;
  }
  if (used < target) {
    return fee - (fee * (target - used)) / target / 8n;
  }
  const rise = (fee * (used - target)) / target / 8n;
  return fee + (rise > 0n ? rise : 1n);
}

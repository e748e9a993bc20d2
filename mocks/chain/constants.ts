// The address of nobody and the hash of nothing: who mints and burns, and the parent of the first block.
import type { Address, Hash } from "./records.ts";

export const ZERO_ADDRESS: Address = `0x${"0".repeat(40)}`;
export const ZERO_HASH: Hash = `0x${"0".repeat(64)}`;

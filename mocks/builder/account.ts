// The accounts of a story: an address that follows from a name.
import type { Address } from "../chain/records.ts";
import { keccakText } from "./evm.ts";

/** The address of the account with this name, the same in every story. */
export const named = (name: string): Address => `0x${keccakText(`account ${name}`).slice(26)}`;

// Bytes as the EVM lays them out: words, selectors, topics, and the hashes and addresses that follow from them.
import * as ContractAddress from "ox/ContractAddress";
import * as Keccak from "ox/Hash";
import * as OxHex from "ox/Hex";
import * as Rlp from "ox/Rlp";
import { isAddress, isHex } from "../../src/models/hex.ts";
import type { Address, Hash, Hex } from "../chain/records.ts";

/** Keccak-256 of a text's UTF-8 bytes. */
export const keccakText = (text: string): Hash => Keccak.keccak256(OxHex.fromString(text));

/** A value as a 32-byte word: a number as uint256, an address or a shorter hex left-padded. */
export function word(value: bigint | number | boolean | Hex): Hash {
  const digits =
    typeof value === "string" ? value.slice(2).toLowerCase() : BigInt(value).toString(16);
  if (digits.startsWith("-") || digits.length > 64) {
    throw new RangeError(`${value} does not fit into 32 bytes`);
  }
  return `0x${digits.padStart(64, "0")}`;
}

/** The topic of an event: keccak-256 of its signature, `Transfer(address,address,uint256)`. */
export const eventTopic = (event: string): Hash => keccakText(event);

/** Call data: the selector of `signature` and its arguments, all of them static. */
export const callData = (
  signature: string,
  ...values: readonly (bigint | number | boolean | Hex)[]
): Hex => OxHex.concat(OxHex.slice(keccakText(signature), 0, 4), ...values.map(word));

/** A number as RLP has it: no leading zeros, zero is empty. */
function quantity(value: bigint | number): Hex {
  const digits = value.toString(16);
  return BigInt(value) === 0n ? "0x" : `0x${digits.length % 2 === 0 ? "" : "0"}${digits}`;
}

/** The hash of a list of fields: how transactions and blocks get theirs. */
export const hashOf = (...fields: readonly (Hex | bigint | number | null)[]): Hash =>
  Keccak.keccak256(
    Rlp.fromHex(
      fields.map((field) =>
        field === null ? "0x" : typeof field === "string" ? field : quantity(field),
      ),
    ),
  );

/** Where CREATE puts a contract. */
export const createAddress = (creator: Address, nonce: number): Address =>
  ContractAddress.fromCreate({ from: creator, nonce: BigInt(nonce) });

/** Where CREATE2 puts a contract. */
export const create2Address = (creator: Address, salt: Hash, initCode: Hex): Address =>
  ContractAddress.fromCreate2({ from: creator, salt, bytecode: initCode });

/** Checks and lowers an address. */
export function address(value: string): Address {
  if (!isAddress(value)) {
    throw new TypeError(`${JSON.stringify(value)} is not an address: 0x and 40 hex digits`);
  }
  return value.toLowerCase() as Address;
}

/** Checks and lowers bytes. */
export function bytes(value: string): Hex {
  if (!isHex(value)) {
    throw new TypeError(
      `${JSON.stringify(value)} is not bytes: 0x and an even number of hex digits`,
    );
  }
  return value.toLowerCase() as Hex;
}

// Bytes as the EVM lays them out: words, call data, topics, code, and the hashes and addresses
// derived from them.
import * as ContractAddress from "ox/ContractAddress";
import * as Keccak from "ox/Hash";
import * as OxHex from "ox/Hex";
import * as Rlp from "ox/Rlp";
import { eventTopic } from "../../src/contract/event-topic.ts";
import { isAddress, isHex } from "../../src/models/hex.ts";
import { describe, mismatch } from "../../src/models/issues.ts";
import { addressInWord, byteLength, WORD_DIGITS } from "../chain/hex.ts";
import type { Address, Hash, Hex } from "../chain/records.ts";
import { TRANSFER_TOPIC } from "../chain/transfer-event.ts";

const keccakText = (text: string): Hash => Keccak.keccak256(OxHex.fromString(text));

/**
 * Encodes a value as a 32-byte word: a number as uint256, an address or shorter bytes padded on the
 * left.
 */
export function word(value: bigint | number | boolean | Hex): Hash {
  const isNumber = /^(bigint|boolean)$/.test(typeof value) || Number.isInteger(value);
  if (!isNumber && !/^0x[0-9a-f]*$/i.test(`${value}`))
    throw new TypeError(
      `word: expected a whole number, a boolean or hexadecimal text, received ${describe(value)}`,
    );
  const digits =
    typeof value === "string" ? value.slice(2).toLowerCase() : BigInt(value).toString(16);
  if (digits.startsWith("-") || digits.length > WORD_DIGITS) {
    throw new RangeError(`Invalid word ${value}: expected 0 to 2^256 - 1, or at most 32 bytes`);
  }
  return `0x${digits.padStart(WORD_DIGITS, "0")}`;
}

export const tokenEvents = {
  transfer: TRANSFER_TOPIC,
  approval: eventTopic("Approval(address,address,uint256)"),
  approvalForAll: eventTopic("ApprovalForAll(address,address,bool)"),
} as const;

/** The address of the account with this name, the same on every chain. */
export const addressOfName = (name: string): Address =>
  addressInWord(keccakText(`account ${name}`));

/** Caches selectors, because generating a chain computes the same few for each transaction. */
const selectors = new Map<string, Hex>();

function selectorOfSignature(signature: string): Hex {
  const cached = selectors.get(signature);
  if (cached !== undefined) return cached;
  const selector = OxHex.slice(keccakText(signature), 0, 4);
  selectors.set(signature, selector);
  return selector;
}

/** An argument of a call: a value of a static type. */
type StaticValue = bigint | number | boolean | Hex;

/** Whether a value fits a static type of Solidity; undefined for a type that is not static. */
function fitsType(type: string, value: StaticValue): boolean | undefined {
  const [, kind, size = ""] = /^(address|bool|u?int|bytes)(\d*)$/.exec(type) ?? [];
  if (kind === "address" && size === "") return isAddress(value);
  if (kind === "bool" && size === "") return typeof value === "boolean";
  if (kind === "bytes" && size !== "")
    return typeof value === "string" && isHex(value) && byteLength(value) <= Number(size);
  const isWidth = Number(size || 256) % 8 === 0 && Number(size || 256) <= 256;
  if ((kind !== "uint" && kind !== "int") || !isWidth) return undefined;
  const isInteger = typeof value === "bigint" || Number.isSafeInteger(value);
  const bits = BigInt(size || 256);
  const number = isInteger ? BigInt(value) : -1n;
  return kind === "uint" ? number >= 0n && number < 1n << bits : isInteger;
}

/**
 * Encodes call data: the selector of `signature`, and its arguments. Their types must be static.
 *
 * @throws TypeError for missing, extra or ill-typed arguments
 */
export function callData(signature: string, ...values: readonly StaticValue[]): Hex {
  const list = /^[A-Za-z_$][\w$]*\((.*)\)$/.exec(signature)?.[1];
  if (list === undefined)
    throw new TypeError(
      `callData: expected a signature such as "transfer(address,uint256)", received ${describe(signature)}`,
    );
  const types = list === "" ? [] : list.split(",");
  if (types.length !== values.length)
    throw new TypeError(
      `callData: expected ${types.length} arguments for ${signature}, received ${values.length}`,
    );
  const encoded = types.map((type, index) => {
    const value = values[index] as StaticValue;
    const fits = fitsType(type, value);
    if (fits === undefined)
      throw new TypeError(
        `callData: expected static types such as address, uint256, bool or bytes32, received ${type}: encode ${signature} with viem's encodeFunctionData`,
      );
    if (!fits)
      throw new TypeError(
        `callData: argument ${index + 1} of ${signature}: ${mismatch(type, value)}`,
      );
    return type.startsWith("bytes") ? OxHex.padRight(value as Hex, 32) : word(value);
  });
  return OxHex.concat(selectorOfSignature(signature), ...encoded);
}

/** Encodes a number for RLP, without leading zeros. Zero is empty. */
function quantity(value: bigint | number): Hex {
  const digits = value.toString(16);
  return BigInt(value) === 0n ? "0x" : `0x${digits.length % 2 === 0 ? "" : "0"}${digits}`;
}

/** Hashes a list of fields, for the hashes of transactions and blocks. */
export const hashOf = (...fields: readonly (Hex | bigint | number | null)[]): Hash =>
  Keccak.keccak256(
    Rlp.fromHex(
      fields.map((field) =>
        field === null ? "0x" : typeof field === "string" ? field : quantity(field),
      ),
    ),
  );

/** The address of a contract created by CREATE or a transaction. */
export const createAddress = (creator: Address, nonce: number): Address =>
  ContractAddress.fromCreate({ from: creator, nonce: BigInt(nonce) });

/** The address of a contract created by CREATE2. */
export const create2Address = (creator: Address, salt: Hash, initCode: Hex): Address =>
  ContractAddress.fromCreate2({ from: creator, salt, bytecode: initCode });

/** The code that a creation runs, and the code it deploys. */
export interface CreationCode {
  /** The runtime code. Default: one byte, STOP, which accepts every call. */
  readonly code?: Hex | undefined;
  /** The init code. Default: the shortest one that returns `code`. */
  readonly initCode?: Hex | undefined;
  /** ABI-encoded, appended to the init code. */
  readonly constructorArguments?: Hex | undefined;
}

const STOP: Hex = "0x00";

/** Returns the runtime code and the input of a creation. */
export function creationCode({ code, initCode, constructorArguments = "0x" }: CreationCode) {
  const runtime = bytes(code ?? STOP);
  const input = OxHex.concat(bytes(initCode ?? initCodeOf(runtime)), bytes(constructorArguments));
  return { runtime, input };
}

/** PUSH2 length, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, RETURN. */
function initCodeOf(code: Hex): Hex {
  const length = word(byteLength(code)).slice(-4);
  return byteLength(code) === 0 ? "0x" : OxHex.concat(`0x61${length}80600a5f395ff3`, code);
}

/** Checks an address and lowers its case. */
export function address(value: string): Address {
  if (!isAddress(value)) {
    throw new TypeError(`Invalid address ${describe(value)}: expected 0x and 40 hex digits`);
  }
  return value.toLowerCase() as Address;
}

/** Checks bytes and lowers their case. */
export function bytes(value: string): Hex {
  if (typeof value !== "string" || !isHex(value)) {
    throw new TypeError(
      `Invalid bytes ${describe(value)}: expected 0x and an even number of hex digits`,
    );
  }
  return value.toLowerCase() as Hex;
}

/**
 * Thrown for calls that no chain allows: an account that spends more than it has, a token moved by
 * an account that does not hold it, a block older than its parent. The message names the account,
 * what it has and what it needs. The call changes nothing.
 */
export class ImpossibleError extends Error {
  override readonly name = "ImpossibleError";
}

export function refuse(reason: string): never {
  throw new ImpossibleError(reason);
}

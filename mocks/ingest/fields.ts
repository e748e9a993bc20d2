// Reads the fields of a node's JSON answers, each checked: what is not as expected is an error that names the field.
import { isObject } from "../../src/models/issues.ts";
import type { Address, Hash, Hex } from "../chain/records.ts";
import { IngestError } from "./fault.ts";

/** A JSON object nothing is known of yet. */
export type Raw = { readonly [field: string]: unknown };

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function wrong(field: string, expected: string, received: unknown): IngestError {
  return new IngestError(`expected ${expected}, got ${shown(received)}`, { field });
}

export function raw(of: Raw, field: string): Raw {
  const value = of[field];
  if (!isObject(value)) throw wrong(field, "an object", value);
  return value;
}

export function text(of: Raw, field: string): string {
  const value = of[field];
  if (typeof value !== "string") throw wrong(field, "a text", value);
  return value;
}

export function flag(of: Raw, field: string): boolean {
  const value = of[field];
  if (typeof value !== "boolean") throw wrong(field, "true or false", value);
  return value;
}

const DIGITS = /^0x[0-9a-f]+$/i;

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** An unsigned integer of any size: hexadecimal, or a JSON number (as some nodes write times and block numbers). */
export function quantity(of: Raw, field: string): bigint {
  const value = of[field];
  if (isCount(value) || (typeof value === "string" && DIGITS.test(value))) return BigInt(value);
  throw wrong(field, "an integer such as 0x1a", value);
}

/** An unsigned integer up to 2^53-1. */
export function count(of: Raw, field: string): number {
  const value = of[field];
  const number = typeof value === "string" && DIGITS.test(value) ? Number(value) : value;
  if (isCount(number)) return number;
  throw wrong(field, "an integer such as 0x1a, below 2^53", value);
}

const HEX = /^0x[0-9a-f]*$/i;

function isHex(value: unknown, bytes?: number): value is Hex {
  if (typeof value !== "string" || value.length % 2 === 1) return false;
  return (bytes === undefined || value.length === 2 + 2 * bytes) && HEX.test(value);
}

export function data(of: Raw, field: string): Hex {
  const value = of[field];
  if (!isHex(value)) throw wrong(field, "bytes in hexadecimal", value);
  return lower(value);
}

export function address(of: Raw, field: string): Address {
  const value = of[field];
  if (!isHex(value, 20)) throw wrong(field, "an address (20 bytes in hexadecimal)", value);
  return lower(value);
}

export function hash(of: Raw, field: string): Hash {
  const value = of[field];
  if (!isHex(value, 32)) throw wrong(field, "a hash (32 bytes in hexadecimal)", value);
  return lower(value);
}

function lower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex;
}

/** Null where the field is missing or null. */
export function optional<T>(of: Raw, field: string, read: (of: Raw, field: string) => T): T | null {
  const value = of[field];
  return value === undefined || value === null ? null : read(of, field);
}

export function list(of: Raw, field: string): readonly unknown[] {
  const value = of[field];
  if (!Array.isArray(value)) throw wrong(field, "a list", value);
  return value;
}

/** Every object of a list, read by `read`; an error in one of them names its position. */
export function each<T>(of: Raw, field: string, read: (item: Raw, index: number) => T): T[] {
  return list(of, field).map((item, index) => {
    if (!isObject(item)) throw wrong(`${field}[${index}]`, "an object", item);
    try {
      return read(item, index);
    } catch (error) {
      throw error instanceof IngestError ? error.in(`${field}[${index}]`) : error;
    }
  });
}

/** Every value of a list of plain values, such as the topics of a log. */
export function every<T>(of: Raw, field: string, read: (of: Raw, field: string) => T): T[] {
  return list(of, field).map((value, index) => {
    const name = `${field}[${index}]`;
    return read({ [name]: value }, name);
  });
}

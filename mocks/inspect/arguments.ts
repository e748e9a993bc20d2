// Reads texts as values of ABI types, for calls and for filters of logs. Runs in browsers.
import * as AbiParameters from "ox/AbiParameters";
import * as Hash from "ox/Hash";
import { isDynamic, type Parameter } from "../../src/cli/abi.ts";
import { isAddress } from "../../src/models/hex.ts";
import { asObject, isObject, jsonIn } from "../../src/models/json.ts";
import type { Hex } from "../../src/models/primitives.ts";

/** A text that is not a value of its parameter's type. */
export class ArgumentError extends Error {
  readonly index: number;

  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

const mistake = (where: string, expected: string, received: string): Error =>
  new Error(
    `${where}expected ${expected}, received ${received === "" ? "nothing" : `"${received.slice(0, 60)}"`}`,
  );

/** Quotes bare numbers in JSON, because `JSON.parse` would lose digits. */
const quoteNumbers = (json: string): string =>
  json.replace(/"(?:\\.|[^"\\])*"|-?\b0x[\da-f]+\b|-?\b\d+(?:\.\d+)?(?:e\d+)?\b/gi, (part) =>
    part.startsWith('"') ? part : `"${part}"`,
  );

/** Reads "1_000", "0x3e8" and "1.5e18". */
export function integerOf(text: string): bigint | undefined {
  const compact = text.replaceAll(/[_,\s]/g, "");
  if (/^-?(0x[\da-f]+|\d+)$/i.test(compact))
    return compact.startsWith("-") ? -BigInt(compact.slice(1)) : BigInt(compact);
  const [, sign, whole = "", fraction = "", zeros] =
    /^(-?)(\d+)(?:\.(\d+))?e(\d{1,3})$/i.exec(compact) ?? [];
  const more = Number(zeros) - fraction.length;
  if (zeros === undefined || more < 0) return undefined;
  const value = BigInt(whole + fraction) * 10n ** BigInt(more);
  return sign ? -value : value;
}

function readInteger(type: string, text: string, where: string): bigint {
  const [, unsigned, digits] = /^(u?)int(\d*)$/.exec(type) ?? [];
  const bits = BigInt(digits || "256");
  const [least, most] = unsigned
    ? [0n, 2n ** bits - 1n]
    : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  const value = integerOf(text);
  if (value !== undefined && value >= least && value <= most) return value;
  const range = unsigned ? `0 to 2^${bits}-1` : `-2^${bits - 1n} to 2^${bits - 1n}-1`;
  throw mistake(where, `an integer from ${range}`, text);
}

function readList(parameter: Parameter, length: string, value: unknown, where: string) {
  const expected = `a JSON array${length && ` of ${length}`}, such as [1, 2]`;
  if (!Array.isArray(value) || (length !== "" && value.length !== Number(length)))
    throw mistake(where, expected, typeof value === "string" ? value : `${JSON.stringify(value)}`);
  const item = { ...parameter, type: parameter.type.replace(/\[\d*\]$/, "") };
  return value.map((entry, index): unknown => readValue(item, entry, `${where}[${index}]: `));
}

function readTuple({ components }: Parameter, value: unknown, where: string): object {
  const names = components.map(({ name }) => name).join(", ");
  if (!isObject(value) && !Array.isArray(value))
    throw mistake(where, `a JSON object with ${names}`, String(value));
  const values = components.map((component, index) => {
    const { name } = component;
    const entry: unknown = Array.isArray(value) ? value[index] : asObject(value)[name];
    return [name, readValue(component, entry, `${where}.${name || index}: `)] as const;
  });
  return components.every(({ name }) => name !== "")
    ? Object.fromEntries(values)
    : values.map(([, entry]) => entry);
}

/** Reads a text, or a part of the JSON of a list or tuple, as a value of the parameter's type. */
function readValue(parameter: Parameter, value: unknown, where: string): unknown {
  const { type } = parameter;
  const [, length] = /\[(\d*)\]$/.exec(type) ?? [];
  if (length !== undefined) return readList(parameter, length, value, where);
  if (type === "tuple") return readTuple(parameter, value, where);
  const text = value === undefined ? "" : String(value);
  if (type === "string") return text;
  const trimmed = text.trim();
  if (type === "address") {
    if (isAddress(trimmed)) return trimmed.toLowerCase();
    throw mistake(where, "an address (0x and 40 hexadecimal digits)", trimmed);
  }
  if (type === "bool") {
    if (/^(true|1|yes)$/i.test(trimmed)) return true;
    if (/^(false|0|no)$/i.test(trimmed)) return false;
    throw mistake(where, "true or false", trimmed);
  }
  if (/^u?int\d*$/.test(type)) return readInteger(type, trimmed, where);
  const [, size] = /^bytes(\d*)$/.exec(type) ?? [];
  if (size === undefined) throw new Error(`${where}the type ${type.slice(0, 40)} is not known`);
  const isHex = /^0x([\da-f]{2})*$/i.test(trimmed);
  if (isHex && (size === "" || trimmed.length === 2 + 2 * Number(size)))
    return trimmed.toLowerCase();
  const expected = `${size || "any number of"} bytes in hexadecimal (0x and pairs of digits)`;
  throw mistake(where, expected, trimmed);
}

/** Throws an {@link ArgumentError} that says what was expected. */
export function readArgument(parameter: Parameter, text: string, index: number): unknown {
  try {
    if (!/\]$|^tuple$/.test(parameter.type)) return readValue(parameter, text, "");
    return readValue(parameter, jsonIn(quoteNumbers(text)) ?? text, "");
  } catch (error) {
    throw new ArgumentError(index, error instanceof Error ? error.message : String(error));
  }
}

/** Encodes one value, without `0x`. */
const encoded = (parameter: Parameter, value: unknown): string =>
  AbiParameters.encode([parameter] as AbiParameters.AbiParameters, [value]).slice(2);

const utf8 = new TextEncoder();
const hexOf = (text: string): string =>
  Array.from(utf8.encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The topic of a log for an indexed value: the value's word, or the hash of a text or bytes. */
export function indexedTopic(parameter: Parameter, text: string, index: number): Hex {
  const value = readArgument(parameter, text, index);
  if (!isDynamic(parameter)) return `0x${encoded(parameter, value)}`;
  if (parameter.type === "string") return Hash.keccak256(utf8.encode(text), { as: "Hex" });
  if (parameter.type === "bytes") return Hash.keccak256(value as Hex, { as: "Hex" });
  throw new ArgumentError(index, "only its hash is indexed, which cannot be searched");
}

/**
 * Returns a test of whether a log's data has a value. It compares words, because decoding every
 * log of a list would take long.
 */
export function isInData(
  others: readonly Parameter[],
  parameter: Parameter,
  text: string,
  index: number,
): (data: Hex) => boolean {
  const value = readArgument(parameter, text, index);
  const { type } = parameter;
  if (type === "string" || type === "bytes") {
    const part = type === "string" ? hexOf(text) : String(value).slice(2);
    return (data) => data.includes(part);
  }
  const before = others.slice(0, others.indexOf(parameter));
  // A tuple or a list of fixed length takes several words, which moves the values after it.
  if (isDynamic(parameter) || before.some(({ type }) => /^tuple$|\[\d+\]$/.test(type)))
    throw new ArgumentError(index, "lists, tuples and the values after them cannot be searched");
  const at = 2 + 64 * before.length;
  const word = encoded(parameter, value);
  return (data) => data.slice(at, at + 64) === word;
}

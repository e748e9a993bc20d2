// Functions, events and errors of an ABI for forms: texts become arguments, checked by type, and results become texts.

import * as AbiParameters from "ox/AbiParameters";
import {
  decodeData,
  type Member,
  membersOf,
  type Parameter,
  parametersOf,
} from "../../../src/cli/abi.ts";
import { isAddress } from "../../../src/models/hex.ts";
import { isObject } from "../../../src/models/issues.ts";
import { asObject, jsonIn } from "../../../src/models/json.ts";
import type { Hex } from "../../../src/models/primitives.ts";
import { panicText } from "../../inspect/standard-abi.ts";
import { oneLine } from "./values.ts";

/** "amount (uint256)" */
export const labelOf = ({ name, type }: Parameter, index: number): string =>
  `${oneLine(name, 40) || `argument ${index + 1}`} (${oneLine(type, 60)})`;

/** Bare numbers in JSON become texts: as numbers they would lose digits. */
const withoutNumbers = (json: string): string =>
  json.replace(/"(?:\\.|[^"\\])*"|-?\b0x[\da-f]+\b|-?\b\d+(?:\.\d+)?(?:e\d+)?\b/gi, (part) =>
    part.startsWith('"') ? part : `"${part}"`,
  );

/** "1_000", "0x3e8", "1.5e18" */
function integerOf(text: string): bigint | undefined {
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

const mistake = (where: string, expected: string, received: string): Error =>
  new Error(
    `${where}: expected ${expected}, received ${received === "" ? "nothing" : `"${oneLine(received, 60)}"`}`,
  );

function readInteger(type: string, text: string, where: string): bigint {
  const [, unsigned, digits = "256"] = /^(u?)int(\d*)$/.exec(type) ?? [];
  const bits = BigInt(digits || "256");
  const [least, most] = unsigned
    ? [0n, 2n ** bits - 1n]
    : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  const value = integerOf(text);
  if (value === undefined || value < least || value > most)
    throw mistake(
      where,
      `an integer from ${least === 0n ? 0 : `-2^${bits - 1n}`} to 2^${unsigned ? bits : bits - 1n}-1`,
      text,
    );
  return value;
}

function readList(
  { type, ...parameter }: Parameter,
  length: string,
  value: unknown,
  where: string,
) {
  const expected = `a JSON array${length && ` of ${length}`}, such as [1, 2]`;
  if (!Array.isArray(value) || (length !== "" && value.length !== Number(length)))
    throw mistake(
      where,
      expected,
      typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
    );
  const item = { ...parameter, type: type.replace(/\[\d*\]$/, "") };
  return value.map((one, index): unknown => readValue(item, one, `${where}[${index}]`));
}

function readTuple({ components }: Parameter, value: unknown, where: string): object {
  const names = components.map(({ name }) => name).join(", ");
  if (!isObject(value) && !Array.isArray(value))
    throw mistake(where, `a JSON object with ${names}`, String(value));
  const values = components.map((one, index) => {
    const given: unknown = Array.isArray(value) ? value[index] : asObject(value)[one.name];
    return [one.name, readValue(one, given, `${where}.${one.name || index}`)] as const;
  });
  return components.every(({ name }) => name !== "")
    ? Object.fromEntries(values)
    : values.map(([, one]) => one);
}

/** A text, or what JSON had in its place, as a value of the type. */
function readValue(parameter: Parameter, given: unknown, where: string): unknown {
  const { type } = parameter;
  const [, length] = /\[(\d*)\]$/.exec(type) ?? [];
  if (length !== undefined) return readList(parameter, length, given, where);
  if (type === "tuple") return readTuple(parameter, given, where);
  const text = given === undefined ? "" : String(given);
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
  if (size === undefined) throw new Error(`${where}: the type ${oneLine(type, 40)} is not known`);
  const digits = size === "" ? "*" : `{${Number(size)}}`;
  if (new RegExp(`^0x([\\da-f]{2})${digits}$`, "i").test(trimmed)) return trimmed.toLowerCase();
  throw mistake(
    where,
    `${size || "any number of"} bytes in hexadecimal (0x and pairs of digits)`,
    trimmed,
  );
}

/** The value that a text means. Throws an Error that says what was expected. */
export function readArgument(parameter: Parameter, text: string, index: number): unknown {
  const where = labelOf(parameter, index);
  if (!/\]$|^tuple$/.test(parameter.type)) return readValue(parameter, text, where);
  const value = jsonIn(withoutNumbers(text));
  // The check of its type says what is expected.
  return readValue(parameter, value === undefined ? text : value, where);
}

type Types = readonly AbiParameters.Parameter[];

/** The data of a call with these texts as arguments. Throws an Error that says what was expected. */
export function encodeCall({ selector, inputs }: Member, texts: readonly string[]): Hex {
  const values = inputs.map((input, index) => readArgument(input, texts[index] ?? "", index));
  const encoded = inputs.length === 0 ? "0x" : AbiParameters.encode(inputs as Types, values);
  return `${selector}${encoded.slice(2)}`;
}

/** A named value. */
export interface NamedValue {
  readonly name: string;
  readonly type: string;
  readonly text: string;
  /** Of the token that it is an amount of. */
  readonly decimals?: number | undefined;
}

export const argumentText = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  return JSON.stringify(
    value,
    (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one),
    1,
  ).replaceAll(/\n */g, " ");
};

/** The values in data. Throws where it does not fit. */
export function decodeValues(parameters: readonly Parameter[], data: Hex): readonly NamedValue[] {
  const values = decodeData(parameters, data);
  return parameters.map(({ name, type }, index) => ({
    name,
    type,
    text: argumentText(values[index]),
  }));
}

/** What a contract was created with; nothing where that does not fit its ABI. */
export function constructorValues(abi: readonly unknown[], data: string): readonly NamedValue[] {
  const declared = abi.find((item) => isObject(item) && item.type === "constructor");
  const inputs = parametersOf(asObject(declared).inputs);
  try {
    return decodeValues(inputs, `0x${data.replace(/^0x/, "")}`);
  } catch {
    return [];
  }
}

const builtIn = membersOf([
  { type: "error", name: "Error", inputs: [{ name: "reason", type: "string" }] },
  { type: "error", name: "Panic", inputs: [{ name: "code", type: "uint256" }] },
]);

/** Why a call reverted: the error by its name, or what the node says. */
export function explainRevert(
  members: readonly Member[],
  data: Hex | null,
  message: string,
): string {
  const error = [...builtIn, ...members].find(
    ({ type, selector }) => type === "error" && data?.startsWith(selector),
  );
  if (error === undefined || data === null) return message;
  try {
    const values = decodeValues(error.inputs, `0x${data.slice(10)}`);
    const [first] = values;
    if (error.signature === "Panic(uint256)") return `reverted: ${panicText(first?.text ?? "")}`;
    const given = values.map(({ name, text }) => (name ? `${name}: ${text}` : text));
    return `reverted with ${error.name}(${given.join(", ")})`;
  } catch {
    return message;
  }
}

// Call data and logs by a contract's ABI, through viem: loaded when a verified contract is first shown.
import {
  decodeAbiParameters,
  decodeEventLog,
  toEventSelector,
  toFunctionSelector,
} from "viem/utils";
import type { Abi, AbiParameter } from "../../src/resources/abi.ts";

export interface Argument {
  readonly name: string;
  readonly type: string;
  /** As text; lists and structs as JSON. */
  readonly value: string;
}

export interface DecodedCall {
  /** "transfer(address,uint256)" */
  readonly signature: string;
  readonly arguments: readonly Argument[];
}

/** JSON with amounts as digits. */
const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one))
    : String(value);

const named = (inputs: readonly AbiParameter[], values: readonly unknown[]): Argument[] =>
  inputs.map(({ name, type }, index) => ({
    name: name || `${index}`,
    type,
    value: textOf(values[index]),
  }));

const signatureOf = (name: string, inputs: readonly AbiParameter[]): string =>
  `${name}(${inputs.map(({ type }) => type).join(",")})`;

/** The function that call data names, and its arguments; undefined where the ABI has none, or the data does not fit it. */
export function decodeCall(abi: Abi, input: `0x${string}`): DecodedCall | undefined {
  for (const item of abi) {
    if (item.type !== "function" || toFunctionSelector(item) !== input.slice(0, 10)) continue;
    try {
      const values = decodeAbiParameters(item.inputs, `0x${input.slice(10)}`);
      return {
        signature: signatureOf(item.name, item.inputs),
        arguments: named(item.inputs, values),
      };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** The event that a log is of. */
export function decodeLog(
  abi: Abi,
  topics: readonly `0x${string}`[],
  data: `0x${string}`,
): DecodedCall | undefined {
  const [first, ...others] = topics;
  if (first === undefined) return undefined;
  for (const item of abi) {
    if (item.type !== "event" || toEventSelector(item) !== first) continue;
    // Without names the arguments come as a list.
    const inputs = item.inputs.map((one, index) => ({ ...one, name: one.name || `${index}` }));
    try {
      const { args } = decodeEventLog({
        abi: [{ ...item, inputs }],
        topics: [first, ...others],
        data,
      });
      const values: Readonly<Record<string, unknown>> = Object(args);
      return {
        signature: signatureOf(item.name, inputs),
        arguments: inputs.map(({ name, type }) => ({ name, type, value: textOf(values[name]) })),
      };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

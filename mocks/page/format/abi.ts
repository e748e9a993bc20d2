// Calls of a contract's functions: encodes typed arguments, decodes results, and explains a revert.
import * as AbiParameters from "ox/AbiParameters";
import { decodeData, type Member, membersOf, type Parameter } from "../../../src/cli/abi.ts";
import type { Hex } from "../../../src/models/primitives.ts";
import { ArgumentError, readArgument } from "../../inspect/arguments.ts";
import { panicText } from "../../inspect/standard-abi.ts";
import { FieldError } from "../parts/form.tsx";
import { oneLine } from "./values.ts";

/** "amount (uint256)" */
export const labelOf = ({ name, type }: Parameter, index: number): string =>
  `${oneLine(name, 40) || `argument ${index + 1}`} (${oneLine(type, 60)})`;

/** The name of the field for an argument. */
export const fieldOf = (index: number): string => `argument-${index}`;

/** Throws a {@link FieldError} that says what was expected. */
export function encodeCall({ selector, inputs }: Member, texts: readonly string[]): Hex {
  try {
    const values = inputs.map((input, index) => readArgument(input, texts[index] ?? "", index));
    const types = inputs as readonly AbiParameters.Parameter[];
    return `${selector}${inputs.length === 0 ? "" : AbiParameters.encode(types, values).slice(2)}`;
  } catch (error) {
    if (error instanceof ArgumentError) throw new FieldError(fieldOf(error.index), error.message);
    throw error;
  }
}

export interface NamedValue {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** Decimals of the token that the value is an amount of. */
  readonly decimals?: number | undefined;
}

/** Writes a decoded value as text, lists and tuples as JSON with numbers as texts of digits. */
const valueText = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? JSON.stringify(value, (_, entry) => (typeof entry === "bigint" ? `${entry}` : entry))
    : String(value);

/** Throws if the data does not fit the parameters. */
export function decodeValues(parameters: readonly Parameter[], data: Hex): readonly NamedValue[] {
  const values = decodeData(parameters, data);
  return parameters.map(({ name, type }, index) => ({
    name,
    type,
    value: valueText(values[index]),
  }));
}

const builtIn = membersOf([
  { type: "error", name: "Error", inputs: [{ name: "reason", type: "string" }] },
  { type: "error", name: "Panic", inputs: [{ name: "code", type: "uint256" }] },
]);

/** Why a call reverted: the name of the error, or the message of the node. */
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
    if (error.signature === "Panic(uint256)")
      return `reverted: ${panicText(values[0]?.value ?? "")}`;
    const texts = values.map(({ name, value }) => (name ? `${name}: ${value}` : value));
    return `reverted with ${error.name}(${texts.join(", ")})`;
  } catch {
    return message;
  }
}

// Events as rows with named columns, and what is typed above a column as a filter: by topics where it is indexed, else by the decoded text.
import * as AbiParameters from "ox/AbiParameters";
import * as Hash from "ox/Hash";
import { decodeLog, isDynamic, type Member, type Parameter } from "../../../src/cli/abi.ts";
import type { EventLog } from "../../../src/models/event-log.ts";
import type { Hex } from "../../../src/models/primitives.ts";
import { isTokenAmount } from "../../inspect/standard-abi.ts";
import { argumentText, labelOf, type NamedValue, readArgument } from "./abi.ts";
import { exactAmount, shortAmount } from "./values.ts";

/** The texts to filter by, in the order of the event's parameters; "" for all. */
export type TypedFilters = readonly string[];

/** The decimals of a parameter that is an amount of the token that the contract is; undefined for any other. */
export const decimalsOf = (
  { signature }: Member,
  input: Parameter,
  decimals: number | undefined,
): number | undefined => (isTokenAmount(signature, input) ? decimals : undefined);

/** A number as it is typed, without what groups its digits and without zeros at the end: "1,234.50" is "1234.5". */
const plain = (text: string): string => {
  const digits = text.replaceAll(/[_,]/g, "");
  return /^\d*\.\d*$/.test(digits) ? digits.replace(/\.?0*$/, "") : digits;
};

/** A decimal amount in the smallest unit: "1.5" with 6 decimals is "1500000"; any other text unchanged. */
function smallestUnit(text: string, decimals: number | undefined): string {
  const [, whole = "", fraction = ""] = /^(\d*)\.(\d+)$/.exec(plain(text)) ?? [];
  if (decimals === undefined || fraction === "" || fraction.length > decimals) return text;
  return `${BigInt(whole + fraction.padEnd(decimals, "0"))}`;
}

const encoder = new TextEncoder();

/** The topic of a value that is indexed. Throws an Error that says what was expected. */
function topicOf(parameter: Parameter, text: string, index: number): Hex {
  const value = readArgument(parameter, text, index);
  if (!isDynamic(parameter))
    return AbiParameters.encode([parameter] as AbiParameters.AbiParameters, [value]);
  if (parameter.type === "string") return Hash.keccak256(encoder.encode(text), { as: "Hex" });
  if (parameter.type === "bytes") return Hash.keccak256(value as Hex, { as: "Hex" });
  throw new Error(
    `${labelOf(parameter, index)}: only its hash is indexed, which cannot be searched`,
  );
}

/** The parameters of L1 for an event and what is typed of its indexed values. Throws an Error that says what was expected. */
export function topicFilters(
  event: Member,
  filters: TypedFilters,
  decimals?: number,
): Readonly<Record<string, Hex>> {
  const { selector, inputs } = event;
  const indexed = inputs.flatMap((input, index) => (input.indexed ? [{ input, index }] : []));
  const topics = indexed.flatMap(({ input, index }, position) => {
    const text = smallestUnit(filters[index]?.trim() ?? "", decimalsOf(event, input, decimals));
    return text === "" ? [] : [[`topic_${position + 1}`, topicOf(input, text, index)] as const];
  });
  return { topic_0: selector, ...Object.fromEntries(topics) };
}

/** The values of a log in the order of the event's parameters; undefined where it is of another event. */
export function valuesOf({ inputs }: Member, log: EventLog): readonly NamedValue[] | undefined {
  const topics = [log.topic_1, log.topic_2, log.topic_3].map((topic) => topic ?? "0x");
  if (inputs.filter(({ indexed }) => indexed).length !== log.topics_count - 1) return undefined;
  try {
    const values = decodeLog(inputs, topics, log.data);
    return inputs.map((input, index) => ({
      name: input.name,
      type: input.indexed && isDynamic(input) ? "bytes32" : input.type,
      text: argumentText(values[index]),
    }));
  } catch {
    return undefined;
  }
}

/** Whether an amount is what is typed: its digits, or the amount as it is shown, in full or cut. */
function isAmount(text: string, wanted: string, decimals: number): boolean {
  const value = BigInt(text);
  const shown = [text, exactAmount(value, decimals), shortAmount(value, decimals)];
  return shown.some((one) => plain(one) === plain(wanted));
}

/** Whether the values that are not indexed have what is typed: the same number, or a part of the text. */
export const matches = (
  event: Member,
  values: readonly NamedValue[],
  filters: TypedFilters,
  decimals?: number,
): boolean =>
  event.inputs.every((input, index) => {
    const { indexed, type } = input;
    const wanted = filters[index]?.trim().toLowerCase() ?? "";
    const text = values[index]?.text.toLowerCase() ?? "";
    if (indexed || wanted === "") return true;
    const places = decimalsOf(event, input, decimals);
    if (places !== undefined) return isAmount(text, wanted, places);
    return /^u?int\d*$/.test(type) ? text === plain(wanted) : text.includes(wanted);
  });

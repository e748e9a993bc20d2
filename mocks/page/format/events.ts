// Events as rows with named columns, and what is typed above a column as a filter: by topics where it is indexed, else by the decoded text.
import * as AbiParameters from "ox/AbiParameters";
import * as Hash from "ox/Hash";
import type { EventLog } from "../../../src/models/event-log.ts";
import type { Hex } from "../../../src/models/primitives.ts";
import { decodeLog, isDynamic, type Member, type Parameter } from "../../abi.ts";
import { labelOf, type NamedValue, readArgument, textOf } from "./abi.ts";

/** The texts to filter by, in the order of the event's parameters; "" for all. */
export type Filters = readonly string[];

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
export function topicsOf(
  { selector, inputs }: Member,
  filters: Filters,
): Readonly<Record<string, Hex>> {
  const indexed = inputs.flatMap((input, index) => (input.indexed ? [{ input, index }] : []));
  const topics = indexed.flatMap(({ input, index }, position) => {
    const text = filters[index]?.trim() ?? "";
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
      text: textOf(values[index]),
    }));
  } catch {
    return undefined;
  }
}

/** Whether the values that are not indexed have what is typed: the same number, or a part of the text. */
export const matches = (
  { inputs }: Member,
  values: readonly NamedValue[],
  filters: Filters,
): boolean =>
  inputs.every(({ indexed, type }, index) => {
    const wanted = filters[index]?.trim().toLowerCase() ?? "";
    const text = values[index]?.text.toLowerCase() ?? "";
    if (indexed || wanted === "") return true;
    return /^u?int\d*$/.test(type)
      ? text === wanted.replaceAll(/[_,]/g, "")
      : text.includes(wanted);
  });

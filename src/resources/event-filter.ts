// Turns an event and the values of its indexed arguments into topics. Loaded with the first query
// that has an event.
import { eventTopic } from "../contract/event-topic.ts";
import { ParameterError } from "../errors/index.ts";
import { isAddress, isHash, isHex } from "../models/hex.ts";
import { hexKeccak, textKeccak } from "../models/keccak.ts";
import type { Address, Hash, Hex } from "../models/primitives.ts";

/** An input of an event in an ABI. */
export interface EventInput {
  readonly type: string;
  readonly name?: string | undefined;
  readonly indexed?: boolean | undefined;
  /** The members of a tuple. */
  readonly components?: readonly EventInput[] | undefined;
}

/** An event of an ABI. */
export interface EventItem {
  readonly type: "event";
  readonly name: string;
  readonly inputs: readonly EventInput[];
  readonly anonymous?: boolean | undefined;
}

/** The type of the value of an indexed argument. */
type ArgumentOf<Type extends string> = Type extends "address"
  ? Address
  : Type extends "bool"
    ? boolean
    : Type extends "string"
      ? string
      : Type extends `bytes${string}`
        ? Hex
        : Type extends `${"u" | ""}int${string}`
          ? bigint | number
          : Hash;

/** The values of indexed arguments to select by. For an item of an ABI: by name, and typed. */
export type EventArguments<Event> = Event extends { readonly inputs: readonly EventInput[] }
  ? {
      readonly [Input in Event["inputs"][number] as Input["indexed"] extends true
        ? NonNullable<Input["name"]>
        : never]?: ArgumentOf<Input["type"]> | null | undefined;
    }
  : Readonly<Record<string, unknown>> | readonly unknown[];

/** The topics of a query. */
export type Topics = Partial<Record<"topic_0" | "topic_1" | "topic_2" | "topic_3", Hash>>;

const refuse = (path: readonly string[], expected: string, received: unknown): never => {
  const issue = { path, expected, received };
  throw new ParameterError("Invalid parameters for eventLogs.list", [issue], { operation: "L1" });
};

/** Parses the inputs of a text such as "Transfer(address indexed from, uint256 value)". */
function inputsOf(event: string): readonly EventInput[] {
  const [, list = ""] = /^[^(]*\((.*)\)/s.exec(event) ?? [];
  if (list.includes("("))
    refuse(["event"], "an event without tuples, or its entry in an ABI", event);
  return list
    .split(",")
    .filter((input) => input.trim() !== "")
    .map((input) => {
      const [type = "", ...rest] = input.trim().split(/\s+/);
      const name = rest.filter((part) => part !== "indexed").at(-1);
      return { type: type.replace(/int$/, "int256"), name, indexed: rest.includes("indexed") };
    });
}

/** Returns the type of an input as an event's signature spells it, with the members of a tuple. */
const hashedType = ({ components = [], type }: EventInput): string =>
  type.replace(/^tuple/, () => `(${components.map(hashedType)})`).replace(/int(?=\[|$)/, "int256");

const isMissing = (value: unknown): value is null | undefined => (value ?? undefined) === undefined;

/** Throws if a topic is no hash; addresses have been padded before. */
export function checkTopics(filter: object): void {
  for (const [name, value] of Object.entries(filter))
    if (/^topic_[1-3]$/.test(name) && !isMissing(value) && !isHash(value))
      refuse([name], "a 32-byte hash, or an address", value);
}

/** Returns the topics of an event and the values of its arguments. */
export function topicsOfEvent(event: string | EventItem, args: unknown, topic_0?: unknown): Topics {
  if (!isMissing(topic_0)) refuse(["topic_0"], "either `event` or `topic_0`, not both", topic_0);
  const isText = typeof event === "string";
  const expectedEvent = 'an event such as "Transfer(address,address,uint256)", or its ABI item';
  if (!isText && (Object(event).type !== "event" || !Array.isArray(Object(event).inputs)))
    refuse(["event"], expectedEvent, event);
  const inputs = isText ? inputsOf(event) : event.inputs;
  // A signature without names does not say which arguments are indexed. Assumes the first three.
  const hasNames = !isText || inputs.some(({ indexed, name }) => indexed || name !== undefined);
  const indexed = hasNames ? inputs.filter((input) => input.indexed) : inputs.slice(0, 3);
  if (indexed.length === 0 && Object.values(Object(args)).some((value) => !isMissing(value)))
    refuse(["args"], "no values, because the event marks none of its arguments as indexed", args);
  const values = valuesOf(
    args,
    hasNames ? indexed.map(({ name = "" }) => name) : [],
    indexed.length,
  );
  const topics = indexed.map((input, position) => {
    const { [position]: argument } = values;
    return argument && topicOfValue(input, argument.value, ["args", argument.name]);
  });
  if (isText) topics.unshift(eventTopic(event));
  else if (!event.anonymous)
    topics.unshift(textKeccak(`${event.name}(${event.inputs.map(hashedType)})`));
  return Object.fromEntries(
    topics.flatMap((topic, position) => (topic ? [[`topic_${position}`, topic]] : [])),
  );
}

/** Returns the values of arguments by position. `name` is the name or position, for errors. */
function valuesOf(args: unknown, names: readonly string[], count: number) {
  const values: { readonly name: string; readonly value: unknown }[] = [];
  if (!isMissing(args) && typeof args !== "object")
    refuse(["args"], "an object, or a list for an event without names", args);
  if (Array.isArray(args) && args.length > count)
    refuse(["args"], `at most ${count} values, for the indexed arguments`, args);
  for (const [name, value] of Object.entries(Object(args))) {
    if (isMissing(value)) continue;
    const position = Array.isArray(args) ? Number(name) : names.indexOf(name);
    if (position < 0 && names.length === 0)
      refuse(["args"], "a list of values, because this event does not name its arguments", args);
    if (position < 0)
      refuse(["args", name], `an indexed argument of the event: ${names.join(", ")}`, value);
    values[position] = { name, value };
  }
  return values;
}

const word = (value: bigint): Hash =>
  `0x${BigInt.asUintN(256, value).toString(16).padStart(64, "0")}`;

/** Returns the topic of a value: 32 bytes, or the hash of a value of any length. */
function topicOfValue({ type }: EventInput, value: unknown, path: readonly string[]): Hash {
  const [, sign = "", bits = ""] = /^(u?)int(\d+)$/.exec(type) ?? [];
  const [, size] = /^bytes(\d+)$/.exec(type) ?? [];
  const isHashed = type.includes("[") || type === "tuple";
  if (type === "address" && isAddress(value)) return word(BigInt(value));
  if (type === "bool" && typeof value === "boolean") return word(value ? 1n : 0n);
  if (type === "string" && typeof value === "string") return textKeccak(value);
  if (bits && (typeof value === "bigint" || Number.isSafeInteger(value))) {
    const number = BigInt(value as bigint | number);
    const width = Number(bits);
    const fits = sign ? BigInt.asUintN(width, number) : BigInt.asIntN(width, number);
    if (fits === number) return word(number);
  }
  if (typeof value === "string" && isHex(value)) {
    const hex = value.toLowerCase() as Hex;
    if (size && hex.length === 2 + 2 * Number(size)) return `${hex.padEnd(66, "0")}` as Hash;
    if (type === "bytes") return hexKeccak(hex);
    // Lists and tuples must be hashed already, because their encoding depends on the contract.
    if (isHashed && hex.length === 66) return hex;
  }
  return refuse(
    path,
    isHashed ? "the 32-byte hash of the value" : `a value of type ${type}`,
    value,
  );
}

export { eventTopic } from "../contract/event-topic.ts";

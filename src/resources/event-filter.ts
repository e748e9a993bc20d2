// Turns an event and the values of its indexed arguments into topics; loaded with the first query
// that has an event.
import { eventTopic } from "../contract/event-topic.ts";
import { ParameterError } from "../errors/index.ts";
import { isAddress, isHex } from "../models/hex.ts";
import { hexKeccak, textKeccak } from "../models/keccak.ts";
import type { Address, Hash, Hex } from "../models/primitives.ts";

/** An input of an event, as in the ABI of viem and others. */
export interface EventInput {
  readonly type: string;
  readonly name?: string | undefined;
  readonly indexed?: boolean | undefined;
}

/** An event of an ABI. */
export interface EventItem {
  readonly type: "event";
  readonly name: string;
  readonly inputs: readonly EventInput[];
  readonly anonymous?: boolean | undefined;
}

/** The value of an indexed argument of a type. */
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

/**
 * The values of an event's indexed arguments to select by: by name for an item of an ABI, which
 * types them.
 */
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
  throw new ParameterError(
    "Invalid parameters for eventLogs.list",
    [{ path, expected, received }],
    {
      operation: "L1",
    },
  );
};

/** Splits the inputs of an event in words: "address indexed from, uint256 value". */
function inputsOf(event: string): readonly EventInput[] {
  const [, list = ""] = /\((.*)\)/s.exec(event) ?? [];
  if (list.includes("("))
    refuse(["event"], "an event without tuples, or its entry in an ABI", event);
  return list
    .split(",")
    .filter((input) => input.trim() !== "")
    .map((input) => {
      const [type = "", ...words] = input.trim().split(/\s+/);
      const name = words.filter((word) => word !== "indexed").at(-1);
      return { type: type.replace(/int$/, "int256"), name, indexed: words.includes("indexed") };
    });
}

/** Returns the topics of an event and of the arguments given for it. */
export function topicsOfEvent(event: string | EventItem, args: unknown, given?: unknown): Topics {
  if ((given ?? undefined) !== undefined)
    refuse(["topic_0"], "none beside `event`, which stands for it", given);
  const isText = typeof event === "string";
  if (!isText && (Object(event).type !== "event" || !Array.isArray(Object(event).inputs)))
    refuse(
      ["event"],
      'an event such as "Transfer(address,address,uint256)", or its ABI item',
      event,
    );
  const inputs = isText ? inputsOf(event) : event.inputs;
  const types = inputs.map(({ type }) => type);
  const topic_0 = isText ? eventTopic(event) : textKeccak(`${event.name}(${types})`);
  const topics: Topics = !isText && event.anonymous ? {} : { topic_0 };
  const isSigned = inputs.some(({ indexed }) => indexed);
  // A signature without names does not say which arguments are indexed; the first three may be.
  const indexed = isSigned ? inputs.filter((input) => input.indexed) : inputs.slice(0, 3);
  const first = topics.topic_0 ? 1 : 0;
  const name = (position: number) => `topic_${position + first}` as keyof Topics;
  if (args === undefined || args === null) return topics;
  if (Array.isArray(args)) {
    if (args.length > indexed.length)
      refuse(["args"], `at most ${indexed.length} values, for the indexed arguments`, args);
    args.forEach((value: unknown, position) => {
      const input = indexed[position];
      if (input && (value ?? undefined) !== undefined)
        topics[name(position)] = topicOfValue(input, value, ["args", `${position}`]);
    });
    return topics;
  }
  if (typeof args !== "object")
    refuse(["args"], "an object, or a list for an event without names", args);
  for (const [argument, value] of Object.entries(args)) {
    if ((value ?? undefined) === undefined) continue;
    const position = indexed.findIndex((input) => isSigned && input.name === argument);
    const input = indexed[position];
    const names = isSigned
      ? indexed.map((one) => one.name).join(", ")
      : "none, for it has no names";
    if (!input) {
      refuse(["args", argument], `an indexed argument of the event: ${names}`, value);
      continue;
    }
    topics[name(position)] = topicOfValue(input, value, ["args", argument]);
  }
  return topics;
}

const word = (value: bigint): Hash =>
  `0x${BigInt.asUintN(256, value).toString(16).padStart(64, "0")}`;

/** Returns the topic of a value: 32 bytes, or the hash of a value of any length. */
function topicOfValue({ type }: EventInput, value: unknown, path: readonly string[]): Hash {
  const [, sign = "", bits = ""] = /^(u?)int(\d+)$/.exec(type) ?? [];
  const [, size] = /^bytes(\d+)$/.exec(type) ?? [];
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
    if (size && value.length === 2 + 2 * Number(size)) return `${value.padEnd(66, "0")}` as Hash;
    if (type === "bytes") return hexKeccak(value);
    // Lists and tuples are hashed by the contract's own rules.
    if (/[[(]/.test(type) && value.length === 66) return value;
  }
  const isHashed = /[[(]/.test(type) || type === "tuple";
  return refuse(
    path,
    isHashed ? "the 32-byte hash of the value" : `a value of type ${type}`,
    value,
  );
}

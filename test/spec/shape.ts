// What an answer must look like, from the specification's fields: names, their order, and the JSON type of each value.
import { type Field, modelOf } from "./fields.ts";

/** A value of a type the specification names, a list, a record by its `type`, or a record; `also` may follow its fields. */
export type Shape =
  | string
  | { readonly list: Shape }
  | { readonly byType: Readonly<Record<string, Shape>> }
  | { readonly record: Layout; readonly also?: Readonly<Record<string, Shape>> };

/** Fields in their order. */
export type Layout = readonly (readonly [name: string, shape: Shape])[];

const digits = /^(0|[1-9]\d*)$/;
const text = (pattern: RegExp) => (value: unknown) =>
  typeof value === "string" && pattern.test(value);
const isText = text(/^/);

/** By the specification's words for a type. */
const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  "ISO 8601 UTC": text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  address: text(/^0x[0-9a-f]{40}$/),
  "address or null": text(/^0x[0-9a-f]{40}$/),
  hash: text(/^0x[0-9a-f]{64}$/),
  hex32: text(/^0x[0-9a-f]{64}$/),
  hex: text(/^0x([0-9a-f]{2})*$/),
  "integer string": text(digits),
  string: isText,
  "string or null": isText,
  "string 0 or 1": text(/^[01]$/),
  boolean: (value) => typeof value === "boolean",
  null: () => false,
  "null when not decoded": isText,
};

/** What identifies a record, or makes it readable, is never null (R5). */
export const neverNull: ReadonlySet<string> = new Set([
  ...["transaction_hash", "block_number", "transaction_index", "log_index", "topics_count"],
  ...["trace_address", "timestamp", "sender", "value", "address", "balance", "holder_address"],
  ...["token_address", "token_id", "miner", "reward", "data", "type", "count", "to_block"],
]);

const shapeOf = ({ type }: Field): Shape => {
  if (type === "array of {name, type}") return { list: parameter };
  // A path of positions.
  if (type === "array of strings") return { list: "integer string" };
  return type === "array of 2.10" ? { list: abiEntry } : type;
};

/** A model as it must stand in an answer. */
export const model = (beginning: string, also: Readonly<Record<string, Shape>> = {}): Shape => ({
  record: modelOf(beginning).map((field) => [field.name, shapeOf(field)]),
  also,
});

/** What compilers write beside name and type is theirs. */
const parameter: Shape = {
  record: [
    ["name", "string"],
    ["type", "string"],
  ],
  also: { indexed: "boolean", components: "anything", internalType: "string" },
};

/** An ABI entry without the fields that mean nothing for its type (S32). */
const abiEntryWithout = (left: readonly string[], also: Readonly<Record<string, Shape>> = {}) => ({
  record: modelOf("2.10")
    .filter(({ name }) => !left.includes(name))
    .map((field): Layout[number] => [field.name, shapeOf(field)]),
  also,
});
const ofDefault = abiEntryWithout(["name", "inputs", "outputs", "constant"]);
const onlyOfCode = ["outputs", "payable", "constant", "stateMutability"];

export const abiEntry: Shape = {
  byType: {
    function: abiEntryWithout([]),
    constructor: abiEntryWithout(["name", "outputs", "constant"]),
    fallback: ofDefault,
    receive: ofDefault,
    event: abiEntryWithout(onlyOfCode, { anonymous: "boolean" }),
    error: abiEntryWithout(onlyOfCode),
  },
};

/** The fields of which a value other than null was seen. */
export type Seen = Set<string>;

/** What is wrong with a value, in lines; what is seen of it is noted. */
export function faults(value: unknown, shape: Shape, seen: Seen, path: string): string[] {
  if (value === null) return neverNull.has(/\w+$/.exec(path)?.[0] ?? "") ? [`${path} is null`] : [];
  seen.add(path.replaceAll(/\[\d+\]/g, "[]"));
  if (typeof shape === "string") return typeFaults(value, shape, path);
  if ("list" in shape) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((one, index) => faults(one, shape.list, seen, `${path}[${index}]`));
  }
  if (typeof value !== "object" || Array.isArray(value)) return [`${path} is no object`];
  if ("byType" in shape) {
    const { type } = value as { readonly type?: unknown };
    const of = Object.entries(shape.byType).find(([one]) => one === type)?.[1];
    return of === undefined ? [`${path} is of the type ${type}`] : faults(value, of, seen, path);
  }
  const { record, also = {} } = shape;
  const expected = record.map(([name]) => name);
  const names = Object.keys(value);
  const more = names.slice(expected.length);
  const unknown = more.filter((name) => also[name] === undefined);
  return [
    ...(names.slice(0, expected.length).join() === expected.join()
      ? []
      : [`${path} is of ${names}; the specification has ${expected}`]),
    ...(unknown.length === 0 ? [] : [`${path} also has ${unknown}`]),
    ...Object.entries(value).flatMap(([name, one]) => {
      const of = record.find(([field]) => field === name)?.[1] ?? also[name];
      return of === undefined ? [] : faults(one, of, seen, `${path}.${name}`);
    }),
  ];
}

function typeFaults(value: unknown, type: string, path: string): string[] {
  if (type === "anything") return [];
  const fits = types[type];
  if (fits === undefined) return [`${path}: the test does not know the type ${type}`];
  return fits(value) ? [] : [`${path} is ${JSON.stringify(value)}, not of the type ${type}`];
}

/** Every path in a shape, but for what only may follow; of records by type those that any type has, or `every`. */
export function pathsOf(shape: Shape, path: string, types: "any" | "every" = "any"): string[] {
  if (typeof shape === "string") return [path];
  if ("list" in shape) return pathsOf(shape.list, `${path}[]`, types);
  if ("byType" in shape) {
    const each = Object.values(shape.byType).map((of) => pathsOf(of, path, types));
    const all = [...new Set(each.flat())];
    return types === "any" ? all : all.filter((one) => each.every((paths) => paths.includes(one)));
  }
  return shape.record.flatMap(([name, of]) => pathsOf(of, `${path}.${name}`, types));
}

// The structure of an answer by the specification's fields: names in their order, and the type of each value.
import { type Field, modelOf } from "./fields.ts";

/**
 * The structure of a value: a type of the specification, a list, a record that depends on its
 * `type`, or a record. `also` names fields that may follow.
 */
export type Shape =
  | string
  | { readonly list: Shape }
  | { readonly byType: Readonly<Record<string, Shape>> }
  | { readonly record: Layout; readonly also?: Readonly<Record<string, Shape>> };

/** Fields in their order. */
export type Layout = readonly (readonly [name: string, shape: Shape])[];

/** Fields that identify a record, or that a reader needs: they are never null (R5). */
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

/** Compilers add further fields to name and type. */
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

/**
 * Returns every path in a structure, without fields that may follow. `types` selects the paths of
 * any or of every `type` of a record.
 */
export function pathsOf(shape: Shape, path: string, types: "any" | "every" = "any"): string[] {
  if (typeof shape === "string") return [path];
  if ("list" in shape) return pathsOf(shape.list, `${path}[]`, types);
  if ("byType" in shape) {
    const each = Object.values(shape.byType).map((of) => pathsOf(of, path, types));
    const paths = [...new Set(each.flat())];
    return types === "any"
      ? paths
      : paths.filter((one) => each.every((paths) => paths.includes(one)));
  }
  return shape.record.flatMap(([name, of]) => pathsOf(of, `${path}.${name}`, types));
}

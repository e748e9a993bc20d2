// Reads the fields of records from a node's responses, where the table of fields says they are.

import { orNull } from "../../src/models/primitives.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import type { Kind, MaybeKind } from "../chain/kinds.ts";
import type { Field, Fields, NodeObject, RecordOf } from "../chain/record-codec.ts";
import { address, count, data, flag, hash, list, quantity, text } from "./values.ts";

/** By the name of a kind. */
const schemas: Readonly<Record<string, AnySchema>> = {
  number: count,
  numbers: list(count),
  amount: quantity,
  address,
  hash,
  hashes: list(hash),
  hex: data,
  text,
  flag,
};

function schemaOf(kind: Kind<unknown> | MaybeKind<unknown, unknown, null | undefined>): AnySchema {
  if ("given" in kind) return orNull(schemaOf(kind.given));
  const schema = schemas[kind.name];
  if (schema === undefined) throw new Error(`A node has no values of the kind ${kind.name}`);
  return schema;
}

/** A field at its place in an object of a node. */
interface Source {
  readonly name: string;
  readonly object: NodeObject;
  readonly key: string;
  readonly kind: Kind<unknown>;
}

const sourcesOf = (fields: Fields): readonly Source[] =>
  Object.entries(fields).flatMap(([name, { at, kind }]) => {
    if (at === undefined) return [];
    const [object, key] = at.split(".") as [NodeObject, string];
    return [{ name, object, key, kind }];
  });

/** The schemas of the fields that are in an object of a node, to spread into that object's schema. */
export const nodeShape = (
  object: NodeObject,
  fields: Fields,
): Readonly<Record<string, AnySchema>> =>
  Object.fromEntries(
    sourcesOf(fields)
      .filter((source) => source.object === object)
      .map(({ key, kind }) => [key, schemaOf(kind)]),
  );

type NodeName<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends Field<infer _, infer _, string> ? Name : never;
}[keyof Of];

/** The fields of a record that a node has. */
type OfNode<Of extends Fields> = Pick<RecordOf<Of>, NodeName<Of> & keyof RecordOf<Of>>;

type NodeObjects = Partial<Readonly<Record<NodeObject, Readonly<Record<string, unknown>>>>>;

/** Makes the function that takes these fields from a node's objects, which schemas with `nodeShape` have read. */
export function nodeFields<Of extends Fields>(fields: Of): (from: NodeObjects) => OfNode<Of> {
  const sources = sourcesOf(fields);
  return (from) => {
    const record: Record<string, unknown> = {};
    // A record lacks what a node may lack; null is of the fields that are always there.
    for (const { name, object, key, kind } of sources)
      record[name] = from[object]?.[key] ?? ("missing" in kind ? kind.missing : undefined);
    return record as OfNode<Of>;
  };
}

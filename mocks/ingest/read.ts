// Reads a node's JSON by schemas. An error names the file, the line, the block and the field.
import * as z from "zod/mini";
import { reader } from "../../src/models/codec.ts";
import { isHex } from "../../src/models/hex.ts";
import { check, describe, type Issue } from "../../src/models/issues.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import type { Field, Fields, Kind, MaybeKind, NodeObject, RecordOf } from "../chain/fields.ts";
import type { Address, Hash, Hex } from "../chain/records.ts";

export const text = z.string("a text");
export const flag = z.boolean();
/** Any value or none, read later if at all. */
export const anything = z.optional(z.unknown());
export const list = <S extends z.core.$ZodType>(item: S): z.ZodMiniArray<S> =>
  z.array(item, "a list");

const DIGITS = /^0x[0-9a-f]+$/i;

// The forms of nothing: Go programs leave a field out or write null, others write an empty text.
export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "";

/** Makes a schema accept each form of nothing as null. Some schemas have further forms. */
export const maybe = <S extends AnySchema>(schema: S) => {
  const forms = NOTHING.get(schema);
  const toNull = z.transform((value: unknown) =>
    isNothing(value) || forms?.has(value) ? null : value,
  );
  return z._default(z.pipe(toNull, z.nullable(schema)), null as never);
};

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Maximum amount. No chain has larger ones, and no page has room for them. */
const MAX_QUANTITY = 2n ** 256n - 1n;

function bigintIn(text: string): bigint | undefined {
  if (!DIGITS.test(text)) return undefined;
  const value = BigInt(text);
  return value <= MAX_QUANTITY ? value : undefined;
}

// An unsigned 256-bit integer: hexadecimal, or a JSON number, as some nodes write times and block
// numbers. Zero may be "0x": https://github.com/smartcontractkit/chainlink/issues/2143
export const quantity = reader("an integer such as 0x1a", (value) => {
  if (typeof value === "string") return value === "0x" ? 0n : bigintIn(value);
  return isCount(value) ? BigInt(value) : undefined;
});

function countOf(value: unknown): number | undefined {
  if (value === "0x") return 0;
  const number = typeof value === "string" && DIGITS.test(value) ? Number(value) : value;
  return isCount(number) ? number : undefined;
}

/** An unsigned integer up to 2^53-1. */
export const count = reader("an integer such as 0x1a, below 2^53", countOf);

/** The block that a call was made at. */
export const blockTag = reader<number | "latest">(
  '"latest" or an integer such as 0x1a, below 2^53',
  (value) => (value === "latest" ? value : countOf(value)),
);

/** Bytes in lower case, as most nodes write them, which need no conversion. */
const LOWER = /^0x[0-9a-f]*$/;

/**
 * The forms in which some nodes write no bytes:
 * https://github.com/ConsenSys-archive/ganache/issues/222
 */
const NO_BYTES: ReadonlySet<unknown> = new Set(["", "0x0"]);

/** Makes a schema for bytes, of a length or of any length. */
const bytes = <Bytes extends Hex>(expected: string, length?: number) =>
  reader(expected, (value) => {
    if (typeof value !== "string") return undefined;
    if (length === undefined && NO_BYTES.has(value)) return "0x" as Bytes;
    const fits = length === undefined ? value.length % 2 === 0 : value.length === 2 * length + 2;
    if (fits && LOWER.test(value)) return value as Bytes;
    return isHex(value, length && 2 * length) ? (value.toLowerCase() as Bytes) : undefined;
  });

export const data = bytes<Hex>("bytes in hexadecimal");
export const address = bytes<Address>("an address (20 bytes in hexadecimal)", 20);
export const hash = bytes<Hash>("a hash (32 bytes in hexadecimal)", 32);

/** More forms of nothing, such as the receiver of a creation on older nodes. */
const NOTHING: ReadonlyMap<AnySchema, ReadonlySet<unknown>> = new Map([
  [address, new Set(["0x", "0x0"])],
  [hash, new Set(["0x", "0x0"])],
]);

/** Schemas by the name of a kind. */
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

function schemaOf(kind: Kind<unknown> | MaybeKind<unknown, null | undefined>): AnySchema {
  if ("valueKind" in kind) return maybe(schemaOf(kind.valueKind));
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

// The schemas of the fields that are in an object of a node, to spread into that object's schema.
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
  [Name in keyof Of]: Of[Name] extends Field<infer _, string> ? Name : never;
}[keyof Of];

type OfNode<Of extends Fields> = Pick<RecordOf<Of>, NodeName<Of> & keyof RecordOf<Of>>;

type NodeObjects = Partial<Readonly<Record<NodeObject, Readonly<Record<string, unknown>>>>>;

export function nodeFields<Of extends Fields>(fields: Of): (from: NodeObjects) => OfNode<Of> {
  const sources = sourcesOf(fields);
  return (from) => {
    const record: Record<string, unknown> = {};
    // Some kinds have a value for fields that a node may lack; the others are undefined.
    for (const { name, object, key, kind } of sources)
      record[name] = from[object]?.[key] ?? ("missing" in kind ? kind.missing : undefined);
    return record as OfNode<Of>;
  };
}

/** Returns a text of at most `max` characters; `…` stands in place of the rest. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…`;

/** A location in the data, as precise as possible. */
export interface InputLocation {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly block?: number | undefined;
  /** Inside the record, such as `receipts[3].status`. */
  readonly field?: string | undefined;
}

function describeLocation({ file, line, block, field }: InputLocation): string {
  const parts = [
    file,
    line === undefined ? undefined : `line ${line}`,
    block === undefined ? undefined : `block ${block}`,
    field,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** Thrown for invalid chain data. Nothing is loaded then. */
export class IngestError extends Error {
  override readonly name = "IngestError";
  readonly location: InputLocation;
  /** The message without the location. */
  readonly reason: string;

  constructor(reason: string, location: InputLocation = {}, cause?: unknown) {
    const where = describeLocation(location);
    super(where === "" ? reason : `${where}: ${reason}`, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.location = location;
  }

  /** Returns a copy with more of the location. */
  at(location: InputLocation): IngestError {
    return new IngestError(this.reason, { ...location, ...this.location }, this.cause);
  }
}

/** Runs `read`, and adds the location to an IngestError it throws. */
export function withLocation<T>(location: () => InputLocation, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof IngestError ? error.at(location()) : error;
  }
}

/** The path to a value, from the outermost value inwards. */
export type Path = readonly (string | number)[];

/** A path as JavaScript writes it: `receipts[3].status`. */
export const fieldAt = (path: Path): string =>
  path.reduce<string>((field, step) => {
    if (typeof step === "number") return `${field}[${step}]`;
    return field === "" ? step : `${field}.${step}`;
  }, "");

/** Maximum number of issues to report, because in a file of another kind everything is wrong. */
const MAX_ISSUES = 5;

export const describeIssue = ({
  expected,
  received,
}: Pick<Issue, "expected" | "received">): string =>
  `expected ${expected}, received ${describe(received)}`;

export function ingestError(issues: readonly [Issue, ...Issue[]]): IngestError {
  const [first, ...others] = issues;
  const more = others
    .slice(0, MAX_ISSUES - 1)
    .map((issue) => `; ${fieldAt(issue.path)}: ${describeIssue(issue)}`);
  const remaining = issues.length > MAX_ISSUES ? `; and ${issues.length - MAX_ISSUES} more` : "";
  const field = first.path.length > 0 ? { field: fieldAt(first.path) } : {};
  return new IngestError(describeIssue(first) + more.join("") + remaining, field);
}

/** Reads the value at `path` by its schema. @throws IngestError */
export function read<S extends AnySchema>(schema: S, value: unknown, path: Path = []): z.output<S> {
  const checked = check(schema, value);
  if (checked.issues === undefined) return checked.value;
  const [first, ...others] = checked.issues;
  throw ingestError([within(path, first), ...others.map((issue) => within(path, issue))]);
}

const within = (path: Path, issue: Issue): Issue => ({
  ...issue,
  path: [...path, ...issue.path],
});

/** Sets a value in nested objects and lists to null. */
export function setNull(root: unknown, path: Path): void {
  let holder: unknown = root;
  for (const step of path.slice(0, -1)) holder = Object(holder)[step];
  Object(holder)[path.at(-1) ?? ""] = null;
}

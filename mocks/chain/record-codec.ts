// How records are packed into bytes: the kinds of values, the fields of a record, and its codec, which writes a few bits for each field, then field after field.
import type { Address, Hash, Hex } from "../../src/models/primitives.ts";

/** A call in one of four ways, a creation in one of two, the end of a contract, or what only one chain has, such as Arbitrum's moves of coins outside of code. */
export const FRAME_TYPES = [
  "call",
  "delegatecall",
  "staticcall",
  "callcode",
  "create",
  "create2",
  "selfdestruct",
  "unknown",
] as const;
export type FrameType = (typeof FRAME_TYPES)[number];

const CREATIONS: ReadonlySet<FrameType> = new Set(["create", "create2"]);
const VALUE_MOVING: ReadonlySet<FrameType> = new Set([
  ...CREATIONS,
  "call",
  "selfdestruct",
  "unknown",
]);

/** Whether a frame of this type creates a contract. */
export const isCreation = (type: FrameType): boolean => CREATIONS.has(type);

/** Whether the value of a frame of this type moves; the others only repeat their caller's. */
export const movesValue = (type: FrameType): boolean => VALUE_MOVING.has(type);

/** A kind of value. */
export interface Kind<Value> {
  readonly name: string;
  /** Only for the type. */
  readonly value?: Value;
}

/** A kind whose values may be missing. */
export interface MaybeKind<Value, Missing> extends Kind<Value | Missing> {
  readonly given: Kind<Value>;
  readonly missing: Missing;
}

const kind = <Value>(name: string): Kind<Value> => ({ name });

export const number = kind<number>("number");
export const numbers = kind<readonly number[]>("numbers");
export const amount = kind<bigint>("amount");
export const hex = kind<Hex>("hex");
export const address = kind<Address>("address");
export const hash = kind<Hash>("hash");
export const hashes = kind<readonly Hash[]>("hashes");
export const text = kind<string>("text");
export const flag = kind<boolean>("flag");
export const frameType = kind<FrameType>("frameType");

/** A value, or null. */
export const orNull = <Value>(given: Kind<Value>): MaybeKind<Value, null> => ({
  name: `null or ${given.name}`,
  given,
  missing: null,
});

/** A value that a record may lack: the builder and the generator need not set it. */
export const optional = <Value>(given: Kind<Value>): MaybeKind<Value, undefined> => ({
  name: `optional ${given.name}`,
  given,
  missing: undefined,
});

/** The objects in a node's responses that have fields of records. */
export type NodeObject = "block" | "transaction" | "receipt" | "log";

/** A field of a record. */
export interface Field<Value, At = `${NodeObject}.${string}` | undefined> {
  readonly kind: Kind<Value>;
  /** Where a node has it, such as `receipt.gasUsed`; undefined if `mocks/ingest` makes it of several fields. */
  readonly at: At;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<Of> = Of extends Field<infer Value, unknown> ? Value : never;

type OptionalName<Of extends Fields> = {
  [Name in keyof Of]: undefined extends ValueOf<Of[Name]> ? Name : never;
}[keyof Of];

type Required<Of extends Fields, Names extends keyof Of> = {
  readonly [Name in Names]: ValueOf<Of[Name]>;
};
type Optional<Of extends Fields, Names extends keyof Of> = {
  readonly [Name in Names]?: ValueOf<Of[Name]>;
};

/** The fields that a record may lack. */
export type OptionalOf<Of extends Fields> = Optional<Of, OptionalName<Of>>;

/** A record with these fields. */
export type RecordOf<Of extends Fields> = Required<Of, Exclude<keyof Of, OptionalName<Of>>> &
  OptionalOf<Of>;

/** Of some values, those of the fields that a record may lack. */
export function optionalIn<Of extends Fields>(fields: Of, values: object): OptionalOf<Of> {
  const optional = Object.entries(values).filter(([name]) => {
    const kind = fields[name]?.kind;
    return kind !== undefined && "missing" in kind && kind.missing === undefined;
  });
  return Object.fromEntries(optional) as OptionalOf<Of>;
}

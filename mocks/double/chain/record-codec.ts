// How records are packed into bytes: the kinds of values, the fields of a record, and its codec, which writes a few bits for each field, then field after field.
import type { Address, Hash, Hex } from "../../../src/models/primitives.ts";
import type { PackedBuffer } from "./packed-buffer.ts";

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

/**
 * A kind of value. What is one of few (a flag, one of some names, whether there is a value at all) is written as bits, which a record has
 * together before its bytes.
 */
export interface Kind<Value, Raw = Value> {
  readonly name: string;
  /** How many bits it takes. */
  readonly bits: number;
  /** Writes the bytes, and returns the bits. */
  write(to: PackedBuffer, value: Value): number;
  read(from: PackedBuffer, bits: number): Value;
  /** The value as it is packed: numbers for addresses, hashes and texts, a position for bytes. */
  readRaw(from: PackedBuffer, bits: number): Raw;
  skip(from: PackedBuffer, bits: number): void;
}

/** A kind whose values may be missing. */
export interface MaybeKind<Value, Raw, Missing> extends Kind<Value | Missing, Raw | Missing> {
  /** The kind of the values there are. */
  readonly given: Kind<Value, Raw>;
  readonly missing: Missing;
}

/** A kind without bits. */
function plain<Value, Raw = Value>(
  name: string,
  {
    write,
    ...others
  }: {
    readonly write: (to: PackedBuffer, value: Value) => void;
    readonly read: (from: PackedBuffer) => Value;
    readonly readRaw: (from: PackedBuffer) => Raw;
    readonly skip: (from: PackedBuffer) => void;
  },
): Kind<Value, Raw> {
  return {
    ...others,
    name,
    bits: 0,
    write(to, value) {
      write(to, value);
      return 0;
    },
  };
}

const readNumber = (from: PackedBuffer): number => from.readNumber();
const readNumbers = (from: PackedBuffer): readonly number[] => from.readNumbers();
const skipNumber = (from: PackedBuffer): void => from.skipNumber();
const skipNumbers = (from: PackedBuffer): void => from.skipNumbers();

/** An unsigned safe integer. */
export const number = plain<number>("number", {
  write: (to, value) => to.writeNumber(value),
  read: readNumber,
  readRaw: readNumber,
  skip: skipNumber,
});

/** Such as the positions of a trace address. */
export const numbers = plain<readonly number[]>("numbers", {
  write: (to, value) => to.writeNumbers(value),
  read: readNumbers,
  readRaw: readNumbers,
  skip: skipNumbers,
});

/** An integer of any size that is not negative. */
export const amount = plain<bigint>("amount", {
  write: (to, value) => to.writeAmount(value),
  read: (from) => from.readAmount(),
  readRaw: (from) => from.readAmount(),
  skip: (from) => from.skipAmount(),
});

/** Bytes, such as call data; packed, they are known by their position. */
export const hex = plain<Hex, number>("hex", {
  write: (to, value) => to.writeHex(value),
  read: (from) => from.readHex(),
  readRaw(from) {
    const { at } = from;
    from.skipHex();
    return at;
  },
  skip: (from) => from.skipHex(),
});

/** An address, which a segment has once. */
export const address = plain<Address, number>("address", {
  write: (to, value) => to.writeNumber(to.addresses.intern(value)),
  read: (from) => from.addresses.at(from.readNumber()),
  readRaw: readNumber,
  skip: skipNumber,
});

/** A hash or a topic, which a segment has once. */
export const hash = plain<Hash, number>("hash", {
  write: (to, value) => to.writeNumber(to.topics.intern(value)),
  read: (from) => from.topics.at(from.readNumber()),
  readRaw: readNumber,
  skip: skipNumber,
});

export const hashes = plain<readonly Hash[], readonly number[]>("hashes", {
  write(to, value) {
    to.writeNumber(value.length);
    for (const one of value) to.writeNumber(to.topics.intern(one));
  },
  read(from) {
    const read: Hash[] = [];
    for (let left = from.readNumber(); left > 0; left--)
      read.push(from.topics.at(from.readNumber()));
    return read;
  },
  readRaw: readNumbers,
  skip: skipNumbers,
});

/** A text that repeats, such as an error; a segment has it once. */
export const text = plain<string, number>("text", {
  write: (to, value) => to.writeNumber(to.texts.intern(value)),
  read: (from) => from.texts.at(from.readNumber()),
  readRaw: readNumber,
  skip: skipNumber,
});

/** One of a few values. */
function oneOf<const Value extends string | boolean>(
  name: string,
  values: readonly Value[],
): Kind<Value> {
  const read = (_: PackedBuffer, bits: number) => values[bits] as Value;
  return {
    name,
    bits: Math.ceil(Math.log2(values.length)),
    write: (_, value) => values.indexOf(value),
    read,
    readRaw: read,
    skip: () => {},
  };
}

export const flag = oneOf<boolean>("flag", [false, true]);
export const frameType = oneOf("frameType", FRAME_TYPES);

/** A kind whose values may be `missing`. */
function maybe<Value, Raw, Missing extends null | undefined>(
  given: Kind<Value, Raw>,
  missing: Missing,
): MaybeKind<Value, Raw, Missing> {
  return {
    name: `${missing === null ? "null or " : "optional "}${given.name}`,
    given,
    missing,
    bits: given.bits + 1,
    write: (to, value) =>
      value === null || value === undefined ? 0 : (given.write(to, value) << 1) | 1,
    read: (from, bits) => (bits === 0 ? missing : given.read(from, bits >>> 1)),
    readRaw: (from, bits) => (bits === 0 ? missing : given.readRaw(from, bits >>> 1)),
    skip(from, bits) {
      if (bits !== 0) given.skip(from, bits >>> 1);
    },
  };
}

/** A value, or null. */
export const orNull = <Value, Raw>(kind: Kind<Value, Raw>) => maybe(kind, null);

/** A value that a record may lack: the builder and the generator need not set it. */
export const optional = <Value, Raw>(kind: Kind<Value, Raw>) => maybe(kind, undefined);

/** The objects in a node's responses that have fields of records. */
export type NodeObject = "block" | "transaction" | "receipt" | "log";

/** A field of a record. */
export interface Field<Value, Raw = Value, At = `${NodeObject}.${string}` | undefined> {
  readonly kind: Kind<Value, Raw>;
  /** Where a node has it, such as `receipt.gasUsed`; undefined if `mocks/double/sources/ingest` makes it of several fields. */
  readonly at: At;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<Of> = Of extends Field<infer Value, unknown, unknown> ? Value : never;
type RawValueOf<Of> = Of extends { readonly kind: Kind<infer _, infer Raw> } ? Raw : never;

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

/** A record as it is packed: addresses and topics are numbers. */
export type RawRecordOf<Of extends Fields, Names extends keyof Of> = {
  readonly [Name in Names]: RawValueOf<Of[Name]>;
};

/** A field with its bits among those of the record. */
interface Column {
  readonly name: string;
  readonly kind: Kind<unknown>;
  readonly shift: number;
  readonly mask: number;
}

type Values = Record<string, unknown>;

const MAX_BITS = 31;

export class RecordCodec<Of extends Fields> {
  readonly #columns: readonly Column[];
  readonly #bitBytes: number;
  /** A record with all fields, because copying it and setting them is faster than adding them. */
  readonly #blank: Values;

  constructor(fields: Of) {
    let bits = 0;
    this.#columns = Object.entries(fields).map(([name, { kind }]) => {
      const column = { name, kind, shift: bits, mask: 2 ** kind.bits - 1 };
      bits += kind.bits;
      return column;
    });
    if (bits > MAX_BITS)
      throw new RangeError(`A record has ${MAX_BITS} bits at most, and these fields take ${bits}`);
    this.#bitBytes = Math.ceil(bits / 8);
    this.#blank = Object.fromEntries(this.#columns.map(({ name }) => [name, undefined]));
  }

  /** Appends a record to the bytes. */
  write(to: PackedBuffer, record: RecordOf<Of>): void {
    const start = to.reserveBits(this.#bitBytes);
    const values = record as Values;
    let bits = 0;
    for (const { name, kind, shift } of this.#columns)
      bits |= kind.write(to, values[name]) << shift;
    to.setBits(start, this.#bitBytes, bits);
  }

  /** The record at a position. */
  read(from: PackedBuffer, at: number): Mutable<RecordOf<Of>> {
    from.at = at;
    const bits = from.readBits(this.#bitBytes);
    const record: Values = { ...this.#blank };
    for (const { name, kind, shift, mask } of this.#columns)
      record[name] = kind.read(from, (bits >>> shift) & mask);
    return record as Mutable<RecordOf<Of>>;
  }

  /** Reads some fields of a record, with numbers for addresses and topics; the fewer come before the last of them, the faster. */
  reader<const Names extends keyof Of & string>(
    names: readonly Names[],
  ): (from: PackedBuffer, at: number) => RawRecordOf<Of, Names> {
    const wanted: ReadonlySet<string> = new Set(names);
    const last = this.#columns.findLastIndex(({ name }) => wanted.has(name));
    const columns = this.#columns
      .slice(0, last + 1)
      .map((column) => ({ ...column, isWanted: wanted.has(column.name) }));
    const blank: Values = Object.fromEntries(names.map((name) => [name, undefined]));
    const bitBytes = this.#bitBytes;
    return (from, at) => {
      from.at = at;
      const bits = from.readBits(bitBytes);
      const record = { ...blank };
      for (const { name, kind, shift, mask, isWanted } of columns) {
        const own = (bits >>> shift) & mask;
        if (isWanted) record[name] = kind.readRaw(from, own);
        else kind.skip(from, own);
      }
      return record as RawRecordOf<Of, Names>;
    };
  }
}

type Mutable<Of> = { -readonly [Name in keyof Of]: Of[Name] };

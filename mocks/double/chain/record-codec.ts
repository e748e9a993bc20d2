// The fields of records, and the codec that packs records into bytes: for each a few bits, then field after field.
import type { Kind } from "./kinds.ts";
import type { PackedBuffer } from "./packed-buffer.ts";

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

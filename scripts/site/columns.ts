// Writes columns of values as JSON that compresses well: texts that repeat once, bytes in base64,
// lists by their parts.

/** Values of one kind, one for each record. */
export type Column = readonly unknown[];
export type Columns = Readonly<Record<string, Column>>;

/** A column as JSON. */
type PackedColumn =
  | { readonly is: "values"; readonly values: readonly unknown[] }
  /** Texts that repeat, by their number in the list of all; the others as they are. */
  | { readonly is: "texts"; readonly at: readonly (number | string | null)[] }
  /** Hex strings of one length, together, in base64. */
  | { readonly is: "bytes"; readonly size: number; readonly base64: string }
  /** Lists of one length, by their places. */
  | { readonly is: "tuples"; readonly places: readonly PackedColumn[] }
  | { readonly is: "lists"; readonly lengths: readonly number[]; readonly items: PackedColumn };

/** Columns by table and name, as JSON. */
export interface Packed<Table extends string> {
  readonly texts: readonly string[];
  readonly tables: Readonly<Record<Table, Readonly<Record<string, PackedColumn>>>>;
}

const UNDEFINED = "u";
const isMarked = (text: string) => text === UNDEFINED || /^-?\d+n$/.test(text);

/** Returns a value in which bigint and undefined are texts, because JSON has neither. */
function marked(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value === undefined) return UNDEFINED;
  if (typeof value === "string" && isMarked(value)) throw new Error(`ambiguous: ${value}`);
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, marked(one)]));
}

/** The value of what {@link marked} returned. */
function unmarked(value: unknown): unknown {
  if (typeof value === "string" && isMarked(value))
    return value === UNDEFINED ? undefined : BigInt(value.slice(0, -1));
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unmarked(one)]));
}

type Texts = readonly (string | null)[];
const areTexts = (values: Column): values is Texts =>
  values.every((value) => typeof value === "string" || value === null);
const areLists = (values: Column): values is readonly Column[] => values.every(Array.isArray);

const placesOf = (lists: readonly Column[]): readonly Column[] =>
  Array.from({ length: lists[0]?.length ?? 0 }, (_, place) => lists.map((list) => list[place]));
const isAlike = (lists: readonly { readonly length: number }[]) =>
  lists.every(({ length }) => length > 0 && length === lists[0]?.length);

/** The columns without lists of which a column consists. */
function* partsOf(values: Column): Generator<Column> {
  if (!areLists(values)) yield values;
  else if (isAlike(values)) for (const place of placesOf(values)) yield* partsOf(place);
  else yield* partsOf(values.flat());
}

/** Texts that stand next to each other if they end alike: an address and its word. */
const byEnd = (one: string, other: string) =>
  one.slice(-40) === other.slice(-40) ? 0 : one.slice(-40) < other.slice(-40) ? -1 : 1;

function packedColumn(values: Column, numbers: ReadonlyMap<string, number>): PackedColumn {
  if (values.length > 0 && areLists(values))
    return isAlike(values)
      ? { is: "tuples", places: placesOf(values).map((place) => packedColumn(place, numbers)) }
      : {
          is: "lists",
          lengths: values.map(({ length }) => length),
          items: packedColumn(values.flat(), numbers),
        };
  if (!areTexts(values)) return { is: "values", values };
  const repeated = values.filter((text) => text === null || numbers.has(text));
  if (repeated.length > values.length / 2)
    return { is: "texts", at: values.map((text) => (text && numbers.get(text)) ?? text) };
  const [first] = values;
  if (first && isAlike(values.map((text) => text ?? "")) && values.every((text) => isBytes(text)))
    return {
      is: "bytes",
      size: first.length / 2 - 1,
      base64: btoa(values.map((text) => binary(text ?? "")).join("")),
    };
  return { is: "values", values };
}

const isBytes = (text: string | null) => text !== null && /^0x([0-9a-f]{2}){8,}$/.test(text);
const binary = (hex: string) =>
  hex.slice(2).replaceAll(/../g, (digits) => String.fromCharCode(Number.parseInt(digits, 16)));

function unpackedColumn(column: PackedColumn, texts: readonly string[]): Column {
  switch (column.is) {
    case "values":
      return column.values;
    case "texts":
      return column.at.map((text) => (typeof text === "number" ? texts[text] : text));
    case "bytes": {
      const digits = Array.from(atob(column.base64), (character) =>
        character.charCodeAt(0).toString(16).padStart(2, "0"),
      );
      const count = digits.length / column.size;
      return Array.from(
        { length: count },
        (_, at) => `0x${digits.slice(at * column.size, (at + 1) * column.size).join("")}`,
      );
    }
    case "tuples":
      return placesOf(column.places.map((place) => unpackedColumn(place, texts)));
    case "lists": {
      const items = unpackedColumn(column.items, texts);
      let start = 0;
      return column.lengths.map((length) => {
        start += length;
        return items.slice(start - length, start);
      });
    }
  }
}

/** Maps the columns of all tables. */
const mapped = <Table extends string, From, To>(
  tables: Readonly<Record<Table, Readonly<Record<string, From>>>>,
  change: (from: From) => To,
) =>
  Object.fromEntries(
    Object.entries<Readonly<Record<string, From>>>(tables).map(([table, columns]) => [
      table,
      Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, change(column)])),
    ]),
  ) as Readonly<Record<Table, Readonly<Record<string, To>>>>;

export function pack<Table extends string>(
  tables: Readonly<Record<Table, Columns>>,
): Packed<Table> {
  const markedTables = mapped(tables, (column) => marked(column) as Column);
  const counts = new Map<string, number>();
  for (const columns of Object.values<Columns>(markedTables))
    for (const column of Object.values(columns))
      for (const part of partsOf(column))
        if (areTexts(part))
          for (const text of part) if (text) counts.set(text, (counts.get(text) ?? 0) + 1);
  const texts = [...counts].flatMap(([text, count]) => (count > 1 ? [text] : [])).toSorted(byEnd);
  const numbers = new Map(texts.map((text, number) => [text, number]));
  return { texts, tables: mapped(markedTables, (column) => packedColumn(column, numbers)) };
}

export const unpack = <Table extends string>({
  texts,
  tables,
}: Packed<Table>): Readonly<Record<Table, Columns>> =>
  mapped(tables, (column) => unmarked(unpackedColumn(column, texts)) as Column);

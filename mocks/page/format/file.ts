// A list of records as the text of a file, each record as it is on the wire: CSV with a line of names, or JSON.
import { csvLine, guarded } from "../../../src/models/csv.ts";
import { isoTime } from "../../../src/models/primitives.ts";

/** A decoded value as it is on the wire. */
function wire(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  if (value instanceof Date) return isoTime(value);
  return value;
}

export type FileKind = "csv" | "json";

/** Parts of a file, so that a long list is no single text. */
const ROWS_PER_PART = 1000;

interface FileText {
  readonly begin: (names: readonly string[]) => string;
  readonly record: (record: Readonly<Record<string, unknown>>, isFirst: boolean) => string;
  readonly end: (isEmpty: boolean) => string;
}

function textsOf(kind: FileKind): FileText {
  if (kind === "json")
    return {
      begin: () => "[\n",
      record: (record, isFirst) => `${isFirst ? "" : ",\n"}${JSON.stringify(record)}`,
      end: (isEmpty) => (isEmpty ? "[]\n" : "\n]\n"),
    };
  let columns: readonly string[] = [];
  return {
    begin(names) {
      columns = names;
      return csvLine(names);
    },
    record: (record) =>
      csvLine(
        columns.map((name) => {
          const value = record[name];
          return guarded(typeof value === "object" && value ? JSON.stringify(value) : value);
        }),
      ),
    end: () => "",
  };
}

/** The parts of the file; `onProgress` is called with the number of records after each. */
export async function fileParts(
  kind: FileKind,
  records: AsyncIterable<object>,
  onProgress: (count: number) => void,
  rowsPerPart = ROWS_PER_PART,
): Promise<string[]> {
  const texts = textsOf(kind);
  const parts: string[] = [];
  let part = "";
  let count = 0;
  for await (const record of records) {
    if (count === 0) part = texts.begin(Object.keys(record));
    const wired = Object.entries(record).map(([name, one]) => [name, wire(one)]);
    part += texts.record(Object.fromEntries(wired), count === 0);
    if (++count % rowsPerPart === 0) {
      parts.push(part);
      part = "";
      onProgress(count);
    }
  }
  return [...parts, part + texts.end(count === 0)];
}

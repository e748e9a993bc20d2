// A list of records as the text of a CSV file: a line of names, and one for each record as it is on the wire.
import { csvLine, guarded } from "../../../../src/models/csv.ts";
import { isoTime } from "../../../../src/models/primitives.ts";

/** A decoded value as it is on the wire. */
function wire(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  if (value instanceof Date) return isoTime(value);
  return value;
}

/** Parts of a file, so that a long list is no single text. */
const ROWS_PER_PART = 1000;

/** The parts of the file; `onProgress` is called with the number of records after each. */
export async function csvParts(
  records: AsyncIterable<object>,
  onProgress: (count: number) => void,
  rowsPerPart = ROWS_PER_PART,
): Promise<string[]> {
  const parts: string[] = [];
  let columns: readonly string[] | undefined;
  let part = "";
  let count = 0;
  for await (const record of records) {
    if (columns === undefined) {
      columns = Object.keys(record);
      part = csvLine(columns);
    }
    const cells = Object.fromEntries(
      Object.entries(record).map(([name, one]) => [name, wire(one)]),
    );
    part += csvLine(columns.map((name) => guarded(cells[name])));
    if (++count % rowsPerPart === 0) {
      parts.push(part);
      part = "";
      onProgress(count);
    }
  }
  return [...parts, part];
}

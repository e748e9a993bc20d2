// Saves a list as CSV, as the command line writes it: wire values, and no cell that a spreadsheet runs.
import { csvLine, guarded } from "../../../src/cli/csv.ts";

/** A decoded value as it is on the wire. */
function wire(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  if (value instanceof Date) return value.toISOString().replace(".000Z", "Z");
  return value;
}

/** Parts of a file, so that a long list is no single text. */
const rowsPerPart = 1000;

export async function saveCsv(
  file: string,
  records: AsyncIterable<object>,
  onProgress: (count: number) => void,
): Promise<void> {
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
  save(new Blob([...parts, part], { type: "text/csv" }), file);
}

function save(blob: Blob, file: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

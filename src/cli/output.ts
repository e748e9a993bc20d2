// What every output format has in common, and the formats for programs: json, ndjson and csv, written page by page.
import type { Colors } from "picocolors/types.js";
import { cellOf, csvLine, harmless } from "../models/csv.ts";
import { mapRows, pick, type Row, rowsOf } from "./records.ts";

export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

export interface Terminal {
  /** Resolves when more may be written. */
  readonly write: (text: string) => Promise<void>;
  /** The width of a terminal; undefined where there is none. */
  readonly columns?: number | undefined;
  readonly colors: Colors;
}

/** What to write. */
export interface Layout {
  /** Whether several pages may follow. */
  readonly all: boolean;
  /** Whether the records are those of a list, which are compared with each other. */
  readonly many?: boolean;
  /** Whether CSV cells that a spreadsheet would run as formulas are not escaped. */
  readonly raw: boolean;
  /** The fields to write, in this order; those of the first page if omitted. */
  readonly columns?: readonly string[] | undefined;
  /** Whether the output already has its header. */
  readonly continued?: boolean;
}

/** Writes records, page by page. */
export interface Writer {
  page(results: unknown): Promise<void>;
  end(): Promise<void>;
  /** The columns that the header names; undefined where there is none yet. */
  readonly header?: readonly string[] | undefined;
}

export const columnsOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(Object.keys)),
];

const noop = async () => {};

/** A record with the chosen fields. */
const chosenOf =
  ({ columns }: Layout) =>
  (row: Row): Row =>
    columns ? pick(row, columns) : row;

/** A line of JSON per record. */
export const ndjson = ({ write }: Terminal, layout: Layout): Writer => ({
  page: (results) =>
    write(
      rowsOf(results)
        .map((row) => `${JSON.stringify(chosenOf(layout)(row))}\n`)
        .join(""),
    ),
  end: noop,
});

/** The results as received; several pages become one array of records. */
export const json = ({ write }: Terminal, layout: Layout): Writer => {
  const chosen = chosenOf(layout);
  if (!layout.all)
    return {
      page: (results) =>
        write(`${JSON.stringify(layout.columns ? mapRows(results, chosen) : results, null, 2)}\n`),
      end: noop,
    };
  let written = 0;
  return {
    async page(results) {
      for (const row of rowsOf(results)) {
        await write(`${written === 0 ? "[" : ","}\n  ${JSON.stringify(chosen(row))}`);
        written++;
      }
    },
    end: () => write(written === 0 ? "[]\n" : "\n]\n"),
  };
};

/** The first page sets the columns, unless they are chosen. */
export const csv = (
  { write }: Terminal,
  { raw, columns: chosen, continued = false }: Layout,
): Writer => {
  const line = (cells: readonly string[]) => csvLine(raw ? cells : cells.map(harmless));
  let header = continued ? chosen : undefined;
  return {
    async page(results) {
      const rows = rowsOf(results);
      if (rows.length === 0) return;
      const first = header === undefined;
      const columns = header ?? chosen ?? columnsOf(rows);
      header = columns;
      const lines = rows.map((row) => line(columns.map((name) => cellOf(row[name]))));
      await write((first ? line(columns) : "") + lines.join(""));
    },
    end: noop,
    get header() {
      return header;
    },
  };
};

// What answers look like on a terminal and in a pipe: table, json, ndjson or csv, written as they arrive.
import type { Colors } from "picocolors/types.js";
import { isObject } from "../models/issues.ts";

export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/** A record in its wire form. */
export type Row = Readonly<Record<string, unknown>>;

export interface Screen {
  /** Resolves when more may be written. */
  readonly write: (text: string) => Promise<void>;
  /** The width of a terminal; undefined where there is none. */
  readonly columns?: number | undefined;
  readonly colors: Colors;
}

/** The records in the results of any operation. */
function rowsOf(results: unknown): readonly Row[] {
  if (!isObject(results)) return [{ result: results }];
  const { data, mrc_20, mrc_721 } = results;
  if (isObject(mrc_20) && isObject(mrc_721))
    return [...tagged("mrc20", mrc_20.results), ...tagged("mrc721", mrc_721.results)];
  if (Array.isArray(data)) return data.map((one) => (isObject(one) ? one : { data: one }));
  return [isObject(data) ? data : results];
}

const tagged = (standard: string, rows: unknown): readonly Row[] =>
  Array.isArray(rows) ? rows.filter(isObject).map((row) => ({ standard, ...row })) : [];

/** One value in one cell. */
const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** Whoever names a token must not be able to write to somebody's terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const printable = (value: unknown): string => cell(value).replace(unprintable, "\u{fffd}");

const columnsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap(Object.keys))];

/** RFC 4180: quoted where needed, quotes doubled, lines ended by CR LF. */
const csvLine = (cells: readonly string[]): string =>
  `${cells.map((one) => (/[",\r\n]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(",")}\r\n`;

/** Writes the records of answers, page by page. */
export interface Writer {
  page(results: unknown): Promise<void>;
  end(): Promise<void>;
}

const nothing = async () => {};

/** A line of JSON per record. */
const ndjson = ({ write }: Screen): Writer => ({
  page: (results) =>
    write(
      rowsOf(results)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(""),
    ),
  end: nothing,
});

/** The results as the service gives them; of several pages one list with the records of all. */
const json = ({ write }: Screen, all: boolean): Writer => {
  if (!all)
    return { page: (results) => write(`${JSON.stringify(results, null, 2)}\n`), end: nothing };
  let written = 0;
  return {
    async page(results) {
      for (const row of rowsOf(results)) {
        await write(`${written === 0 ? "[" : ","}\n  ${JSON.stringify(row)}`);
        written++;
      }
    },
    end: () => write(written === 0 ? "[]\n" : "\n]\n"),
  };
};

/** The columns are those of the first page. */
const csv = ({ write }: Screen): Writer => {
  let columns: readonly string[] | undefined;
  return {
    async page(results) {
      const rows = rowsOf(results);
      if (rows.length === 0) return;
      const first = columns === undefined;
      columns ??= columnsOf(rows);
      const lines = rows.map((row) => csvLine(columns?.map((name) => cell(row[name])) ?? []));
      await write((first ? csvLine(columns) : "") + lines.join(""));
    },
    end: nothing,
  };
};

/** Columns that are all digits stand right, as numbers do. */
const numeric = /^-?\d+$/;

interface Column {
  readonly name: string;
  readonly width: number;
  readonly right: boolean;
}

function column(name: string, rows: readonly Row[]): Column {
  const cells = rows.map((row) => printable(row[name]));
  return {
    name,
    width: Math.max(name.length, ...cells.map((one) => one.length)),
    right: cells.every((one) => one === "" || numeric.test(one)),
  };
}

const tableLine = (columns: readonly Column[], cells: readonly string[]): string =>
  `${columns
    .map(({ width, right }, index) => {
      const one = cells[index] ?? "";
      return right ? one.padStart(width) : one.padEnd(width);
    })
    .join("  ")
    .trimEnd()}\n`;

/** A record as a block of lines. */
function block(row: Row, colors: Colors): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${colors.dim(name.padEnd(width))}  ${printable(value)}\n`)
    .join("");
}

/** A table, its columns as wide as the first page needs; where the terminal is too narrow for it, a block per record. */
const table = ({ colors, columns: most = Number.POSITIVE_INFINITY, write }: Screen): Writer => {
  let layout: readonly Column[] | undefined;
  return {
    async page(results) {
      const rows = rowsOf(results);
      if (rows.length === 0) return;
      const first = layout === undefined;
      layout ??= columnsOf(rows).map((name) => column(name, rows));
      const columns = layout;
      const names = columns.map(({ name }) => name);
      if (columns.reduce((sum, one) => sum + one.width + 2, -2) > most) {
        const blocks = rows.map((row) => block(row, colors)).join("\n");
        return write(first ? blocks : `\n${blocks}`);
      }
      const lines = rows.map((row) =>
        tableLine(
          columns,
          names.map((name) => printable(row[name])),
        ),
      );
      return write((first ? colors.bold(tableLine(columns, names)) : "") + lines.join(""));
    },
    end: () => (layout === undefined ? write(colors.dim("no records\n")) : nothing()),
  };
};

/** The writer of a format; `all` where more than one page may come. */
export function writer(format: Format, screen: Screen, all: boolean): Writer {
  return { table, json, ndjson, csv }[format](screen, all);
}

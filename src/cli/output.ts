// Output formats: table, json, ndjson and csv, written page by page.
import type { Colors } from "picocolors/types.js";
import { isObject } from "../models/issues.ts";

export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/** A record in its wire form. */
export type Row = Readonly<Record<string, unknown>>;

export interface Terminal {
  /** Resolves when more may be written. */
  readonly write: (text: string) => Promise<void>;
  /** The width of a terminal; undefined where there is none. */
  readonly columns?: number | undefined;
  readonly colors: Colors;
}

/** What is written. */
export interface Layout {
  /** Whether several pages may follow. */
  readonly all: boolean;
  /** Whether cells of CSV stay as they are, also those that a spreadsheet runs as a formula. */
  readonly raw: boolean;
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

/** Control characters: the name of a token must not control a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const printable = (value: unknown): string => cell(value).replace(unprintable, "\u{fffd}");

const columnsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap(Object.keys))];

/** RFC 4180: quoted where needed, quotes doubled, lines ended by CR LF. */
const csvLine = (cells: readonly string[]): string =>
  `${cells.map((one) => (/[",\r\n]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(",")}\r\n`;

/** What a spreadsheet runs as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** A cell that no spreadsheet runs: text such as the name of a token may be anything. */
const harmless = (text: string): string =>
  FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;

/** Writes records, page by page. */
export interface Writer {
  page(results: unknown): Promise<void>;
  end(): Promise<void>;
}

const noop = async () => {};

/** A line of JSON per record. */
const ndjson = ({ write }: Terminal): Writer => ({
  page: (results) =>
    write(
      rowsOf(results)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(""),
    ),
  end: noop,
});

/** The results as received; several pages become one array of records. */
const json = ({ write }: Terminal, { all }: Layout): Writer => {
  if (!all) return { page: (results) => write(`${JSON.stringify(results, null, 2)}\n`), end: noop };
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

/** The first page sets the columns. */
const csv = ({ write }: Terminal, { raw }: Layout): Writer => {
  const line = (cells: readonly string[]) => csvLine(raw ? cells : cells.map(harmless));
  let columns: readonly string[] | undefined;
  return {
    async page(results) {
      const rows = rowsOf(results);
      if (rows.length === 0) return;
      const first = columns === undefined;
      columns ??= columnsOf(rows);
      const lines = rows.map((row) => line(columns?.map((name) => cell(row[name])) ?? []));
      await write((first ? line(columns) : "") + lines.join(""));
    },
    end: noop,
  };
};

/** Columns of digits are aligned right. */
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

/** A table with the column widths of the first page; a block per record if the terminal is too narrow. */
const table = ({
  colors,
  columns: maxWidth = Number.POSITIVE_INFINITY,
  write,
}: Terminal): Writer => {
  let layout: readonly Column[] | undefined;
  return {
    async page(results) {
      const rows = rowsOf(results);
      if (rows.length === 0) return;
      const first = layout === undefined;
      layout ??= columnsOf(rows).map((name) => column(name, rows));
      const columns = layout;
      const names = columns.map(({ name }) => name);
      if (columns.reduce((sum, one) => sum + one.width + 2, -2) > maxWidth) {
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
    end: () => (layout === undefined ? write(colors.dim("no records\n")) : noop()),
  };
};

/** The writer of a format. */
export function writer(format: Format, screen: Terminal, layout: Layout): Writer {
  return { table, json, ndjson, csv }[format](screen, layout);
}

// Tables for people: the columns that fit a terminal, with short hashes, or a block of lines per record.
import type { Colors } from "picocolors/types.js";
import { cellOf } from "./csv.ts";
import type { Layout, Terminal, Writer } from "./output.ts";
import { columnsOf } from "./output.ts";
import { type Row, rowsOf } from "./records.ts";

/** Control characters: the name of a token must not control a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** A value as text that prints, on one line. */
export const printable = (value: unknown): string => cellOf(value).replace(unprintable, "\u{fffd}");

/** Digits that tell one hash from another, and what a text is cut to. */
const HASH = /^(0x[0-9a-f]{4})[0-9a-f]{8,}([0-9a-f]{4})$/i;
const MAX_TEXT = 40;

/** A cell for a narrow terminal: hashes, addresses and call data keep their ends. */
function shortened(value: unknown): string {
  const text = printable(value).replace(HASH, "$1…$2");
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

/** Numbers are aligned right. */
const numeric = /^-?\d+(\.\d+)?$/;

interface Column {
  readonly name: string;
  readonly width: number;
  readonly right: boolean;
}

/** How a value becomes the text of its cell. */
type Show = (value: unknown) => string;

interface Table {
  readonly columns: readonly Column[];
  readonly show: Show;
  /** How many columns have no room. */
  readonly hidden: number;
}

function column(name: string, rows: readonly Row[], show: Show): Column {
  const cells = rows.map((row) => show(row[name]));
  return {
    name,
    width: Math.max(name.length, ...cells.map((one) => one.length)),
    right: cells.every((one) => one === "" || numeric.test(one)),
  };
}

/** How many of the columns, from the left, fit. */
function fitting(columns: readonly Column[], maxWidth: number): number {
  let width = -2;
  const end = columns.findIndex((one) => {
    width += one.width + 2;
    return width > maxWidth;
  });
  return end < 0 ? columns.length : end;
}

/** Fewer columns say less of a record than a block of lines. */
const MIN_COLUMNS = 3;

/** The table for a terminal; undefined if it is too narrow for one. */
function tableFor(
  rows: readonly Row[],
  maxWidth: number,
  { columns: chosen, many }: Layout,
): Table | undefined {
  const names = chosen ?? columnsOf(rows);
  for (const show of [printable, shortened]) {
    const columns = names.map((name) => column(name, rows, show));
    const fit = fitting(columns, maxWidth);
    if (fit === columns.length) return { columns, show, hidden: 0 };
    if (show === shortened && many && chosen === undefined && fit >= MIN_COLUMNS)
      return { columns: columns.slice(0, fit), show, hidden: columns.length - fit };
  }
  return undefined;
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
function block(row: Row, names: readonly string[], colors: Colors): string {
  const width = Math.max(...names.map((name) => name.length));
  return names
    .map((name) => `${colors.dim(name.padEnd(width))}  ${printable(row[name])}\n`)
    .join("");
}

/** A table with the column widths of the first page; a block per record if the terminal is too narrow. */
export const table = (
  { colors, columns: maxWidth = Number.POSITIVE_INFINITY, write }: Terminal,
  layout: Layout,
): Writer => {
  let chosen: Table | "blocks" | undefined;
  return {
    async page(results) {
      const rows = rowsOf(results);
      if (rows.length === 0) return;
      const first = chosen === undefined;
      chosen ??= tableFor(rows, maxWidth, layout) ?? "blocks";
      if (chosen === "blocks") {
        const blocks = rows.map((row) => block(row, layout.columns ?? Object.keys(row), colors));
        return write(`${first ? "" : "\n"}${blocks.join("\n")}`);
      }
      const { columns, show } = chosen;
      const lines = rows.map((row) =>
        tableLine(
          columns,
          columns.map(({ name }) => show(row[name])),
        ),
      );
      const header = tableLine(
        columns,
        columns.map(({ name }) => name),
      );
      await write((first ? colors.bold(header) : "") + lines.join(""));
    },
    async end() {
      if (chosen === undefined) await write(colors.dim("no records\n"));
      else if (chosen !== "blocks" && chosen.hidden > 0)
        await write(
          colors.dim(
            `${chosen.hidden} more columns do not fit: choose some with --columns, or another --format\n`,
          ),
        );
    },
  };
};

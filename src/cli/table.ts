// Tables for people: the columns that fit a terminal, with short hashes, or a block of lines per record.
import type { Colors } from "picocolors/types.js";
import { cellOf } from "../models/csv.ts";
import {
  columnsOf,
  type Layout,
  printableText,
  type Terminal,
  type Writer,
  wrapped,
} from "./output.ts";
import { type Row, rowsOf } from "./records.ts";

/** A value as text that prints, on one line: the name of a token must not control a terminal. */
export const printable = (value: unknown): string =>
  printableText(cellOf(value)).replace(/[\t\n]/g, "\u{fffd}");

/** The digits of a hash that are kept, and the length that a text is cut to. */
const HASH = /^(0x[0-9a-f]{4})[0-9a-f]{8,}([0-9a-f]{4})$/i;
const MAX_TEXT = 40;

/** A cell for a narrow terminal: hashes, addresses and call data keep their ends. */
function shortened(value: unknown): string {
  const text = printable(value).replace(HASH, "$1…$2");
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

/** Numbers are aligned right. */
const NUMERIC = /^-?\d+(\.\d+)?$/;

interface Column {
  readonly name: string;
  readonly header: string;
  readonly width: number;
  readonly right: boolean;
}

/** How a value becomes the text of its cell. */
type Show = (value: unknown) => string;

interface Style {
  readonly show: Show;
  /** Whether headers are cut. */
  readonly cut: boolean;
}

/** The styles of a table, from wide to narrow. */
const styles: readonly Style[] = [
  { show: printable, cut: false },
  { show: shortened, cut: false },
  { show: shortened, cut: true },
];

interface Table {
  readonly columns: readonly Column[];
  readonly show: Show;
  /** The columns without room. */
  readonly hidden: readonly string[];
  /** Columns that are left out, because no record of the first page has a value. */
  readonly empty: readonly string[];
}

/** Columns by importance: where there is no room for all, earlier columns stay. */
const IMPORTANCE = [
  ...["kind", "standard", "transaction_hash", "sender", "receiver", "value", "balance", "token_id"],
  ...["token_symbol", "timestamp", "log_name", "topic_0", "topic_1", "topic_2", "data", "topic_3"],
  ...["token_address", "tx_status", "status", "block_number", "reward", "tx_fee", "token_name"],
];
const rankOf = ({ name }: Column): number => {
  const rank = IMPORTANCE.indexOf(name);
  return rank < 0 ? IMPORTANCE.length : rank;
};

/** A header is cut to the width of its column, but never below this. */
const MIN_HEADER = 12;

function column(name: string, rows: readonly Row[], { show, cut }: Style): Column {
  const cells = rows.map((row) => show(row[name]));
  const widest = Math.max(0, ...cells.map((one) => one.length));
  const room = cut ? Math.max(MIN_HEADER, widest) : name.length;
  const header = name.length > room ? `${name.slice(0, room - 1)}…` : name;
  return {
    ...{ name, header, width: Math.max(header.length, widest) },
    right: cells.every((one) => one === "" || NUMERIC.test(one)),
  };
}

const widthOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width + 2, -2);

/** The columns that fit together, the more important ones first, in their own order. */
function fitting(columns: readonly Column[], maxWidth: number): readonly Column[] {
  const chosen = new Set<Column>();
  for (const candidate of columns.toSorted((a, b) => rankOf(a) - rankOf(b)))
    if (widthOf([...chosen, candidate]) <= maxWidth) chosen.add(candidate);
    // Without these, a table says less of a record than a block of lines.
    else if (chosen.size < MIN_COLUMNS) return [];
  return columns.filter((one) => chosen.has(one));
}

/** How many of the most important columns a table has at least. */
const MIN_COLUMNS = 3;

/** The table for a terminal; undefined if it is too narrow for one. */
function tableFor(
  rows: readonly Row[],
  maxWidth: number,
  { columns: chosen, many }: Layout,
): Table | undefined {
  const fields = chosen ?? columnsOf(rows);
  const isEmpty = (name: string) => rows.every((row) => cellOf(row[name]) === "");
  const empty = many && !chosen ? fields.filter(isEmpty) : [];
  const names = fields.filter((name) => !empty.includes(name));
  for (const style of styles) {
    const { show, cut } = style;
    const allColumns = names.map((name) => column(name, rows, style));
    if (widthOf(allColumns) <= maxWidth) return { columns: allColumns, show, hidden: [], empty };
    if (!cut || !many || chosen !== undefined) continue;
    const columns = fitting(allColumns, maxWidth);
    const hidden = names.filter((name) => columns.every((one) => one.name !== name));
    if (columns.length > 0) return { columns, show, hidden, empty };
  }
  return undefined;
}

/** Says which columns are hidden, and how to see them. */
const hint = (names: readonly string[], width: number): string =>
  `${wrapped(`${names.length} hidden columns (--columns a,b shows them): ${names.map(printable).join(", ")}`, width)}\n`;

const tableLine = (columns: readonly Column[], cells: readonly string[]): string =>
  `${columns
    .map(({ width, right }, index) => {
      const cell = cells[index] ?? "";
      return right ? cell.padStart(width) : cell.padEnd(width);
    })
    .join("  ")
    .trimEnd()}\n`;

/** A record as a block of lines; a text of several lines, such as source code, is shown below its name. */
function block(row: Row, names: readonly string[], colors: Colors): string {
  const width = Math.max(...names.map((name) => name.length));
  return names
    .map((name) => {
      const value = row[name];
      if (typeof value !== "string" || !value.trimEnd().includes("\n"))
        return `${colors.dim(name.padEnd(width))}  ${printable(value)}\n`;
      const text = printableText(value.replaceAll("\r\n", "\n"));
      return `${colors.dim(name)}\n${text.trimEnd()}\n`;
    })
    .join("");
}

/** A table with the column widths of the first page; a block per record if the terminal is too narrow. */
export const table = (
  { colors, columns: maxWidth = Number.POSITIVE_INFINITY, write }: Terminal,
  layout: Layout,
): Writer => {
  let chosen: Table | "blocks" | undefined;
  /** Columns left out that a later page has values for. */
  const late = new Set<string>();
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
      const { columns, show, empty } = chosen;
      for (const name of empty) if (rows.some((row) => cellOf(row[name]) !== "")) late.add(name);
      const lines = rows.map((row) =>
        tableLine(
          columns,
          columns.map(({ name }) => show(row[name])),
        ),
      );
      const header = tableLine(
        columns,
        columns.map(({ header }) => header),
      );
      await write((first ? colors.bold(header) : "") + lines.join(""));
    },
    async end() {
      if (chosen === undefined) await write(colors.dim("no records\n"));
      else if (chosen !== "blocks" && chosen.hidden.length + late.size > 0)
        await write(colors.dim(hint([...chosen.hidden, ...late], maxWidth)));
    },
  };
};

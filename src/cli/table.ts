// Tables for people: the columns that fit the terminal, or a block of lines for each record.
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

/** Formats a value on one line without control characters, because a token may have any name. */
export const printable = (value: unknown): string =>
  printableText(cellOf(value)).replace(/[\t\n]/g, "\u{fffd}");

/** Captures the two ends of a hash or address, which a shortened cell shows. */
const HASH = /^(0x[0-9a-f]{4})[0-9a-f]{8,}([0-9a-f]{4})$/i;
/** The maximum length of a shortened text. */
const MAX_TEXT = 40;

/** Formats a value for a narrow terminal. Hashes, addresses and call data keep their ends. */
function shortened(value: unknown): string {
  const text = printable(value).replace(HASH, "$1…$2");
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

/** Matches cells that are aligned right. */
const NUMERIC = /^-?\d+(\.\d+)?$/;

interface Column {
  readonly name: string;
  readonly header: string;
  readonly width: number;
  readonly right: boolean;
}

/** Formats a value as a cell. */
type Show = (value: unknown) => string;

interface Style {
  readonly show: Show;
  /** Whether long headers are cut to the width of their column. */
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
  /** Names of columns that do not fit. */
  readonly hidden: readonly string[];
  /** Names of columns that are empty in every record of the first page. */
  readonly empty: readonly string[];
}

/** Columns by importance. If not all columns fit, the least important are hidden. */
const IMPORTANCE = [
  ...["kind", "standard", "timestamp", "sender", "receiver", "value", "balance", "token_id"],
  ...["token_symbol", "log_name", "transaction_hash", "topic_0", "topic_1", "topic_2", "data"],
  ...["topic_3"],
  ...["token_address", "tx_status", "status", "block_number", "reward", "tx_fee", "token_name"],
];
const rankOf = ({ name }: Column): number => {
  const rank = IMPORTANCE.indexOf(name);
  return rank < 0 ? IMPORTANCE.length : rank;
};

/** The smallest width of a cut header. */
const MIN_HEADER = 12;

function column(name: string, rows: readonly Row[], { show, cut }: Style): Column {
  const cells = rows.map((row) => show(row[name]));
  const widest = Math.max(0, ...cells.map((cell) => cell.length));
  const room = cut ? Math.max(MIN_HEADER, widest) : name.length;
  // Keeps the end, because "transaction_hash" and "transaction_index" begin alike.
  const header = name.length > room ? `${name.slice(0, room - 5)}…${name.slice(-4)}` : name;
  return {
    ...{ name, header, width: Math.max(header.length, widest) },
    right: cells.every((cell) => cell === "" || NUMERIC.test(cell)),
  };
}

const widthOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width + 2, -2);

/** Chooses the most important columns that fit together, and keeps their order. */
function fitting(columns: readonly Column[], maxWidth: number): readonly Column[] {
  const chosen = new Set<Column>();
  for (const candidate of columns.toSorted((a, b) => rankOf(a) - rankOf(b)))
    if (widthOf([...chosen, candidate]) <= maxWidth) chosen.add(candidate);
    // With fewer columns, a table says less about a record than a block of lines.
    else if (chosen.size < MIN_COLUMNS) return [];
  return columns.filter((candidate) => chosen.has(candidate));
}

/** The smallest number of columns in a table. */
const MIN_COLUMNS = 3;

/** Lays out a table for a terminal; undefined if the terminal is too narrow. */
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
    const hidden = names.filter((name) => columns.every((shown) => shown.name !== name));
    if (columns.length > 0) return { columns, show, hidden, empty };
  }
  return undefined;
}

/** Names the hidden columns and the option that shows them. */
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

/** Formats a record as a block of lines. A text of several lines is below its name. */
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

/** Writes a table with the widths of the first page, or blocks if the table is too wide. */
export const table = (
  { colors, columns: maxWidth = Number.POSITIVE_INFINITY, write }: Terminal,
  layout: Layout,
): Writer => {
  let chosen: Table | "blocks" | undefined;
  /** Columns that are empty on the first page only. */
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

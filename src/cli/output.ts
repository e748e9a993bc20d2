// Output formats for programs (json, ndjson, csv), page by page, and parts of all formats.
import type { Colors } from "picocolors/types.js";
import { cellOf, csvLine, harmless } from "../models/csv.ts";
import { isObject } from "../models/json.ts";
import { mapRows, pick, type Row, rowsOf } from "./records.ts";

export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

export interface Terminal {
  /** Resolves when more may be written. */
  readonly write: (text: string) => Promise<void>;
  /** The width of a terminal; undefined where there is none. */
  readonly columns?: number | undefined;
  /** Whether a person reads it: what controls a terminal is not written. */
  readonly isTerminal: boolean;
  readonly colors: Colors;
}

/** The fields to write, and how. */
export interface Layout {
  /** Whether several pages may follow. */
  readonly all: boolean;
  /** Whether the records are those of a list, which are compared with each other. */
  readonly many?: boolean;
  /** Whether CSV cells that a spreadsheet would run as formulas are not escaped. */
  readonly raw: boolean;
  /** The fields to write, in this order; those of the first page if omitted. */
  readonly columns?: readonly string[] | undefined;
  /** The fields that records have, for the header of a list without any. */
  readonly fields?: readonly string[];
  /** Whether the output already has its header. */
  readonly continued?: boolean;
}

/** Writes records, page by page. */
export interface Writer {
  /** `total`: how many records there are in all, if the service says so. */
  page(results: unknown, total?: number | undefined): Promise<void>;
  end(): Promise<void>;
  /** The columns that the header names; undefined where there is none yet. */
  readonly header?: readonly string[] | undefined;
}

export const columnsOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(Object.keys)),
];

const noop = async () => {};

/** Characters that control a terminal or reverse its text; line breaks and tabs are allowed. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it finds.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text that prints: what would control a terminal is replaced. */
export const printableText = (text: string): string => text.replace(CONTROLS, "\u{fffd}");

/** A text in lines of at most `width` characters that end between words, each as indented as it was. */
export const wrapped = (text: string, width: number): string =>
  text.replace(/^( *)(\S.*)$/gm, (line, indent: string, words: string) =>
    line.length <= width
      ? line
      : (words.match(new RegExp(`\\S.{0,${width - indent.length - 1}}(?!\\S)|\\S+`, "g")) ?? [])
          .map((part) => `${indent}${part.trimEnd()}`)
          .join("\n"),
  );

/** JSON that prints: what would control a terminal is escaped, which changes no value. */
const printableJson = (json: string, { isTerminal }: Terminal): string =>
  isTerminal
    ? json.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : json;

/** A record with the chosen fields. */
const chosenOf =
  ({ columns }: Layout) =>
  (row: Row): Row =>
    columns ? pick(row, columns) : row;

/** A line of JSON per record. */
export const ndjson = (screen: Terminal, layout: Layout): Writer => ({
  page: (results) =>
    screen.write(
      rowsOf(results)
        .map((row) => `${printableJson(JSON.stringify(chosenOf(layout)(row)), screen)}\n`)
        .join(""),
    ),
  end: noop,
});

/** The records of both lists of tokens (A6), page after page, in the shape of one. */
function joined(before: unknown, results: unknown): unknown {
  if (!isObject(before) || !isObject(results)) return results;
  const list = (name: string) => {
    const [{ results: first }, { results: second }] = [Object(before[name]), Object(results[name])];
    const records = [...first, ...second];
    return { count: `${records.length}`, results: records };
  };
  return { mrc_20: list("mrc_20"), mrc_721: list("mrc_721") };
}

/** The results as received; those of several pages in the same shape. */
export const json = (screen: Terminal, layout: Layout): Writer => {
  const chosen = chosenOf(layout);
  const write = (text: string) => screen.write(printableJson(text, screen));
  const writeWhole = (results: unknown) =>
    write(`${JSON.stringify(layout.columns ? mapRows(results, chosen) : results, null, 2)}\n`);
  if (!layout.all) return { page: writeWhole, end: noop };
  let both: unknown;
  let written = 0;
  return {
    async page(results, total) {
      if (isObject(results) && "mrc_20" in results) {
        both = joined(both, results);
        return;
      }
      const { count } = Object(results);
      const statedCount = total === undefined ? (count ?? null) : `${total}`;
      const rows = rowsOf(results);
      if (written === 0 && rows.length > 0)
        await write(`{\n  "count": ${JSON.stringify(statedCount)},\n  "data": [`);
      for (const row of rows)
        await write(`${written++ > 0 ? "," : ""}\n    ${JSON.stringify(chosen(row))}`);
    },
    async end() {
      if (both !== undefined) await writeWhole(both);
      else await write(written === 0 ? '{\n  "count": "0",\n  "data": []\n}\n' : "\n  ]\n}\n");
    },
  };
};

/** The first page sets the columns, unless they are chosen; a list without records has a header, too. */
export const csv = (
  { write, isTerminal }: Terminal,
  { raw, columns: chosen, fields, continued = false }: Layout,
): Writer => {
  const line = (cells: readonly string[]) => {
    const text = csvLine(raw ? cells : cells.map(harmless));
    return isTerminal ? `${printableText(text.slice(0, -2))}\r\n` : text;
  };
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
    async end() {
      const columns = chosen ?? fields;
      if (header === undefined && columns) await write(line(columns));
    },
    get header() {
      return header;
    },
  };
};

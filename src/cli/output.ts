// The output formats for programs: json, ndjson and csv. The format for people is in table.ts.
import type { Colors } from "picocolors/types.js";
import { cellOf, csvLine, harmless } from "../models/csv.ts";
import { isObject } from "../models/json.ts";
import { mapRows, pick, type Row, rowsOf } from "./records.ts";

export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

export interface Terminal {
  /** Resolves when the output accepts more text. */
  readonly write: (text: string) => Promise<void>;
  /** Width of the terminal in characters; undefined for a pipe or file. */
  readonly columns?: number | undefined;
  /** Whether the output goes to a terminal, so that control characters are replaced. */
  readonly isTerminal: boolean;
  readonly colors: Colors;
}

/** The fields of the records, and the form of the output. */
export interface Layout {
  /** Whether several pages may follow. */
  readonly all: boolean;
  /** Whether the records are a list, which a table suits better than blocks of lines. */
  readonly many?: boolean;
  /** Whether to leave CSV cells unescaped that a spreadsheet would run as formulas. */
  readonly raw: boolean;
  /** The fields to write, in this order. @default the fields of the first page */
  readonly columns?: readonly string[] | undefined;
  /** The fields of the records, for the header of an empty list. */
  readonly fields?: readonly string[];
  /** Whether the output already has its header. */
  readonly continued?: boolean;
}

/** Writes records, page by page. */
export interface Writer {
  /** Writes a page. `total` is the list's number of records, if the explorer counts it. */
  page(results: unknown, total?: number | undefined): Promise<void>;
  end(): Promise<void>;
  /** The columns in the header; undefined before the header is written. */
  readonly header?: readonly string[] | undefined;
}

export const columnsOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(Object.keys)),
];

const noop = async () => {};

/** Characters that control a terminal or reverse its text; line breaks and tabs are allowed. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Replaces the characters of a text that would control a terminal. */
export const printableText = (text: string): string => text.replace(CONTROLS, "\u{fffd}");

/** Wraps lines at `width` characters, between words, and keeps their indentation. */
export const wrapped = (text: string, width: number): string =>
  text.replace(/^( *)(\S.*)$/gm, (line, indent: string, words: string) =>
    line.length <= width
      ? line
      : (words.match(new RegExp(`\\S.{0,${width - indent.length - 1}}(?!\\S)|\\S+`, "g")) ?? [])
          .map((part) => `${indent}${part.trimEnd()}`)
          .join("\n"),
  );

/** Escapes control characters in JSON for a terminal, without changing its values. */
const printableJson = (json: string, { isTerminal }: Terminal): string =>
  isTerminal
    ? json.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : json;

/** Picks the fields of the layout from a record. */
const picker =
  ({ columns }: Layout) =>
  (row: Row): Row =>
    columns ? pick(row, columns) : row;

/** Writes a line of JSON for each record. */
export const ndjson = (screen: Terminal, layout: Layout): Writer => ({
  page: (results) =>
    screen.write(
      rowsOf(results)
        .map((row) => `${printableJson(JSON.stringify(picker(layout)(row)), screen)}\n`)
        .join(""),
    ),
  end: noop,
});

/** Adds a page of tokens (A6), which has a list for each standard, to the earlier pages. */
function joined(earlier: unknown, results: unknown): unknown {
  const list = (name: string) => {
    const records = [earlier, results].flatMap((page) => Object(Object(page)[name]).results ?? []);
    return { count: `${records.length}`, results: records };
  };
  return { mrc_20: list("mrc_20"), mrc_721: list("mrc_721") };
}

/** Writes results as received. Several pages become one result. */
export const json = (screen: Terminal, layout: Layout): Writer => {
  const chosen = picker(layout);
  const write = (text: string) => screen.write(printableJson(text, screen));
  const writeWhole = async (results: unknown) =>
    write(
      `${JSON.stringify(layout.columns ? await mapRows(results, chosen) : results, null, 2)}\n`,
    );
  if (!layout.all) return { page: writeWhole, end: noop };
  let both: unknown;
  let written = 0;
  return {
    async page(results, total) {
      if (isObject(results) && "mrc_20" in results) {
        both = joined(both, results);
        return;
      }
      const count = total ?? Object(results).count;
      const rows = rowsOf(results);
      if (written === 0 && rows.length > 0)
        await write(`{\n${count == null ? "" : `  "count": "${count}",\n`}  "data": [`);
      for (const row of rows)
        await write(`${written++ > 0 ? "," : ""}\n    ${JSON.stringify(chosen(row))}`);
    },
    async end() {
      if (both !== undefined) await writeWhole(both);
      else await write(written === 0 ? '{\n  "count": "0",\n  "data": []\n}\n' : "\n  ]\n}\n");
    },
  };
};

/** Writes CSV, with the columns of the layout or of the first page. An empty list has a header. */
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

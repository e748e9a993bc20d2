// CSV: RFC 4180, and cells that no spreadsheet runs. Runs in browsers, too.

/** One value in one cell. */
export const cellOf = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** RFC 4180: quoted where needed, quotes doubled, lines ended by CR LF. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((one) => (/[",\r\n]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(",")}\r\n`;

/** The beginning of a formula: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r\n]/;
/** A negative number, which only begins like a formula. */
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** A cell that no spreadsheet runs: text such as the name of a token may be anything. */
export const harmless = (text: string): string =>
  FORMULA.test(text) && !NEGATIVE.test(text) ? `'${text}` : text;

/** A value in a cell that no spreadsheet runs. */
export const guarded = (value: unknown): string => harmless(cellOf(value));

// Writes CSV (RFC 4180) whose cells no spreadsheet runs as formulas. Runs in browsers, too.

/** Formats a value for a cell. */
export const cellOf = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** Formats a line by RFC 4180: quotes cells if needed, doubles quotes, and ends with CR LF. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;

/** Matches the beginning of a formula: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r\n]/;
/** Matches a negative number, which only begins like a formula. */
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** Prefixes a formula, because a token may choose a name that a spreadsheet would run. */
export const harmless = (text: string): string =>
  FORMULA.test(text) && !NEGATIVE.test(text) ? `'${text}` : text;

/** Formats a value for a cell that no spreadsheet runs. */
export const guarded = (value: unknown): string => harmless(cellOf(value));

// How a message says what was expected and what came.

/** The message of a mismatch. */
export const mismatch = (expected: string, received: unknown): string =>
  `expected ${expected}, received ${describe(received)}`;

/** A value for a message: short, on one line, with its type. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? "an invalid Date" : `the Date ${value.toISOString()}`;
  if (value !== null && typeof value === "object") return "an object";
  return typeof value === "function" || typeof value === "symbol"
    ? `a ${typeof value}`
    : String(value);
}

const MAX_QUOTED = 80;

const quote = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

// JSON of values with bigints: they become decimal strings, as everywhere on the wire.

/** Undefined where JSON has no form for the value. */
export const decimalJson = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));

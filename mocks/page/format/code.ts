// Values as the code that makes them, with bigints and dates.

/** The code of a value, in lines of `indent` and more spaces. */
export function codeOf(value: unknown, indent = ""): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Date) return `new Date("${value.toISOString()}")`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => codeOf(one, inner))
    : Object.entries(value).map(([name, one]) => `${propertyOf(name)}: ${codeOf(one, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

/** A property of that name, also in a literal. */
const propertyOf = (name: string): string =>
  name === "__proto__"
    ? '["__proto__"]'
    : /^[a-z_$][\w$]*$/i.test(name)
      ? name
      : JSON.stringify(name);

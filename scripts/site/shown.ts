// Values as text, as Node's console shows them: what a block on the site prints.

const MAX_LINE = 76;
const MAX_DEPTH = 3;

const isName = /^[a-z_$][\w$]*$/i;

/** A list of parts between brackets: on one line where it fits, else a line each. */
function joined(open: string, parts: readonly string[], close: string, depth: number): string {
  if (parts.length === 0) return open + close;
  const line = `${open} ${parts.join(", ")} ${close}`;
  if (line.length + 2 * depth <= MAX_LINE && !line.includes("\n")) return line;
  const indent = "  ".repeat(depth + 1);
  return `${open}\n${parts.map((part) => indent + part).join(",\n")}\n${"  ".repeat(depth)}${close}`;
}

function nested(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[Function: ${value.name}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (depth > MAX_DEPTH) return Array.isArray(value) ? "[Array]" : "[Object]";
  if (Array.isArray(value))
    return joined(
      "[",
      value.map((one) => nested(one, depth + 1)),
      "]",
      depth,
    );
  if (value instanceof Set)
    return joined(
      `Set(${value.size}) {`,
      [...value].map((one) => nested(one, depth + 1)),
      "}",
      depth,
    );
  const isMap = value instanceof Map;
  const parts = (isMap ? [...value] : Object.entries(value)).map(([name, one]) => {
    const key = isMap
      ? `${nested(name, depth + 1)} =>`
      : `${isName.test(name) ? name : nested(name, 0)}:`;
    return `${key} ${nested(one, depth + 1)}`;
  });
  return joined(isMap ? `Map(${value.size}) {` : "{", parts, "}", depth);
}

/** A line of a program's output. */
export const shown = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === "string" ? value : nested(value, 0))).join(" ");

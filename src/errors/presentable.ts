// Decides whether an error may show a received value: only if it is short and without secrets.
import { describe } from "../models/mismatch.ts";
import { excerpt, type Redact } from "./redact.ts";

/** An object or list with more values is described, not shown. */
const MAX_SHOWN = 100;

/** Returns a received value if it is safe to show, otherwise a description of it. */
export function presentable(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return excerpt(value, redact, 500);
  if (typeof value === "number") return redact(`${value}`) === `${value}` ? value : "[api-key]";
  if (typeof value !== "object" || value === null) return value;
  if (isSmall(value)) {
    const text = JSON.stringify(value);
    if (text.length <= 2000 && redact(text) === text) return value;
  }
  return `[${describe(value)}, omitted]`;
}

/** Returns whether a JSON value has few parts, so that serializing it takes little time. */
function isSmall(root: object): boolean {
  const values: unknown[] = [root];
  for (const value of values) {
    if (typeof value !== "object" || value === null) continue;
    const more = Object.values(value);
    if (values.length + more.length > MAX_SHOWN) return false;
    values.push(...more);
  }
  return true;
}

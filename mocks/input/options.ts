// Checks the options of the public functions of the mock, and refuses wrong ones with a suggestion.
import type * as z from "zod/mini";
import { check, describe, explain, type Issue } from "../../src/models/issues.ts";
import { didYouMean } from "../../src/models/suggest.ts";

/**
 * Returns the options as their schema decodes them. Use `z.strictObject`, so that unknown options
 * are refused.
 *
 * @param caller the function's name, as a user writes it: `builder.transfer`
 * @throws TypeError that names each wrong option, what was expected and what was received
 */
export function validOptions<Schema extends z.ZodMiniType>(
  caller: string,
  schema: Schema,
  options: unknown,
): z.output<Schema> {
  // Without this check, the message for a builder or an explorer would list all its members.
  if (options === Object(options) && classOf(options) !== "an Object")
    throw new TypeError(`${caller}: expected an object of options, received ${classOf(options)}`);
  const { value, issues } = check(schema, options);
  if (issues) throw new TypeError(`${caller}: ${issues.map(explainOption).join("; ")}`);
  return value;
}

/** Describes a value by its class, such as `a ChainBuilder`. */
export function classOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return describe(value);
  const name: string = value.constructor?.name ?? "Object";
  return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}

/** An issue of an option, with the nearest valid word. */
function explainOption(issue: Issue): string {
  const { isUnknown, options, path, received } = issue;
  if (isUnknown) return explain(issue);
  const hint = options && typeof received === "string" ? didYouMean(received, options) : "";
  return explain({ ...issue, path: path.length ? path : ["options"] }) + hint;
}

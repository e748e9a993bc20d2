// Checks the options that a program passes to a public function of the mock, and refuses wrong ones with a suggestion.
import type * as z from "zod/mini";
import { check, type Issue, mismatch } from "../../src/models/issues.ts";
import { didYouMean } from "./suggest.ts";

/**
 * Returns the options as their schema decodes them. Use `z.strictObject`, so that unknown options are refused.
 *
 * @param caller the function's name, as a user writes it: `builder.transfer`
 * @throws TypeError that names each wrong option, what was expected and what was received
 */
export function validOptions<Schema extends z.ZodMiniType>(
  caller: string,
  schema: Schema,
  options: unknown,
): z.output<Schema> {
  const { value, issues } = check(schema, options);
  if (issues) throw new TypeError(`${caller}: ${issues.map(explainOption).join("; ")}`);
  return value;
}

/** `no option ballance; did you mean "balance"?`, or `balance: expected an amount, received …`. */
function explainOption({ path, expected, received, options }: Issue): string {
  const name = path.join(".");
  const isUnknown =
    options !== undefined && received === path.at(-1) && expected.startsWith("one of");
  if (isUnknown) return `no option ${name}${didYouMean(String(received), options)}`;
  const hint = options && typeof received === "string" ? didYouMean(received, options) : "";
  return `${name || "options"}: ${mismatch(expected, received)}${hint}`;
}

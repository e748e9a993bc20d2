// Reads the query of a request that is no operation of the specification: unknown and repeated names are refused, as typing mistakes.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import { ServiceError } from "../operations/handler.ts";
import { explainIssues } from "./parameters.ts";

/** The path of a target, and its query without the question mark. */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const cut = target.indexOf("?");
  return cut < 0 ? [target, ""] : [target.slice(0, cut), target.slice(cut + 1)];
}

/** Decimal digits as a number from `from` to `to`. */
export function decimalNumber(from: number, to: number) {
  const expected = `an integer from ${from} to ${to} in decimal digits`;
  const isInRange = (text: string) =>
    /^\d{1,15}$/.test(text) && Number(text) >= from && Number(text) <= to;
  return z.pipe(z.string(expected).check(z.refine(isInRange, expected)), z.transform(Number));
}

/** The characters of a name that count. */
const maxName = 40;

/** The parameters of a query, and of the path before it. Throws a {@link ServiceError} 400. */
export function readQuery<S extends z.ZodMiniType>(
  schema: S,
  query: string,
  inPath: Readonly<Record<string, string>> = {},
): z.output<S> {
  const raw: Record<string, string> = { ...inPath };
  for (const [given, value] of new URLSearchParams(query)) {
    // No longer one is known, and messages repeat it.
    const name = given.slice(0, maxName);
    if (Object.hasOwn(raw, name))
      throw new ServiceError(400, `${name}: expected once, received several times`);
    raw[name] = value;
  }
  const { value, issues, issueCount } = check(schema, raw);
  if (issues) throw new ServiceError(400, explainIssues(issues, issueCount));
  return value;
}

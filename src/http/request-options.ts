// The options of one request, and the schemas of what they share with the client's: refused where they cannot work, before anything is sent.
import * as z from "zod/mini";
import type { ErrorDetails } from "../errors/base.ts";
import { ParameterError } from "../errors/index.ts";
import { check } from "../models/issues.ts";
import type { AnySchema } from "../models/schema.ts";
import { refuseKeyHeader } from "./api-key.ts";
import type { RequestOptions } from "./call.ts";

/** A number that fits, and may be infinite; `z.number` takes no infinite ones. */
export const number = (expected: string, fits: (value: number) => boolean) =>
  z.custom<number>((value) => typeof value === "number" && fits(value), expected);

export const positive = /*#__PURE__*/ number("a number above 0", (value) => value > 0);
export const zeroOrMore = /*#__PURE__*/ number("a number of at least 0", (value) => value >= 0);
export const oneOrMore = /*#__PURE__*/ number("a number of at least 1", (value) => value >= 1);

/** What `use` makes of a value; the issues of the error it throws are those of the value. */
export const transformed = <Given, Value>(use: (given: Given) => Value) =>
  z.transform((given: Given, { issues }): Value => {
    try {
      return use(given);
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      for (const { expected, received } of error.issues)
        issues.push({ code: "custom", message: expected, input: received });
      return z.NEVER;
    }
  });

/** Headers to send along: names and values that can be sent, and no key among them. */
export const headers = /*#__PURE__*/ transformed((given: RequestOptions["headers"]) => {
  refuseKeyHeader(given);
  return { ...given };
});

const requestOptions = /*#__PURE__*/ z.object({
  timeout: /*#__PURE__*/ z.optional(positive),
  totalTimeout: /*#__PURE__*/ z.optional(positive),
  retry: /*#__PURE__*/ z.optional(zeroOrMore),
  headers: /*#__PURE__*/ z.optional(headers),
});

/** What a schema makes of options; a {@link ParameterError} names every one that cannot work. */
export function parseOptions<S extends AnySchema>(
  what: string,
  schema: S,
  options: z.input<S>,
  details?: ErrorDetails,
): z.output<S> {
  const { value, issues } = check(schema, options);
  if (!issues) return value;
  const onlyHeaders = issues.every(({ path }) => path[0] === "headers");
  throw new ParameterError(onlyHeaders ? "The headers cannot be sent" : what, issues, details);
}

/** Throws a {@link ParameterError} that names every option that cannot work. */
export function checkOptions(options: RequestOptions): void {
  parseOptions("Nothing was sent", requestOptions, options);
}

// Builds the HTTP request for an operation: checks parameters and options, and puts each parameter
// into the path, the query or the body.
import * as z from "zod/mini";
import type { LoadedDialect } from "../contract/dialects.ts";
import type { AnyOperation } from "../contract/index.ts";
import { checkInput } from "../contract/operation.ts";
import { type ErrorDetails, nameOperation } from "../errors/base.ts";
import { ParameterError } from "../errors/index.ts";
import { checkOwn } from "../models/check.ts";
import type { Issue } from "../models/mismatch.ts";
import { among } from "../models/model.ts";
import type { AnySchema } from "../models/schema.ts";
import { unknownOption } from "../models/suggest.ts";
import { checkHeaders } from "./api-key.ts";
import { isPositive } from "./base-url.ts";

/** A request to the service, before the API key is added. */
export interface PreparedRequest {
  readonly operation: AnyOperation;
  readonly url: string;
  readonly body: string | undefined;
  readonly wire: Readonly<Record<string, unknown>>;
}

/** Builds the request for checked parameters. */
export function prepare(
  baseUrl: string,
  operation: AnyOperation,
  wire: PreparedRequest["wire"],
  translate?: LoadedDialect["translate"],
): PreparedRequest {
  const translated = translate?.(operation);
  const { path, places, wholeBody } = translated?.operation ?? operation;
  const sent = translated ? translated.toDialect(wire) : wire;

  const search = new URLSearchParams();
  for (const name of places.query)
    if (sent[name] !== undefined) search.append(name, String(sent[name]));

  return {
    operation,
    wire,
    url: [
      baseUrl,
      // Checked values contain no slash or dot, and encoding escapes other special characters.
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(sent[name]))),
      search.size ? `?${search}` : "",
    ].join(""),
    body: places.body.length ? bodyOf(places.body, wholeBody, sent) : undefined,
  };
}

const bodyOf = (
  body: readonly string[],
  wholeBody: string | undefined,
  wire: PreparedRequest["wire"],
): string =>
  JSON.stringify(
    wholeBody === undefined
      ? Object.fromEntries(body.map((name) => [name, wire[name]]))
      : wire[wholeBody],
  );

export const invalidFor = ({ id, name }: AnyOperation): string =>
  `Invalid parameters for ${nameOperation(id, name)}`;

/** Returns parameters in wire form. Throws a {@link ParameterError} that lists every problem. */
export function checkParameters(
  operation: AnyOperation,
  input: unknown,
  check = checkOwn,
): Readonly<Record<string, unknown>> {
  const { value, issues, issueCount } = checkInput(operation, input, check);
  if (value === undefined)
    throw new ParameterError(
      invalidFor(operation),
      issues.map((issue) => explainUnknown(operation, issue)),
      { operation: operation.id, issueCount },
    );
  // Leaves out defaults, because the service applies its own.
  const wire: Record<string, unknown> = {};
  for (const name of Object.keys(value))
    if ((Object(input)[name] ?? undefined) !== undefined) wire[name] = value[name];
  return wire;
}

/** Says where a misplaced request option belongs, or which options a list has. */
function explainUnknown({ input, list, places }: AnyOperation, issue: Issue): Issue {
  const name = String(issue.path[0] ?? "");
  if (Object.hasOwn(requestOptions.shape, name))
    return {
      ...issue,
      problem: `unknown option ${name}; pass request options in the last argument`,
    };
  if (!issue.isUnknown || issue.path.length > 1 || !list) return issue;
  // The parameters of the path are no options, because methods take them as separate arguments.
  const names = Object.keys({ ...input.shape, ...LIST_OPTIONS });
  return unknownOption(
    [],
    name,
    names.filter((option) => !places.path.includes(option)),
  );
}

/** A schema for numbers that may be infinite, which `z.number` refuses. */
export const number = (expected: string, fits: (value: number) => boolean) =>
  z.custom<number>((value) => typeof value === "number" && fits(value), expected);

export const positive = number("a number above 0", isPositive);
export const zeroOrMore = number("a number of at least 0", (value) => value >= 0);
export const oneOrMore = number("a number of at least 1", (value) => value >= 1);

/** A schema for booleans that is smaller than `z.boolean`. */
export const trueOrFalse = among([true, false], "true or false");

/** A schema that converts values. It takes over the issues of a thrown {@link ParameterError}. */
export const transformed = <Input, Value>(convert: (input: Input) => Value) =>
  z.transform((value: Input, { issues }): Value => {
    try {
      return convert(value);
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      for (const { expected, received, problem } of error.issues)
        issues.push({ code: "custom", message: expected, input: received, params: { problem } });
      return z.NEVER;
    }
  });

export const headers = transformed(checkHeaders);

const OWN_FETCH_OPTIONS = ["method", "headers", "body", "redirect", "signal"];

/** Additional options for `fetch`. */
export const fetchOptions = z.custom<Readonly<Record<string, unknown>>>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !OWN_FETCH_OPTIONS.some((name) => Object.hasOwn(value, name)),
  `options for fetch other than ${OWN_FETCH_OPTIONS.join(", ")}, which the client sets`,
);

export const callback = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === "function",
  "a function",
);

/** Accepts signals of other realms, too, for which `instanceof` fails. */
export const abortSignal = z.custom<AbortSignal>(
  (value) => typeof Object(value).throwIfAborted === "function",
  "an AbortSignal",
);

export const requestOptions = z.strictObject({
  signal: z.optional(abortSignal),
  dedupe: z.optional(trueOrFalse),
  timeout: z.optional(positive),
  totalTimeout: z.optional(positive),
  retry: z.optional(zeroOrMore),
  headers: z.optional(headers),
  fetchOptions: z.optional(fetchOptions),
});

/** Parses options. Throws a {@link ParameterError} that lists every problem, after `explain`. */
export function parseOptions<S extends AnySchema>(
  summary: string | (() => string),
  schema: S,
  options: z.input<S>,
  details?: ErrorDetails,
  explain: (issue: Issue) => Issue = (issue) => issue,
): z.output<S> {
  const { value, issues, issueCount } = checkOwn(schema, options);
  if (!issues) return value;
  const onlyHeaders = issues.every(({ path }) => path[0] === "headers");
  const failed = typeof summary === "string" ? summary : summary();
  throw new ParameterError(onlyHeaders ? "Invalid headers" : failed, issues.map(explain), {
    ...details,
    issueCount,
  });
}

/** The options of lists, which are not parameters of an operation. */
const LIST_OPTIONS = { since: 1, until: 1, prefetch: 1, maxItems: 1, resume: 1 };

export function checkOptions(
  { id, input, list, name }: AnyOperation,
  options: z.input<typeof requestOptions>,
): void {
  const summary = () => `Invalid request options for ${nameOperation(id, name)}`;
  const parameters = { ...input.shape, ...(list && LIST_OPTIONS) };
  parseOptions(summary, requestOptions, options, { operation: id }, (issue) => {
    const option = String(issue.path[0] ?? "");
    if (!Object.hasOwn(parameters, option)) return issue;
    return { ...issue, problem: `unknown option ${option}; pass it in the argument before` };
  });
}

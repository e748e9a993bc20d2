// Builds the HTTP request of an operation: checks the parameters and puts each in path, query or body.
import type { SpokenOperation } from "../contract/dialect.ts";
import type { AnyOperation, OperationInput } from "../contract/index.ts";
import { checkInput } from "../contract/operation.ts";
import { nameOperation } from "../errors/base.ts";
import { ParameterError } from "../errors/index.ts";
import { checkOwn } from "../models/check.ts";
import { requestOptions } from "./request-options.ts";

/** A request to the service, before the key is added. */
export interface PreparedRequest {
  readonly operation: AnyOperation;
  readonly url: string;
  /** The JSON of a POST. */
  readonly body: string | undefined;
  /** The input in its wire form. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** If the explorer's dialect has other names for fields of the results. */
  readonly fields: SpokenOperation["fields"];
}

/** Builds the request; throws a {@link ParameterError} that lists every invalid parameter. */
export function prepare<Op extends AnyOperation>(
  baseUrl: string,
  operation: Op,
  input: OperationInput<Op> | CheckedInput,
  speak?: (operation: AnyOperation) => SpokenOperation | undefined,
): PreparedRequest {
  const wire = input instanceof CheckedInput ? input.wire : checkParameters(operation, input);
  const spoken = speak?.(operation);
  const { path, places, wholeBody } = spoken?.operation ?? operation;
  const sent = spoken ? spoken.sent(wire) : wire;

  const search = new URLSearchParams();
  for (const name of places.query)
    if (sent[name] !== undefined) search.append(name, String(sent[name]));

  return {
    operation,
    wire,
    url: [
      baseUrl,
      // Checked values contain no slash or dot; encoding escapes whatever could end a path.
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(sent[name]))),
      search.size ? `?${search}` : "",
    ].join(""),
    body: bodyOf(places.body, wholeBody, sent),
    fields: spoken?.fields,
  };
}

/** The JSON of the parameters that belong in the body; undefined without any. */
function bodyOf(
  body: readonly string[],
  wholeBody: string | undefined,
  wire: PreparedRequest["wire"],
): string | undefined {
  if (body.length === 0) return undefined;
  return JSON.stringify(
    wholeBody === undefined
      ? Object.fromEntries(body.map((name) => [name, wire[name]]))
      : wire[wholeBody],
  );
}

/** Parameters that have been checked and converted: those of a list, once for all its pages. */
export class CheckedInput {
  readonly wire: PreparedRequest["wire"];

  constructor(wire: PreparedRequest["wire"]) {
    this.wire = wire;
  }

  /** The same with another range, which needs no check. */
  within(range: object): CheckedInput {
    return new CheckedInput({ ...this.wire, ...range });
  }
}

/** What an error of invalid parameters says first. */
export const invalidFor = ({ id, name }: AnyOperation): string =>
  `Invalid parameters for ${nameOperation(id, name)}`;

/** The given parameters in their wire form. Throws a {@link ParameterError} that lists every invalid one. */
export function checkParameters(
  operation: AnyOperation,
  input: unknown,
  check = checkOwn,
): Readonly<Record<string, unknown>> {
  const { value, issues, issueCount } = checkInput(operation, input, check);
  if (value === undefined)
    throw new ParameterError(
      invalidFor(operation),
      issues.map((issue) =>
        Object.hasOwn(requestOptions.shape, issue.path[0] ?? "")
          ? { ...issue, expected: "request options in the last argument" }
          : issue,
      ),
      { operation: operation.id, issueCount },
    );
  // The service applies its own defaults.
  const wire: Record<string, unknown> = {};
  for (const name of Object.keys(value))
    if ((Object(input)[name] ?? undefined) !== undefined) wire[name] = value[name];
  return wire;
}

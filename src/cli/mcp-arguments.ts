// The arguments of the tools for agents: their names, JSON Schemas and checks.
import * as z from "zod/mini";
import { type ParameterName, parameterDescriptions } from "../contract/descriptions.ts";
import { type AnyOperation, type AnySchema, isOptional } from "../contract/index.ts";
import { check, explain, isObject } from "../models/issues.ts";
import { list } from "../models/model.ts";
import { address, hash } from "../models/primitives.ts";
import { topicIn } from "./parameters.ts";

export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolArgument {
  readonly description: string;
  readonly schema: AnySchema;
  readonly isRequired?: boolean;
  /** The argument's name in the API, which is also accepted. */
  readonly parameter?: string;
  /** Converts a text that is easier to write, such as the name of an event. */
  readonly convert?: (text: string) => unknown;
}

export type ToolArguments = Readonly<Record<string, ToolArgument>>;

const digits = { type: "string", pattern: "^[0-9]{1,19}$" };
const integer = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** Accepts a number or its digits. Models pass either, and a double cannot hold every number. */
function numberOrDigits(json: object): object {
  const { type, pattern } = { type: undefined, pattern: undefined, ...json };
  if (type === "integer") return { anyOf: [{ ...integer, ...json }, digits] };
  return pattern === digits.pattern ? { anyOf: [integer, digits] } : json;
}

export const integerSchema = (min: number, max: number) =>
  z.int(`an integer from ${min} to ${max}`).check(z.minimum(min), z.maximum(max));

const text = z.string("a text").check(z.minLength(1));
const time = z.union([text, z.int()]);

/** Arguments that several tools share. */
export const shared = {
  address: {
    description: "Address of the account or contract.",
    schema: address,
    isRequired: true,
  },
  transaction_hash: { description: "Hash of the transaction.", schema: hash, isRequired: true },
  since: {
    description: "First time (2026-11-14, 2026-11-14T12:00:00Z; UTC) or block number, included.",
    schema: time,
  },
  until: { description: "End of the period, like since, but excluded.", schema: time },
  cursor: {
    description: "Cursor of an earlier answer, to continue it. Other arguments may be left out.",
    schema: text,
  },
  counterparty: { description: "Only records with this other party.", schema: address },
  failed: { description: "Only failed records.", schema: z.boolean("true or false") },
  min_value: {
    description: "Minimum amount in coins or whole tokens: 10, 0.5.",
    schema: z.union([z.string().check(z.regex(/^\d+(\.\d+)?$/)), z.number()]),
  },
} satisfies ToolArguments;

/**
 * The parameters that agents know as `address`. If an operation has a holder, its `address` is the
 * holder, and the contract is named `token`.
 */
const ADDRESS_NAMES = ["address_hash", "contract_hash", "contract_address", "address"];

function publicName({ input }: AnyOperation, name: string): string {
  if (name === "contract_hash" && "address_hash" in input.shape) return "token";
  return ADDRESS_NAMES.includes(name) ? "address" : name;
}

const manyAddresses = list(address, 1, 1000);

/** Returns the arguments for an operation's parameters. */
export function argumentsOf(operation: AnyOperation): ToolArguments {
  const { limit: _, offset: __, simple: ___, ...shape } = operation.input.shape;
  return Object.fromEntries(
    Object.entries(shape).map(([parameter, schema]) => {
      const description = parameterDescriptions[parameter as ParameterName];
      const isRequired = !isOptional(schema);
      // Accepts more addresses than one request may contain, because the client splits them.
      if (parameter === "addresses")
        return [parameter, { description, schema: manyAddresses, isRequired, parameter }];
      const isTopic = parameter.startsWith("topic_");
      const convert = isTopic ? (text: string) => topicIn(parameter, text) : undefined;
      const argument = { description, schema, isRequired, parameter, ...(convert && { convert }) };
      return [publicName(operation, parameter), argument];
    }),
  );
}

/** Returns the JSON Schema of a tool's arguments. */
export function inputSchema(toolArguments: ToolArguments): object {
  const properties = Object.entries(toolArguments).map(
    ([name, { schema, description, convert }]) => {
      const { $schema: _, ...json } = z.toJSONSchema(schema, {
        io: "input",
        unrepresentable: "any",
      });
      return [name, { ...(convert ? { type: "string" } : numberOrDigits(json)), description }];
    },
  );
  const required = Object.entries(toolArguments).flatMap(([name, { isRequired }]) =>
    isRequired ? [name] : [],
  );
  return { type: "object", properties: Object.fromEntries(properties), required };
}

/** Converts the digits of an integer to a number; returns any other value unchanged. */
const numberIn = (schema: AnySchema, value: unknown): unknown => {
  const { type } = Object(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return type === "integer" && typeof value === "string" && /^\d{1,15}$/.test(value)
    ? Number(value)
    : value;
};

/** Checks arguments. @throws TypeError that names each wrong argument, and the valid ones */
export function parseArguments(
  tool: string,
  toolArguments: ToolArguments,
  values: unknown,
): ToolInput {
  const problems: string[] = [];
  const input: Record<string, unknown> = {};
  const names = Object.keys(toolArguments);
  for (const [key, value] of Object.entries(isObject(values) ? values : {})) {
    // Ignores null, because models send it for arguments that they leave out.
    if (value === null || value === undefined) continue;
    const name =
      names.find((candidate) => candidate === key) ??
      names.find((candidate) => toolArguments[candidate]?.parameter === key);
    const argument = name && toolArguments[name];
    if (!name || !argument) {
      problems.push(`${key}: no such argument; ${tool} takes ${names.join(", ")}`);
      continue;
    }
    const { schema, convert, parameter } = argument;
    if (name in input) problems.push(`${name} and ${parameter}: pass one of them`);
    input[name] = convert && typeof value === "string" ? convert(value) : numberIn(schema, value);
    for (const issue of check(schema, input[name]).issues ?? [])
      problems.push(explain({ ...issue, path: [name, ...issue.path] }));
  }
  for (const [name, { isRequired, description }] of Object.entries(toolArguments))
    if (isRequired && !(name in input) && !("cursor" in input))
      problems.push(`${name}: missing; ${description}`);
  if (problems.length > 0) throw new TypeError(problems.join("\n"));
  return input;
}

/** Renames arguments to the API's parameters, and leaves out arguments that only the tool has. */
export const wireInput = (
  toolArguments: ToolArguments,
  input: ToolInput,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const parameter = toolArguments[name]?.parameter;
      return parameter === undefined ? [] : [[parameter, value]];
    }),
  );

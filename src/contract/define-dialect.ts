// Checks a dialect that a user defines. Loaded with the first dialect that is not built in.
import * as z from "zod/mini";
import { ParameterError } from "../errors/index.ts";
import { checkOwn } from "../models/check.ts";
import { deepFreeze, isObject } from "../models/json.ts";
import type { Issue } from "../models/mismatch.ts";
import { oneOf } from "../models/primitives.ts";
import { type AnySchema, unwrapped } from "../models/schema.ts";
import {
  type Dialect,
  type DialectDefinition,
  metadium,
  type OperationDialect,
} from "./dialect.ts";
import { type AnyOperation, type OperationId, operations } from "./index.ts";
import { limits } from "./lists.ts";

const allOperations: readonly AnyOperation[] = Object.values(operations);

/** Refuses segments of dots, which would send the API key to another path. */
const PATH = /^(\/(\{\w+\}|(?!\.+(\/|$))[\w.-]+))*$/;

// Refuses `__proto__`, because that key would set the prototype of an object.
const isName = (value: unknown): boolean =>
  typeof value === "string" && /^[\w.-]+$/.test(value) && value !== "__proto__";

const NAME = 'a name of letters, digits, ".", "-" or "_"';
const name = z.custom<string>(isName, NAME);
const names = z.custom<string | readonly string[]>(
  (value) => isName(value) || (Array.isArray(value) && value.length > 0 && value.every(isName)),
  NAME,
);

const optionalFields = <S extends AnySchema>(
  keys: readonly string[],
  schemaOf: (key: string) => S,
) => z.strictObject(Object.fromEntries(keys.map((key) => [key, z.optional(schemaOf(key))])));

/** Returns the words that a parameter accepts; none if it accepts any text. */
const wordsOf = (schema: AnySchema | undefined): readonly string[] =>
  (schema && (unwrapped(schema)._zod.toJSONSchema?.() as { enum?: string[] })?.enum) ?? [];

const maxLimit = ({ list }: AnyOperation) =>
  z.custom<number>(
    (value) => list && Number.isInteger(value) && value >= 1 && value <= limits.max,
    list ? `a whole number from 1 to ${limits.max}` : "no value: this operation has no pages",
  );

const pathOf = ({ input, places }: AnyOperation) =>
  z.custom<string>(
    (value) => {
      if (typeof value !== "string" || value === "" || !PATH.test(value)) return false;
      const inPath = [...value.matchAll(/\{(\w*)\}/g)].map(([, parameter = ""]) => parameter);
      return (
        inPath.every((parameter) => Object.hasOwn(input.shape, parameter)) &&
        places.path.every((parameter) => inPath.filter((other) => other === parameter).length === 1)
      );
    },
    `a path such as /v1/blocks/{block_number}, with ${places.path.map((parameter) => `{${parameter}}`).join(", ") || "parameters of this operation"}`,
  );

const operationSchema = (operation: AnyOperation) => {
  const { shape } = operation.input;
  const parameters = Object.keys(shape);
  const wordsByName = (parameter: string) => optionalFields(wordsOf(shape[parameter]), () => name);
  return z.strictObject({
    path: z.optional(pathOf(operation)),
    parameters: z.optional(optionalFields(parameters, () => names)),
    words: z.optional(
      optionalFields(
        parameters.filter((parameter) => wordsOf(shape[parameter]).length > 0),
        wordsByName,
      ),
    ),
    maxLimit: z.optional(maxLimit(operation)),
  });
};

const definitionSchema = z.strictObject({
  name: z.custom<string>((value) => typeof value === "string" && value !== "", "a name"),
  prefix: z.custom<string>(
    (value) => typeof value === "string" && PATH.test(value) && !value.includes("{"),
    "a path such as /api/v1",
  ),
  key: oneOf(["required", "optional"]),
  operations: z.strictObject(
    Object.fromEntries(
      allOperations.map((operation) => [operation.id, z.optional(operationSchema(operation))]),
    ),
  ),
  extends: z.optional(z.custom<Dialect>(isObject, "a dialect, such as dialects.wemix")),
});

/** Finds names that two parameters, or two words of a parameter, would share. */
function sharedNames(
  path: Issue["path"],
  changes: Readonly<Record<string, unknown>> | undefined,
  keys: readonly string[],
): Issue[] {
  const owners = new Map<unknown, string>();
  return keys.flatMap((key) =>
    [changes?.[key] ?? key].flat().flatMap((received) => {
      const owner = owners.get(received);
      owners.set(received, key);
      const expected = `${NAME}, other than the name of ${owner}`;
      return owner === undefined ? [] : [{ path: [...path, key], expected, received }];
    }),
  );
}

/** Finds contradictions in a dialect whose parts are valid. */
function* contradictionsIn(dialect: Dialect): Generator<Issue> {
  const owners = new Map<string, string>();
  for (const { id, input, method, path: specified } of allOperations) {
    const {
      parameters,
      path = specified,
      words,
    }: OperationDialect = dialect.operations[id as OperationId] ?? {};
    const place = ["operations", id];
    yield* sharedNames([...place, "parameters"], parameters, Object.keys(input.shape));
    for (const [parameter, changes] of Object.entries(words ?? {}))
      yield* sharedNames([...place, "words", parameter], changes, wordsOf(input.shape[parameter]));
    const target = `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`;
    const owner = owners.get(target);
    owners.set(target, id);
    const expected = `a path other than the path of ${owner}`;
    if (owner !== undefined) yield { path: [...place, "path"], expected, received: path };
  }
}

/**
 * Defines how the API of an explorer differs in paths and names of parameters. Pass the dialect to
 * `new ExplorerClient({ dialect })` or, for a mock of that explorer, `createExplorer({ dialect })`.
 * The client's methods, parameters and records stay the same.
 *
 * @throws {@link ParameterError} that names each unknown operation and parameter
 * @example
 * const dialect = defineDialect({
 *   name: "my explorer",
 *   extends: dialects.wemix,
 *   prefix: "/api/ext/v1",
 *   operations: { A2: { parameters: { startBlock: "from_block" }, maxLimit: 100 } },
 * });
 */
export function defineDialect(definition: DialectDefinition): Dialect {
  const refuse = (issues: readonly Issue[] = []) => {
    if (issues.length)
      throw new ParameterError(`Invalid dialect ${JSON.stringify(definition?.name)}`, issues);
  };
  const base = definition?.extends ?? metadium;
  const { prefix = base.prefix, key = base.key, operations: changes = {} } = Object(definition);
  const complete = definition && { ...definition, prefix, key, operations: changes };
  refuse(checkOwn(definitionSchema, complete).issues);
  const names = new Set([...Object.keys(base.operations), ...Object.keys(changes)]);
  const merged = ([...names] as OperationId[]).map((id) => {
    const [inherited, changed]: OperationDialect[] = [base.operations[id] ?? {}, changes[id] ?? {}];
    const parameters = { ...inherited?.parameters, ...changed?.parameters };
    const words: Record<string, Readonly<Record<string, string>> | undefined> = {
      ...inherited?.words,
    };
    for (const [parameter, changes] of Object.entries(changed?.words ?? {}))
      words[parameter] = { ...words[parameter], ...changes };
    return [id, { ...inherited, ...changed, parameters, words }] as const;
  });
  const { name } = definition;
  // A deep copy, so that the caller cannot change the dialect after the check.
  const dialect: Dialect = JSON.parse(
    JSON.stringify({ name, prefix, key, operations: Object.fromEntries(merged) }),
  );
  refuse([...contradictionsIn(dialect)]);
  deepFreeze(dialect);
  return dialect;
}

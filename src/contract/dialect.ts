// A dialect: what another explorer of this family calls paths, parameters and fields; and the contract's operations as it has them.
import * as z from "zod/mini";
import { ParameterError } from "../errors/index.ts";
import { fast } from "../models/fast-path.ts";
import { isObject } from "../models/json.ts";
import type { Issue } from "../models/mismatch.ts";
import { type AnySchema, innermost } from "../models/schema.ts";
import {
  type AnyOperation,
  type OperationId,
  type OperationResultsWire,
  type Operations,
  operations,
} from "./index.ts";
import { pagingUpTo } from "./parameters.ts";

/** The names of fields anywhere in results. */
type FieldsOf<Results> = Results extends string
  ? never
  : Results extends readonly (infer Item)[]
    ? FieldsOf<Item>
    : Results extends object
      ? Extract<keyof Results, string> | FieldsOf<Results[keyof Results]>
      : never;

/** How a dialect says one operation. */
export interface OperationDialect<Op extends AnyOperation = AnyOperation> {
  /** Its path, with the specification's names in braces: a parameter of the query may be a part of it. */
  readonly path?: string | undefined;
  /** Other names of parameters. Of several, the first is sent and all are accepted. */
  readonly parameters?:
    | {
        readonly [Name in Extract<keyof Op["input"]["shape"], string>]?: string | readonly string[];
      }
    | undefined;
  /** Other words for the words of a parameter: `{ type: { conbine: "combine" } }`. */
  readonly words?:
    | {
        readonly [Name in Extract<keyof Op["input"]["shape"], string>]?: Readonly<
          Record<string, string>
        >;
      }
    | undefined;
  /** Other names of fields of its results; null for a field that is left out. */
  readonly fields?:
    | { readonly [Field in FieldsOf<OperationResultsWire<Op>>]?: string | null }
    | undefined;
  /** The largest `limit` of a page. @default the specification's 1000 */
  readonly maxLimit?: number | undefined;
}

/** What a dialect says otherwise, by the number of the operation. */
export type DialectOperations = {
  readonly [Id in OperationId]?: OperationDialect<Operations[Id]>;
};

/** How an explorer of this family differs from the specification, as data. */
export interface Dialect {
  /** "wemix" */
  readonly name: string;
  /** What paths begin with. */
  readonly prefix: string;
  /** Whether requests need an API key. */
  readonly key: "required" | "optional";
  readonly operations: DialectOperations;
}

/** The parts of a dialect that differ from the specification, or from another dialect. */
export interface DialectDefinition extends Partial<Dialect> {
  readonly name: string;
  /** A dialect that this one is like. @default the specification */
  readonly extends?: Dialect | undefined;
}

/** The dialect of the specification. */
const SPECIFIED: Dialect = { name: "metadium", prefix: "/v1", key: "required", operations: {} };

/** The names of all fields in a schema. */
function* fieldsIn(schema: AnySchema): Generator<string> {
  const { shape, element } = Object(innermost(schema)) as {
    shape?: Readonly<Record<string, AnySchema>>;
    element?: AnySchema;
  };
  if (element) yield* fieldsIn(element);
  for (const [name, field] of Object.entries(shape ?? {})) {
    yield name;
    yield* fieldsIn(field);
  }
}

/** Each unknown name, with those that are known. */
const unknownNames = (
  path: Issue["path"],
  given: object | undefined,
  known: readonly string[],
): Issue[] =>
  Object.keys(given ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: [...path, name],
      expected: `one of ${known.join(", ")}`,
      received: name,
      options: known,
    }));

/** What is wrong with a dialect's operation. */
function flawsOf(id: string, given: OperationDialect): Issue[] {
  const path = ["operations", id];
  if (!Object.hasOwn(operations, id))
    return unknownNames(["operations"], { [id]: given }, Object.keys(operations));
  const operation: AnyOperation = operations[id as OperationId];
  const parameters = Object.keys(operation.input.shape);
  const fields = [operation.results, operation.simpleResults].flatMap((schema) =>
    schema ? [...fieldsIn(schema)] : [],
  );
  const inPath = [...(given.path ?? "").matchAll(/\{(\w*)\}/g)].map(([, name = ""]) => [
    name,
    true,
  ]);
  const missing =
    given.path === undefined
      ? []
      : operation.places.path.filter((name) => !given.path?.includes(`{${name}}`));
  return [
    ...unknownNames(path, given, ["path", "parameters", "words", "fields", "maxLimit"]),
    ...unknownNames([...path, "path"], Object.fromEntries(inPath), parameters),
    ...missing.map((name) => ({
      path: [...path, "path"],
      expected: `a path with {${name}}`,
      received: given.path,
    })),
    ...unknownNames([...path, "parameters"], given.parameters, parameters),
    ...unknownNames([...path, "words"], given.words, parameters),
    ...unknownNames([...path, "fields"], given.fields, [...new Set(fields)]),
  ];
}

/**
 * Describes an explorer that differs from the specification in names: for `new ExplorerClient({ dialect })`, and for a mock explorer that answers
 * like it, `createExplorer({ dialect })`. Records, names and types of the client stay the specification's.
 *
 * @throws {@link ParameterError} that names unknown operations, parameters and fields, and those there are
 * @example
 * const dialect = defineDialect({
 *   name: "my explorer",
 *   extends: dialects.wemix,
 *   prefix: "/api/ext/v1",
 *   operations: { A2: { parameters: { startBlock: "from_block" }, fields: { gas_used: "gasUsed" } } },
 * });
 */
export function defineDialect(definition: DialectDefinition): Dialect {
  const { extends: base = SPECIFIED, ...given } = definition;
  const { name, prefix = base.prefix, key = base.key, operations: own = {} } = given;
  const issues = [
    ...unknownNames([], given, ["name", "prefix", "key", "operations"]),
    ...(/^(\/[\w.-]+)*$/.test(prefix)
      ? []
      : [{ path: ["prefix"], expected: "a path such as /api/v1", received: prefix }]),
    ...(["required", "optional"].includes(key)
      ? []
      : [{ path: ["key"], expected: "one of required, optional", received: key }]),
    ...Object.entries(own).flatMap(([id, one]) => flawsOf(id, one)),
  ];
  if (issues.length) throw new ParameterError(`Invalid dialect ${JSON.stringify(name)}`, issues);
  const ids = [...new Set([...Object.keys(base.operations), ...Object.keys(own)])] as OperationId[];
  const merged = ids.map((id) => {
    const [theirs, ours]: OperationDialect[] = [base.operations[id] ?? {}, own[id] ?? {}];
    const both = (part: "parameters" | "words" | "fields") => ({
      ...theirs?.[part],
      ...ours?.[part],
    });
    const parts = { parameters: both("parameters"), words: both("words"), fields: both("fields") };
    return [id, { ...theirs, ...ours, ...parts }] as const;
  });
  return { name, prefix, key, operations: Object.fromEntries(merged) };
}

type Named = Readonly<Record<string, unknown>>;

/** An operation as an explorer of a dialect has it. */
export interface SpokenOperation {
  /** With its path, and its parameters under their names there. */
  readonly operation: AnyOperation;
  /** Checked parameters as they are sent. */
  readonly sent: (wire: Named) => Named;
  /** Received parameters under the specification's names. */
  readonly received: (input: Named) => Named;
  /** If fields have other names: JSON under the specification's, and as such an explorer sends it. */
  readonly fields:
    | { readonly read: (json: unknown) => unknown; readonly written: (json: unknown) => unknown }
    | undefined;
}

/** The JSON with other names of fields; undefined leaves one out. */
function renamed(json: unknown, nameOf: (name: string) => string | null): unknown {
  if (Array.isArray(json)) return json.map((one) => renamed(one, nameOf));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => {
      const other = nameOf(name);
      return other === null ? [] : [[other, renamed(value, nameOf)]];
    }),
  );
}

/** An operation of the contract in a dialect; an operation of the caller's own stays as it is. */
export function spokenIn(dialect: Dialect, operation: AnyOperation): SpokenOperation | undefined {
  const { id, input, list, places } = operation;
  const specified: AnyOperation | undefined = operations[id as OperationId];
  if (specified?.path !== operation.path) return undefined;
  const own: OperationDialect = dialect.operations[id as OperationId] ?? {};
  const path = (own.path ?? operation.path).replace(/^\/v1(?=\/)/, dialect.prefix);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const named = new Map(
    Object.entries(own.parameters ?? {}) as [string, string | readonly string[]][],
  );
  const namesOf = (name: string) =>
    inPath.includes(name) ? [name] : [named.get(name) ?? name].flat();
  const shape: Record<string, AnySchema> = {};
  const ours = new Map<string, string>();
  for (const [name, specifiedSchema] of Object.entries(input.shape)) {
    const schema =
      name === "limit" && own.maxLimit ? pagingUpTo(own.maxLimit).limit : specifiedSchema;
    for (const [index, other] of namesOf(name).entries()) {
      shape[other] = index ? z.optional(schema) : schema;
      ours.set(other, name);
    }
  }
  const query = [...places.path, ...places.query].filter((name) => !inPath.includes(name));
  const fields = new Map(Object.entries(own.fields ?? {}) as [string, string | null][]);
  const back = new Map(
    [...fields].flatMap(([name, other]) => (other === null ? [] : [[other, name]])),
  );
  const words: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> =
    own.words ?? {};
  const word = (name: string, value: unknown) => words[name]?.[String(value)] ?? value;
  return {
    operation: {
      ...operation,
      path,
      input: fast(z.strictObject(shape)) as AnyOperation["input"],
      places: { path: inPath, query: query.flatMap(namesOf), body: places.body.flatMap(namesOf) },
      list: list && own.maxLimit ? { ...list, maxLimit: own.maxLimit } : list,
    },
    sent: (wire) =>
      Object.fromEntries(
        Object.entries(wire).map(([name, value]) => [namesOf(name)[0] ?? name, word(name, value)]),
      ),
    received: (given) => {
      const result: Record<string, unknown> = {};
      // Of several names the first counts, which stands first in the shape.
      for (const [other, name] of ours)
        if (given[other] !== undefined && result[name] === undefined) result[name] = given[other];
      return result;
    },
    fields: fields.size
      ? {
          read: (json) => renamed(json, (name) => back.get(name) ?? name),
          written: (json) =>
            renamed(json, (name) => (fields.has(name) ? (fields.get(name) ?? null) : name)),
        }
      : undefined,
  };
}

/** The operations in a dialect, each made once. */
export function speakerOf(
  dialect: Dialect,
): (operation: AnyOperation) => SpokenOperation | undefined {
  const known = new WeakMap<AnyOperation, SpokenOperation>();
  return (operation) => {
    const spoken = known.get(operation) ?? spokenIn(dialect, operation);
    if (spoken) known.set(operation, spoken);
    return spoken;
  };
}

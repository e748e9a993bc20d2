// A dialect: what another explorer of this family calls paths, parameters and fields; and the contract's operations as it has them.
import * as z from "zod/mini";
import { ParameterError } from "../errors/index.ts";
import { fast } from "../models/fast-path.ts";
import { isObject } from "../models/json.ts";
import type { Issue } from "../models/mismatch.ts";
import { type AnySchema, innermost, unwrapped } from "../models/schema.ts";
import {
  type AnyOperation,
  type OperationId,
  type OperationResultsWire,
  type Operations,
  operations,
} from "./index.ts";
import { limits } from "./lists.ts";
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

/** An issue, unless a value is as it should be. */
const unless = (
  isRight: boolean,
  path: Issue["path"],
  expected: string,
  received: unknown,
): Issue[] => (isRight ? [] : [{ path, expected, received }]);

/** Each unknown name, with those that are known. */
const unknownNames = (path: Issue["path"], given: unknown, known: readonly string[]): Issue[] =>
  given === undefined || isObject(given)
    ? Object.keys(given ?? {})
        .filter((name) => !known.includes(name))
        .map((name) => ({
          path: [...path, name],
          expected: `one of ${known.join(", ")}`,
          received: name,
          options: known,
        }))
    : unless(false, path, "an object", given);

/** What names parameters, fields and parts of paths have; segments of dots alone would lead elsewhere. */
const NAME = /^[\w.-]+$/;
const PATH = /^(\/(\{\w+\}|(?!\.+(\/|$))[\w.-]+))*$/;

/** Names that are none, or that two would have. */
function namesIn(path: Issue["path"], names: readonly (readonly [string, unknown])[]): Issue[] {
  const owners = new Map<unknown, string>();
  return names.flatMap(([owner, name]) => {
    const other = owners.get(name);
    owners.set(name, owner);
    const isName = typeof name === "string" && NAME.test(name);
    const free = other === undefined ? "" : `, other than that of ${other}`;
    return unless(isName && !free, [...path, owner], `a name without spaces${free}`, name);
  });
}

/** What is wrong with a dialect's operation. */
function flawsOf(id: string, given: OperationDialect): Issue[] {
  const path = ["operations", id];
  const unknown = [
    ...unknownNames(["operations"], { [id]: given }, Object.keys(operations)),
    ...unknownNames(path, given ?? null, ["path", "parameters", "words", "fields", "maxLimit"]),
  ];
  if (unknown.length) return unknown;
  const operation: AnyOperation = operations[id as OperationId];
  const { shape } = operation.input;
  const parameters = Object.keys(shape);
  const results = [operation.results, operation.simpleResults];
  const fields = [...new Set(results.flatMap((schema) => (schema ? [...fieldsIn(schema)] : [])))];
  const flaws = [
    ...unknownNames([...path, "parameters"], given.parameters, parameters),
    ...unknownNames([...path, "words"], given.words, parameters),
    ...unknownNames([...path, "fields"], given.fields, fields),
    ...pathFlaws([...path, "path"], given.path, operation),
    ...limitFlaws([...path, "maxLimit"], given.maxLimit, operation),
  ];
  if (flaws.length) return flaws;
  const namesOf = (part: object | undefined, all: readonly string[]) =>
    all.flatMap((name) => {
      const own: unknown = Object.entries(part ?? {}).find(([one]) => one === name)?.[1] ?? name;
      const several = Array.isArray(own) && own.length > 0 ? own : [own];
      return several.map((one): [string, unknown] => [name, one]);
    });
  const kept = fields.filter((name) => Object(given.fields)[name] !== null);
  return [
    ...namesIn([...path, "parameters"], namesOf(given.parameters, parameters)),
    ...namesIn([...path, "fields"], namesOf(given.fields, kept)),
    ...Object.entries(given.words ?? {}).flatMap(([name, words]) => {
      const at = [...path, "words", name];
      const known = wordsOf(shape[name]) ?? Object.keys(Object(words));
      const flaw = unknownNames(at, words, known);
      return flaw.length ? flaw : namesIn(at, namesOf(words, known));
    }),
  ];
}

/** The words of a parameter; undefined where any text will do. */
const wordsOf = (schema: AnySchema | undefined): readonly string[] | undefined =>
  schema && (unwrapped(schema)._zod.toJSONSchema?.() as { enum?: string[] } | undefined)?.enum;

/** What is wrong with the largest page of an operation. */
function limitFlaws(at: Issue["path"], limit: unknown, { list }: AnyOperation): Issue[] {
  if (limit === undefined) return [];
  if (!list) return unless(false, at, "nothing: this operation has no pages", limit);
  const isRight = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= limits.max;
  return unless(isRight, at, `a whole number from 1 to ${limits.max}`, limit);
}

/** What is wrong with the path of an operation. */
function pathFlaws(at: Issue["path"], path: unknown, { input, places }: AnyOperation): Issue[] {
  if (path === undefined) return [];
  if (typeof path !== "string" || path === "" || !PATH.test(path))
    return unless(false, at, "a path such as /v1/blocks/{block_number}", path);
  const inPath = [...path.matchAll(/\{(\w*)\}/g)].map(([, name = ""]) => name);
  return [
    ...unknownNames(
      at,
      Object.fromEntries(inPath.map((name) => [name, true])),
      Object.keys(input.shape),
    ),
    ...places.path.flatMap((name) =>
      unless(inPath.filter((one) => one === name).length === 1, at, `a path with {${name}}`, path),
    ),
  ];
}

/** Operations that would have the path of another. */
function samePaths(dialect: Dialect): Issue[] {
  const owners = new Map<string, string>();
  return Object.values<AnyOperation>(operations).flatMap(({ id, method, path: specified }) => {
    const path = dialect.operations[id as OperationId]?.path ?? specified;
    const shown = `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`;
    const other = owners.get(shown);
    owners.set(shown, id);
    return unless(!other, ["operations", id, "path"], `a path other than that of ${other}`, path);
  });
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
  const refuse = (issues: Issue[]) => {
    if (issues.length)
      throw new ParameterError(`Invalid dialect ${JSON.stringify(definition?.name)}`, issues);
  };
  refuse(unknownNames([], definition ?? null, ["name", "prefix", "key", "operations", "extends"]));
  const { name, extends: base = SPECIFIED, operations: own = {} } = definition;
  refuse([
    ...unless(typeof name === "string" && name !== "", ["name"], "a name", name),
    ...unless(isObject(base), ["extends"], "a dialect, such as dialects.wemix", base),
    ...unless(isObject(own), ["operations"], "an object", own),
  ]);
  const { prefix = base.prefix, key = base.key } = definition;
  refuse([
    ...unless(
      typeof prefix === "string" && PATH.test(prefix) && !prefix.includes("{"),
      ["prefix"],
      "a path such as /api/v1",
      prefix,
    ),
    ...unless(["required", "optional"].includes(key), ["key"], "one of required, optional", key),
    ...Object.entries(own).flatMap(([id, one]) => flawsOf(id, one)),
  ]);
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
  const dialect = { name, prefix, key, operations: Object.fromEntries(merged) };
  // What is right in either may not be right in both; what extends the specification alone was looked at.
  const extended = base === SPECIFIED ? [] : merged;
  refuse([...extended.flatMap(([id, one]) => flawsOf(id, one)), ...samePaths(dialect)]);
  return dialect;
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

// `defineDialect`: a dialect that somebody describes, checked. It loads with the first dialect that
// is none of ours.
import { ParameterError } from "../errors/index.ts";
import { deepFreeze, isObject } from "../models/json.ts";
import type { Issue } from "../models/mismatch.ts";
import { type AnySchema, unwrapped } from "../models/schema.ts";
import {
  type Dialect,
  type DialectDefinition,
  metadium,
  type OperationDialect,
} from "./dialect.ts";
import { type AnyOperation, type OperationId, operations } from "./index.ts";
import { limits } from "./lists.ts";

/** An issue, unless a value is as it should be. */
const unless = (
  isRight: boolean,
  path: Issue["path"],
  expected: string,
  received: unknown,
): Issue[] => (isRight ? [] : [{ path, expected, received }]);

/** A name without what people write in two ways: `startBlock` and `start_block`. */
const lettersOf = (name: string) =>
  name
    .slice(0, 40)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");

/** The known name that begins most like a name, if half of that or more is in it. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const letters = lettersOf(name);
  const shared = (other: string) => {
    let length = letters.length;
    while (!lettersOf(other).startsWith(letters.slice(0, length))) length--;
    return length;
  };
  const [meant] = [...known].sort(
    (one, other) => shared(other) - shared(one) || one.length - other.length,
  );
  return meant && letters !== "" && 2 * shared(meant) >= letters.length ? meant : undefined;
}

/** Each unknown name, with the one that may be meant, and those that are known. */
const unknownNames = (path: Issue["path"], given: unknown, known: readonly string[]): Issue[] =>
  given === undefined || isObject(given)
    ? Object.keys(given ?? {})
        .filter((name) => !known.includes(name))
        .map((name) => {
          const meant = meantBy(name, known);
          const alternatives = known.filter((one) => one !== meant).join(", ");
          return {
            path: [...path, name],
            expected: meant ? `${meant}, or one of ${alternatives}` : `one of ${alternatives}`,
            received: name,
            options: known,
          };
        })
    : unless(false, path, "an object", given);

/** Names of parameters and parts of paths; segments of dots alone would lead elsewhere. */
const NAME = /^[\w.-]+$/;
const PATH = /^(\/(\{\w+\}|(?!\.+(\/|$))[\w.-]+))*$/;

/** Names that are none, or that two would have. */
function namesIn(path: Issue["path"], names: readonly (readonly [string, unknown])[]): Issue[] {
  const owners = new Map<unknown, string>();
  return names.flatMap(([owner, name]) => {
    const earlierOwner = owners.get(name);
    owners.set(name, owner);
    // As a key of an object, this name would set the prototype.
    const isName = typeof name === "string" && NAME.test(name) && name !== "__proto__";
    const free = earlierOwner === undefined ? "" : `, other than that of ${earlierOwner}`;
    const expected = `a name of letters, digits, ".", "-" or "_"${free}`;
    return unless(isName && !free, [...path, owner], expected, name);
  });
}

/** Lists the issues of one operation of a dialect. */
function flawsOf(id: string, given: OperationDialect): Issue[] {
  const path = ["operations", id];
  const unknown = [
    ...unknownNames(["operations"], { [id]: given }, Object.keys(operations)),
    ...unknownNames(path, given ?? null, ["path", "parameters", "words", "maxLimit"]),
  ];
  if (unknown.length) return unknown;
  const operation: AnyOperation = operations[id as OperationId];
  const { shape } = operation.input;
  const parameters = Object.keys(shape);
  const flaws = [
    ...unknownNames([...path, "parameters"], given.parameters, parameters),
    ...unknownNames([...path, "words"], given.words, parameters),
    ...pathFlaws([...path, "path"], given.path, operation),
    ...limitFlaws([...path, "maxLimit"], given.maxLimit, operation),
  ];
  if (flaws.length) return flaws;
  const namesOf = (part: object | undefined, all: readonly string[]) =>
    all.flatMap((name) => {
      const names: unknown = Object.entries(part ?? {}).find(([one]) => one === name)?.[1] ?? name;
      const several = Array.isArray(names) && names.length > 0 ? names : [names];
      return several.map((one): [string, unknown] => [name, one]);
    });
  return [
    ...namesIn([...path, "parameters"], namesOf(given.parameters, parameters)),
    ...Object.entries(given.words ?? {}).flatMap(([name, words]) => {
      const at = [...path, "words", name];
      const options = wordsOf(shape[name]) ?? Object.keys(Object(words));
      const flaw = unknownNames(at, words, options);
      return flaw.length ? flaw : namesIn(at, namesOf(words, options));
    }),
  ];
}

/** The words of a parameter; undefined where any text will do. */
const wordsOf = (schema: AnySchema | undefined): readonly string[] | undefined =>
  schema && (unwrapped(schema)._zod.toJSONSchema?.() as { enum?: string[] } | undefined)?.enum;

function limitFlaws(at: Issue["path"], limit: unknown, { list }: AnyOperation): Issue[] {
  if (limit === undefined) return [];
  if (!list) return unless(false, at, "nothing: this operation has no pages", limit);
  const isRight = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= limits.max;
  return unless(isRight, at, `a whole number from 1 to ${limits.max}`, limit);
}

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

function samePaths(dialect: Dialect): Issue[] {
  const owners = new Map<string, string>();
  return Object.values<AnyOperation>(operations).flatMap(({ id, method, path: specified }) => {
    const path = dialect.operations[id as OperationId]?.path ?? specified;
    const shown = `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`;
    const owner = owners.get(shown);
    owners.set(shown, id);
    return unless(!owner, ["operations", id, "path"], `a path other than that of ${owner}`, path);
  });
}

/**
 * Describes an explorer that differs from the specification in names: for `new ExplorerClient({
 * dialect })`, and for a mock explorer that answers like it, `createExplorer({ dialect })`.
 * Records, names and types of the client stay the specification's.
 *
 * @throws {@link ParameterError} that names each unknown operation and parameter, and those there are
 * @example
 * const dialect = defineDialect({
 *   name: "my explorer",
 *   extends: dialects.wemix,
 *   prefix: "/api/ext/v1",
 *   operations: { A2: { parameters: { startBlock: "from_block" }, maxLimit: 100 } },
 * });
 */
export function defineDialect(definition: DialectDefinition): Dialect {
  const refuse = (issues: Issue[]) => {
    if (issues.length)
      throw new ParameterError(`Invalid dialect ${JSON.stringify(definition?.name)}`, issues);
  };
  refuse(unknownNames([], definition ?? null, ["name", "prefix", "key", "operations", "extends"]));
  const { name, extends: base = metadium, operations: own = {} } = definition;
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
    const both = (part: "parameters" | "words") => ({ ...theirs?.[part], ...ours?.[part] });
    return [
      id,
      { ...theirs, ...ours, parameters: both("parameters"), words: both("words") },
    ] as const;
  });
  const written = JSON.stringify({ name, prefix, key, operations: Object.fromEntries(merged) });
  const dialect: Dialect = JSON.parse(written);
  // Two valid dialects may conflict, for example if both give a parameter the same name.
  const extended = base === metadium ? [] : merged;
  refuse([...extended.flatMap(([id, one]) => flawsOf(id, one)), ...samePaths(dialect)]);
  // So that it stays as it was checked.
  deepFreeze(dialect);
  checked.set(dialect, dialect);
  return dialect;
}

/** Checked dialects, by the object that was given, so that each is checked once. */
const checked = new WeakMap<Dialect, Dialect>([[metadium, metadium]]);

/** The dialect of an option, checked. */
export function checkedDialect(given: Dialect): Dialect {
  const dialect = checked.get(given) ?? defineDialect(given);
  checked.set(given, dialect);
  return dialect;
}

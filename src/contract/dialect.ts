// A dialect: how the paths and parameters of another explorer of this family differ. Translates
// operations of the contract into a dialect.
import * as z from "zod/mini";
import { type AnyOperation, type OperationId, type Operations, operations } from "./index.ts";
import { pagingUpTo } from "./parameters.ts";

/** The path and the parameters of one operation in a dialect. */
export interface OperationDialect<Op extends AnyOperation = AnyOperation> {
  /** The path. Braces hold parameters by their specified names, even parameters of the query. */
  readonly path?: string | undefined;
  /** Other names of parameters. Of several names, the client sends the first; a mock accepts all. */
  readonly parameters?:
    | {
        readonly [Name in Extract<keyof Op["input"]["shape"], string>]?: string | readonly string[];
      }
    | undefined;
  /** Other values of a parameter: `{ type: { conbine: "combine" } }`. */
  readonly words?:
    | {
        readonly [Name in Extract<keyof Op["input"]["shape"], string>]?: Readonly<
          Record<string, string>
        >;
      }
    | undefined;
  /** The largest `limit` of a page. @default 1000 */
  readonly maxLimit?: number | undefined;
}

/** The operations that differ in a dialect, by number. */
export type DialectOperations = {
  readonly [Id in OperationId]?: OperationDialect<Operations[Id]>;
};

/** The API of an explorer of this family, by its differences from the specification. */
export interface Dialect {
  /** The name of the dialect: "wemix". */
  readonly name: string;
  /** The beginning of every path: "/v1". */
  readonly prefix: string;
  /** Whether requests need an API key. */
  readonly key: "required" | "optional";
  /** The operations that differ, by number. */
  readonly operations: DialectOperations;
}

/** A new dialect, by its differences from the specification or another dialect. */
export interface DialectDefinition extends Partial<Dialect> {
  /** The name of the dialect: "wemix". */
  readonly name: string;
  /** The dialect to start from. @default the specification */
  readonly extends?: Dialect | undefined;
}

/** The dialect of Metadium's explorer, which is the specification itself. */
export const metadium: Dialect = {
  name: "metadium",
  prefix: "/v1",
  key: "required",
  operations: {},
};

type Named = Readonly<Record<string, unknown>>;

/** An operation in a dialect. */
export interface TranslatedOperation {
  /** The operation with the dialect's path and names of parameters. */
  readonly operation: AnyOperation;
  /** Translates checked parameters into the dialect. */
  readonly toDialect: (wire: Named) => Named;
  /** Translates parameters of the dialect into our names. */
  readonly toStandard: (input: Named) => Named;
}

/** Translates an operation of the contract; undefined for an operation that a caller defined. */
export function translateOperation(
  dialect: Dialect,
  operation: AnyOperation,
): TranslatedOperation | undefined {
  const { id, input, list, places } = operation;
  const specified: AnyOperation | undefined = operations[id as OperationId];
  if (specified?.path !== operation.path) return undefined;
  const differences: OperationDialect = dialect.operations[id as OperationId] ?? {};
  const path = (differences.path ?? operation.path).replace(/^\/v1(?=\/)/, () => dialect.prefix);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const named = new Map(
    Object.entries(differences.parameters ?? {}) as [string, string | readonly string[]][],
  );
  const namesOf = (name: string) =>
    inPath.includes(name) ? [name] : [named.get(name) ?? name].flat();
  const firstNameOf = (name: string) => namesOf(name)[0] ?? name;
  const specifiedNames = Object.keys(input.shape);
  const shape = specifiedNames.map((name) => {
    const hasOwnLimit = name === "limit" && differences.maxLimit;
    return [firstNameOf(name), hasOwnLimit ? pagingUpTo(hasOwnLimit).limit : input.shape[name]];
  });
  const aliases = specifiedNames.flatMap((name) =>
    namesOf(name)
      .slice(1)
      .map((alias) => [alias, firstNameOf(name)] as const),
  );
  const query = [...places.path, ...places.query].filter((name) => !inPath.includes(name));
  const words: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> =
    differences.words ?? {};
  const word = (name: string, value: unknown) => words[name]?.[String(value)] ?? value;
  return {
    operation: {
      ...operation,
      path,
      input: z.strictObject(Object.fromEntries(shape)) as AnyOperation["input"],
      places: { path: inPath, query: query.flatMap(namesOf), body: places.body.flatMap(namesOf) },
      // Without a prototype, because a parameter may be called "constructor".
      aliases: Object.assign(Object.create(null), Object.fromEntries(aliases)),
      list: list && differences.maxLimit ? { ...list, maxLimit: differences.maxLimit } : list,
    },
    toDialect: (wire) =>
      Object.fromEntries(
        Object.entries(wire).map(([name, value]) => [firstNameOf(name), word(name, value)]),
      ),
    toStandard: (parameters) =>
      Object.fromEntries(
        specifiedNames
          .filter((name) => Object.hasOwn(parameters, firstNameOf(name)))
          .filter((name) => parameters[firstNameOf(name)] !== undefined)
          .map((name) => [name, parameters[firstNameOf(name)]]),
      ),
  };
}

/** Creates a function that translates operations into a dialect, each once. */
export function translatorOf(
  dialect: Dialect,
): (operation: AnyOperation) => TranslatedOperation | undefined {
  const translatedOperations = new WeakMap<AnyOperation, TranslatedOperation>();
  return (operation) => {
    const translated =
      translatedOperations.get(operation) ?? translateOperation(dialect, operation);
    if (translated) translatedOperations.set(operation, translated);
    return translated;
  };
}

// A dialect: the paths and parameters of another explorer of this family, and the contract's
// operations as that explorer has them.
import * as z from "zod/mini";
import { type AnyOperation, type OperationId, type Operations, operations } from "./index.ts";
import { pagingUpTo } from "./parameters.ts";

/** The path and the parameters of one operation in a dialect. */
export interface OperationDialect<Op extends AnyOperation = AnyOperation> {
  /** Path with the specification's names in braces, which may include parameters of the query. */
  readonly path?: string | undefined;
  /**
   * Other names of parameters. Of several names, the client sends the first; a mock accepts all.
   */
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
  /** The largest `limit` of a page. @default the specification's 1000 */
  readonly maxLimit?: number | undefined;
}

/** The operations that differ in a dialect, by number. */
export type DialectOperations = {
  readonly [Id in OperationId]?: OperationDialect<Operations[Id]>;
};

/** How an explorer of this family differs from the specification, as data. */
export interface Dialect {
  /** "wemix" */
  readonly name: string;
  /** The beginning of every path: "/v1". */
  readonly prefix: string;
  /** Whether requests need an API key. */
  readonly key: "required" | "optional";
  /** The operations that differ, by number. */
  readonly operations: DialectOperations;
}

/** The parts of a dialect that differ from the specification, or from another dialect. */
export interface DialectDefinition extends Partial<Dialect> {
  /** "wemix" */
  readonly name: string;
  /** A dialect that this one is like. @default the specification */
  readonly extends?: Dialect | undefined;
}

/** Metadium's explorer: the specification itself. */
export const metadium: Dialect = {
  name: "metadium",
  prefix: "/v1",
  key: "required",
  operations: {},
};

type Named = Readonly<Record<string, unknown>>;

/** An operation as an explorer of a dialect has it. */
export interface SpokenOperation {
  /** The operation with that explorer's path and names of parameters. */
  readonly operation: AnyOperation;
  /** Checked parameters as they are sent. */
  readonly sent: (wire: Named) => Named;
  /** Received parameters under the specification's names. */
  readonly received: (input: Named) => Named;
}

/**
 * Translates an operation of the contract into a dialect; undefined for a caller's own operation.
 */
export function spokenIn(dialect: Dialect, operation: AnyOperation): SpokenOperation | undefined {
  const { id, input, list, places } = operation;
  const specified: AnyOperation | undefined = operations[id as OperationId];
  if (specified?.path !== operation.path) return undefined;
  const differences: OperationDialect = dialect.operations[id as OperationId] ?? {};
  const path = (differences.path ?? operation.path).replace(/^\/v1(?=\/)/, dialect.prefix);
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
      aliases: Object.fromEntries(aliases),
      list: list && differences.maxLimit ? { ...list, maxLimit: differences.maxLimit } : list,
    },
    sent: (wire) =>
      Object.fromEntries(
        Object.entries(wire).map(([name, value]) => [firstNameOf(name), word(name, value)]),
      ),
    received: (parameters) =>
      Object.fromEntries(
        specifiedNames
          .filter((name) => parameters[firstNameOf(name)] !== undefined)
          .map((name) => [name, parameters[firstNameOf(name)]]),
      ),
  };
}

/** The operations in a dialect, each made once. */
export function speakerOf(
  dialect: Dialect,
): (operation: AnyOperation) => SpokenOperation | undefined {
  const spokenOperations = new WeakMap<AnyOperation, SpokenOperation>();
  return (operation) => {
    const spoken = spokenOperations.get(operation) ?? spokenIn(dialect, operation);
    if (spoken) spokenOperations.set(operation, spoken);
    return spoken;
  };
}

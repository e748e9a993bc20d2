// A dialect: what another explorer of this family calls paths, parameters and fields; and the contract's operations as it has them.
import * as z from "zod/mini";
import { fast } from "../models/fast-path.ts";
import { isObject } from "../models/json.ts";
import type { AnySchema } from "../models/schema.ts";
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

// Defines operations. The client, the service, the documents and the command line derive from them.
import * as z from "zod/mini";
import { type Checked, checkOwn } from "../models/check.ts";
import { decodeFast } from "../models/fast-path.ts";
import { isObject } from "../models/json.ts";
import { type Decoded, type Encoded, model, records } from "../models/model.ts";
import { integer, orNull } from "../models/primitives.ts";
import type { AnySchema } from "../models/schema.ts";
import { isOptional, pagingUpTo } from "./parameters.ts";

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** A resource and method of the client: "accounts.transactions". */
type DottedName = `${string}.${string}`;

/** The schemas of an operation's parameters, by name. */
export type Parameters = Readonly<Record<string, AnySchema>>;

/** The records of a list operation. */
export interface RecordList {
  /** The fields that identify a record. */
  readonly identity: readonly string[];
  /** The fields that identify a record across reorganisations, if they differ. */
  readonly lastingIdentity?: readonly string[];
  /** The largest `limit` of a page. @default 1000 */
  readonly maxLimit?: number;
  /** Whether records name their block, or only its time; undefined for holdings. */
  readonly place?: "block" | "time";
  /** If the results have several lists: the field of each list, and the tag of its records. */
  readonly parts?: Readonly<Record<string, string>>;
}

/**
 * When the response of an operation is final:
 *
 * - `verified`: once the operation succeeds, because a verified contract never changes (C1, C2);
 * - `transaction`: once the transaction has enough confirmations (X1 to X3);
 * - `block`: once the block has enough confirmations (B1).
 */
export type Finality = "verified" | "transaction" | "block";

/**
 * The meaning of a failure with HTTP 200:
 *
 * - `not-verified`: the contract is not verified; an empty success means the same (C1, C2);
 * - `verdict`: the submitted source was rejected (C3).
 */
export type FailureMeaning = "not-verified" | "verdict";

interface Traits {
  /** Whether the response has an envelope around the results; A6 has none. @default true */
  readonly enveloped: boolean;
  /** Whether the operation changes nothing, so that it may be retried. @default true */
  readonly safe: boolean;
  /** Milliseconds for an attempt if the caller sets no `timeout`. @default 15_000 */
  readonly timeout: number;
  /** Set if the operation returns a list. */
  readonly list: RecordList | undefined;
  /** When the response is final and may be cached; undefined if never. */
  readonly finality: Finality | undefined;
  /** The meaning of a failure with HTTP 200; undefined for an {@link ApiError}. */
  readonly failure: FailureMeaning | undefined;
  /** The parameter that is the whole body, instead of a field of the body. */
  readonly wholeBody: string | undefined;
  /** Other names of parameters that a server accepts, by alias. */
  readonly aliases: Readonly<Record<string, string>>;
}

interface SharedTraits extends Partial<Traits> {
  /** @default "GET" */
  readonly method?: Operation["method"];
}

interface SharedProperties<Id extends string, Name extends DottedName, Results, Simple> {
  /** The number of the operation in the specification. */
  readonly id: Id;
  /** The resource and method of the client, and the two words of the command. */
  readonly name: Name;
  readonly results: Results;
  /** The results when the parameter `simple` is true. */
  readonly simpleResults?: Simple | undefined;
}

interface Definition<
  Id extends string,
  Name extends DottedName,
  Path extends string,
  PathParameters,
  Query,
  Body,
  Results,
  Simple,
> extends SharedProperties<Id, Name, Results, Simple>,
    SharedTraits {
  readonly path: Path;
  readonly parameters: PathParameters;
  readonly query?: Query;
  readonly body?: Body;
}

/** An operation of the contract. */
export interface Operation<
  Id extends string = string,
  Input extends Parameters = Parameters,
  Results extends AnySchema = AnySchema,
  Simple extends AnySchema = AnySchema,
  Name extends DottedName = DottedName,
> extends SharedProperties<Id, Name, Results, Simple>,
    Traits {
  readonly method: "GET" | "POST" | "DELETE";
  readonly resource: string;
  readonly action: string;
  readonly path: string;
  readonly places: Readonly<Record<"path" | "query" | "body", readonly string[]>>;
  /** The schema of all parameters, for callers and for incoming requests. */
  readonly input: z.ZodMiniObject<Input, z.core.$strict>;
}

type NoParameters = Record<never, AnySchema>;

export function operation<
  const Id extends string,
  const Name extends DottedName,
  const Path extends string,
  PathParameters extends Record<PathNames<Path>, AnySchema>,
  Results extends AnySchema,
  Query extends Parameters = NoParameters,
  Body extends Parameters = NoParameters,
  Simple extends AnySchema = never,
  const Listed extends RecordList | undefined = undefined,
>(
  definition: Definition<Id, Name, Path, PathParameters, Query, Body, Results, Simple> & {
    readonly list?: Listed;
  },
): Operation<Id, PathParameters & Query & Body, Results, Simple, Name> & {
  readonly list: Listed;
} {
  const { parameters, query, body, list, ...rest } = definition;
  const [resource = "", action = ""] = rest.name.split(".");
  const ownLimit = list?.maxLimit ? pagingUpTo(list.maxLimit) : {};
  const input = { ...parameters, ...query, ...ownLimit, ...body } as PathParameters & Query & Body;
  return {
    method: "GET",
    enveloped: true,
    safe: true,
    timeout: 15_000,
    finality: undefined,
    failure: undefined,
    wholeBody: undefined,
    aliases: {},
    ...rest,
    list: list as Listed,
    resource,
    action,
    input: z.strictObject(input),
    places: {
      path: Object.keys(parameters),
      query: Object.keys(query ?? {}),
      body: Object.keys(body ?? {}),
    },
  };
}

/** The path or, if a parameter of the path has no schema, a text that says so. */
type Described<Path extends string, PathParameters> = [PathNames<Path>] extends [never]
  ? Path
  : [PathParameters[keyof PathParameters]] extends [never]
    ? `${Path}: expected parameters for ${PathNames<Path>}`
    : Path;

/**
 * Creates a function that defines the operations of a resource. `shared` applies to all of them. By
 * default, an operation is a GET without parameters in its path.
 */
export const operationsOf =
  <const Resource extends string>(resource: Resource, shared: SharedTraits = {}) =>
  <
    const Id extends string,
    Results extends AnySchema,
    const Path extends string,
    PathParameters extends Record<PathNames<Path>, AnySchema> = Record<PathNames<Path>, never>,
    Query extends Parameters = NoParameters,
    Body extends Parameters = NoParameters,
  >(
    id: Id,
    path: Path & Described<Path, PathParameters>,
    results: Results,
    {
      parameters,
      ...more
    }: SharedTraits & {
      readonly parameters?: PathParameters;
      readonly query?: Query;
      readonly body?: Body;
    } = {},
  ) =>
    operation({
      ...shared,
      ...more,
      id,
      name: `${resource}.${id}`,
      path,
      parameters: parameters ?? ({} as PathParameters),
      results,
    });

/** The results of a list: a page of records and a count. */
export const pageOf = <S extends AnySchema>(item: S) =>
  model({ count: orNull(integer), data: records(item) });

/** Results with their payload in `data`. */
export const dataOf = <S extends AnySchema>(data: S) => model({ data });

export type AnyOperation = Operation;

/**
 * Checks the parameters of an operation. Null means that an optional parameter is omitted. `check`
 * describes the problems.
 */
export function checkInput(
  { input }: AnyOperation,
  parameters: unknown,
  check = checkOwn,
): Checked<Readonly<Record<string, unknown>>> {
  if (!isObject(parameters)) return check(input, parameters);
  let present = parameters;
  for (const [name, parameter] of Object.entries(parameters)) {
    const isNull = parameter === null && Object.hasOwn(input.shape, name);
    if (parameter !== undefined && !(isNull && isOptional(input.shape[name]))) continue;
    const { [name]: _, ...others } = present;
    present = others;
  }
  const value = decodeFast(input, present) as typeof parameters | undefined;
  return value === undefined ? check(input, present) : { value };
}

type OptionalParameter = { _zod: { optin: "optional" | "defaulted" } };
type Flat<T> = { [Key in keyof T]: T[Key] };
type ReadonlyArrays<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;
type InputOf<Shape> = Flat<
  {
    [Key in keyof Shape as Shape[Key] extends OptionalParameter ? never : Key]: ReadonlyArrays<
      z.input<Shape[Key]>
    >;
  } & {
    [Key in keyof Shape as Shape[Key] extends OptionalParameter ? Key : never]?:
      | ReadonlyArrays<z.input<Shape[Key]>>
      | null
      | undefined;
  }
>;

/** The input of an operation, as a caller passes it. */
export type OperationInput<Op extends { readonly input: { readonly shape: object } }> = InputOf<
  Op["input"]["shape"]
>;
/** The input of an operation, checked and with defaults applied. */
export type OperationArguments<Op extends { readonly input: unknown }> = Decoded<Op["input"]>;
type ResultsOf<Op extends ResultSchemas> =
  | Op["results"]
  | (Op["simpleResults"] extends AnySchema | undefined ? NonNullable<Op["simpleResults"]> : never);
interface ResultSchemas {
  readonly results: AnySchema;
  readonly simpleResults?: AnySchema | undefined;
}
/** The decoded results of an operation. */
export type OperationResults<Op extends ResultSchemas> = Decoded<ResultsOf<Op>>;
/** The results of an operation as JSON. */
export type OperationResultsWire<Op extends ResultSchemas> = Encoded<ResultsOf<Op>>;

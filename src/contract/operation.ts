// What an operation of the service is: one definition, from which client, service, documents and command line are derived.
import * as z from "zod/mini";
import { type Decoded, type Encoded, list, model } from "../models/model.ts";
import { integer, orNull } from "../models/primitives.ts";
import type { AnySchema } from "../models/schema.ts";
import { pagingUpTo } from "./parameters.ts";

/** The names between braces in a path template. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** The client's resource and method: "accounts.transactions". */
type OperationName = `${string}.${string}`;

/** Named schemas: the parameters of an operation. */
export type Parameters = Readonly<Record<string, AnySchema>>;

/** What is known of the records of a list. */
export interface RecordList {
  /** The fields that tell its records from each other. */
  readonly identity: readonly string[];
  /** The same across reorganisations, where that are other fields. */
  readonly lastingIdentity?: readonly string[];
  /** The largest `limit` of a page. @default 1000 */
  readonly maxLimit?: number;
}

/**
 * When the answer of an operation can no longer change:
 *
 * - `verified`: as soon as it is a success, for a verified contract stays what it is (C1, C2);
 * - `transaction`: when the transaction it is about lies under enough blocks, so that no reorganisation reaches it (X1 to X3);
 * - `block`: when the block it is about does (B1).
 */
export type Finality = "verified" | "transaction" | "block";

/**
 * What an answer means that is neither a success nor an error by its status:
 *
 * - `not-verified`: the contract has no verified source; an empty success means the same (C1, C2);
 * - `verdict`: the source was not accepted (C3).
 */
export type FailureMeaning = "not-verified" | "verdict";

/** What a definition may leave out, and what it means then. */
interface Traits {
  /** False where the answer is the results themselves, without status and message (A6). @default true */
  readonly enveloped?: boolean;
  /** Whether sending it twice is the same as sending it once, so that it may be retried. @default true */
  readonly safe?: boolean;
  /** Milliseconds an attempt may take unless a caller says otherwise. @default 15_000 */
  readonly timeout?: number;
  /** Of operations that answer a list. */
  readonly list?: RecordList | undefined;
  /** When the answer can no longer change, and may be cached; never, if left out. */
  readonly finality?: Finality | undefined;
  /** What a failure with HTTP 200 means; just an error of the service, if left out. */
  readonly failure?: FailureMeaning | undefined;
}

/** The parts of a definition and of an operation that are the same. */
interface Basics<Id extends string, Name extends OperationName, Results, Simple> {
  /** The number of the operation in the specification. */
  readonly id: Id;
  /** The client's resource and method, and the command line's two words. */
  readonly name: Name;
  readonly method: "GET" | "POST";
  readonly results: Results;
  /** The results when the parameter `simple` is true. */
  readonly simpleResults?: Simple | undefined;
}

interface Definition<
  Id extends string,
  Name extends OperationName,
  Path extends string,
  PathParameters,
  Query,
  Body,
  Results,
  Simple,
> extends Basics<Id, Name, Results, Simple>,
    Traits {
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
  Name extends OperationName = OperationName,
> extends Basics<Id, Name, Results, Simple>,
    Required<Traits> {
  readonly resource: string;
  readonly action: string;
  readonly path: string;
  /** Where each parameter travels. */
  readonly places: Readonly<Record<"path" | "query" | "body", readonly string[]>>;
  /** All parameters, by name: checks what a caller gives and reads what a request brings. */
  readonly input: z.ZodMiniObject<Input, z.core.$strict>;
}

type NoParameters = Record<never, AnySchema>;

export function operation<
  const Id extends string,
  const Name extends OperationName,
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
    enveloped: true,
    safe: true,
    timeout: 15_000,
    finality: undefined,
    failure: undefined,
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

/** The results of a list: a page of records and how many there are. */
export const pageOf = <S extends AnySchema>(item: S) =>
  model({ count: orNull(integer), data: list(item) });

/** Results whose payload stands under `data`. */
export const dataOf = <S extends AnySchema>(data: S) => model({ data });

/** Any operation, where it does not matter which. */
export type AnyOperation = Operation;

/** A parameter that may be left out; null means the same. */
type MayBeMissing = { _zod: { optin: "optional" | "defaulted" } };
type Flat<T> = { [Key in keyof T]: T[Key] };
/** What is given is only read. */
type Readable<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;
type Given<Shape> = Flat<
  {
    [Key in keyof Shape as Shape[Key] extends MayBeMissing ? never : Key]: Readable<
      z.input<Shape[Key]>
    >;
  } & {
    [Key in keyof Shape as Shape[Key] extends MayBeMissing ? Key : never]?:
      | Readable<z.input<Shape[Key]>>
      | null
      | undefined;
  }
>;

/** What a caller gives to an operation. */
export type OperationInput<Op extends { readonly input: { readonly shape: object } }> = Given<
  Op["input"]["shape"]
>;
/** The same, checked, with defaults filled in: what the service works from. */
export type OperationArguments<Op extends { readonly input: unknown }> = Decoded<Op["input"]>;
/** The schemas of the results, of either form. */
type ResultsOf<Op extends ResultSchemas> =
  | Op["results"]
  | (Op["simpleResults"] extends AnySchema | undefined ? NonNullable<Op["simpleResults"]> : never);
interface ResultSchemas {
  readonly results: AnySchema;
  readonly simpleResults?: AnySchema | undefined;
}
/** The results as a program sees them. */
export type OperationResults<Op extends ResultSchemas> = Decoded<ResultsOf<Op>>;
/** The results as JSON. */
export type OperationResultsWire<Op extends ResultSchemas> = Encoded<ResultsOf<Op>>;

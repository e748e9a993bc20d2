// What an operation of the service is: one definition, from which client, service, documents and command line are derived.
import type { Fields, RecordInput, RecordValue, RecordWire } from "../models/compose.ts";
import { listKind, recordKind } from "../models/compose.ts";
import type { AnyKind, InputOf, Kind, ValueOf, WireOf } from "../models/kind.ts";
import { integer, nullable } from "../models/primitives.ts";

/** The names between braces in a path template. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** The client's resource and method: "accounts.transactions". */
type OperationName = `${string}.${string}`;

interface Definition<
  Id extends string,
  Name extends OperationName,
  Path extends string,
  PathFields extends Record<PathNames<Path>, AnyKind>,
  Query extends Fields,
  Body extends Fields,
  Results extends AnyKind,
  Simple extends AnyKind,
> {
  /** The number of the operation in the specification. */
  readonly id: Id;
  /** The client's resource and method, and the command line's two words. */
  readonly name: Name;
  readonly method: "GET" | "POST";
  readonly path: Path;
  readonly parameters: PathFields;
  readonly query?: Query;
  readonly body?: Body;
  readonly results: Results;
  /** The results when the parameter `simple` is true. */
  readonly simpleResults?: Simple;
  /** False where the answer is the results themselves, without status and message (A6). */
  readonly enveloped?: boolean;
  /** Whether asking twice is the same as asking once, so that it may be asked again after a failure. */
  readonly safe?: boolean;
  /** Milliseconds an answer may take unless a caller says otherwise: 15 000. */
  readonly patience?: number;
  /** What it answers, in a line. */
  readonly summary: string;
}

/** An operation of the contract. */
export interface Operation<
  Id extends string = string,
  Parameters extends Fields = Fields,
  Results extends AnyKind = AnyKind,
  Simple extends AnyKind = AnyKind,
  Name extends OperationName = OperationName,
> {
  readonly id: Id;
  readonly name: Name;
  readonly resource: string;
  readonly action: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Where each parameter travels. */
  readonly places: Readonly<Record<"path" | "query" | "body", readonly string[]>>;
  /** All parameters, by name: checks what a caller gives and reads what a request brings. */
  readonly input: Kind<RecordWire<Parameters>, RecordValue<Parameters>, RecordInput<Parameters>> & {
    readonly fields: Parameters;
  };
  readonly results: Results;
  readonly simpleResults?: Simple | undefined;
  readonly enveloped: boolean;
  readonly safe: boolean;
  readonly patience: number;
  readonly summary: string;
}

type NoFields = Record<never, AnyKind>;

export function operation<
  const Id extends string,
  const Name extends OperationName,
  const Path extends string,
  PathFields extends Record<PathNames<Path>, AnyKind>,
  Results extends AnyKind,
  Query extends Fields = NoFields,
  Body extends Fields = NoFields,
  Simple extends AnyKind = never,
>(
  definition: Definition<Id, Name, Path, PathFields, Query, Body, Results, Simple>,
): Operation<Id, PathFields & Query & Body, Results, Simple, Name> {
  const {
    name,
    parameters,
    query,
    body,
    enveloped = true,
    safe = true,
    patience = 15_000,
    ...rest
  } = definition;
  const [resource = "", action = ""] = name.split(".");
  const fields = { ...parameters, ...query, ...body } as PathFields & Query & Body;
  return {
    ...rest,
    name,
    resource,
    action,
    enveloped,
    safe,
    patience,
    input: recordKind(fields),
    places: {
      path: Object.keys(parameters),
      query: Object.keys(query ?? {}),
      body: Object.keys(body ?? {}),
    },
  };
}

/** The results of a list: a page of records and how many there are. */
export const pageOf = <Wire, Value, Input>(item: Kind<Wire, Value, Input>) =>
  recordKind({ count: nullable(integer), data: listKind(item) });

/** Results whose payload stands under `data`. */
export const dataOf = <Wire, Value, Input>(data: Kind<Wire, Value, Input>) => recordKind({ data });

/** Any operation, where it does not matter which. */
export interface AnyOperation extends Omit<Operation, "input"> {
  readonly input: AnyKind & { readonly fields: Fields };
}

/** What a caller gives to an operation. */
export type OperationInput<Op extends AnyOperation> = InputOf<Op["input"]>;
/** The same, checked, with defaults filled in: what the service works from. */
export type OperationArguments<Op extends AnyOperation> = ValueOf<Op["input"]>;
/** The kind of the results, of either form. */
type ResultsOf<Op extends AnyOperation> =
  | Op["results"]
  | (Op["simpleResults"] extends AnyKind | undefined ? NonNullable<Op["simpleResults"]> : never);
/** The results as a program sees them. */
export type OperationResults<Op extends AnyOperation> = ValueOf<ResultsOf<Op>>;
/** The results as JSON. */
export type OperationResultsWire<Op extends AnyOperation> = WireOf<ResultsOf<Op>>;

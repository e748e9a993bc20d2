// A kind of value on the wire: how it is read, how it is written, and what a schema document says of it.

/** What is wrong with one value, and where. */
export interface Issue {
  /** Where the value stands, from the outermost value inwards. */
  readonly path: readonly (string | number)[];
  /** What the specification asks for, in words. */
  readonly expected: string;
  /** The value as it came. */
  readonly received: unknown;
  /** An object or a list is missing here: what stands in it cannot be read at all. */
  readonly structural?: boolean;
}

/** The part of JSON Schema that a kind needs to describe its wire form. */
export interface JsonSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
}

/**
 * `Wire` is what stands in JSON (or in a URL), `Value` what a program works with, `Input` what a program may give
 * where `Value` is wanted (a block number as `number` or `bigint`).
 *
 * Neither direction throws: what is wrong is added to `issues`, with paths relative to the value at hand, and the
 * value comes back as it was, so that a caller may keep it.
 */
export interface Kind<Wire, Value, Input = Value> {
  /** In words, for messages: "a decimal string". */
  readonly expected: string;
  readonly json: JsonSchema;
  /** What a missing one is read as: null for nullable kinds, the default of a parameter. */
  readonly absent?: Value | undefined;
  /** It may be left out when writing: a conditional field, a parameter that is not required. */
  readonly optional?: boolean;
  /** Of a kind that is this one or null: what it is where it is not null. */
  readonly within?: AnyKind;
  decode(raw: unknown, issues: Issue[]): Value;
  encode(value: Input | Value, issues: Issue[]): Wire;
  /** Never called: carries the types. */
  readonly types?: readonly [Wire, Value, Input];
}

// biome-ignore lint/suspicious/noExplicitAny: the one place that stands for "any kind"; kinds are invariant in all three.
export type AnyKind = Kind<any, any, any>;

export type WireOf<K extends AnyKind> =
  K extends Kind<infer Wire, infer _Value, infer _Input> ? Wire : never;
export type ValueOf<K extends AnyKind> =
  K extends Kind<infer _Wire, infer Value, infer _Input> ? Value : never;
export type InputOf<K extends AnyKind> =
  K extends Kind<infer _Wire, infer _Value, infer Input> ? Input : never;

/** Notes what is wrong and hands the value on as it came: the only place where an unchecked value takes a type. */
export function fail<Result>(
  issues: Issue[],
  expected: string,
  received: unknown,
  structural = false,
): Result {
  issues.push(
    structural ? { path: [], expected, received, structural } : { path: [], expected, received },
  );
  return received as Result;
}

/** Puts `key` in front of the paths of all issues from index `from` on. */
export function at(issues: Issue[], from: number, key: string | number): void {
  for (let index = from; index < issues.length; index++) {
    const issue = issues[index] as Issue;
    issues[index] = { ...issue, path: [key, ...issue.path] };
  }
}

/** Whether it is what JSON calls an object: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** A value for a message: short, on one line, and telling its type. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? "an invalid Date" : `the Date ${value.toISOString()}`;
  if (value !== null && typeof value === "object") return "an object";
  return typeof value === "function" || typeof value === "symbol"
    ? `a ${typeof value}`
    : String(value);
}

function quote(text: string): string {
  const most = 80;
  return JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text);
}

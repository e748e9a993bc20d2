// Operations and fields of the specification as data, written by hand from its text and independent
// of the code.
import fields from "./fields.json" with { type: "json" };

export interface Field {
  readonly name: string;
  readonly type: string;
}

export interface SpecifiedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly pathParameters: readonly string[];
  /** A name with `!` is required. */
  readonly query: readonly string[];
  readonly body: readonly string[];
  readonly results: string;
}

export const { limits, enumerations } = fields;

export const specified: readonly SpecifiedOperation[] = fields.operations;

const models: Readonly<Record<string, readonly Field[]>> = fields.models;

export const specifiedModels = Object.values(models);

/** The fields of a model, in the specification's order: `modelOf("2.5")`. */
export function modelOf(beginning: string): readonly Field[] {
  const titles = Object.keys(models).filter((title) => `${title} `.startsWith(`${beginning} `));
  const [title, ...others] = titles;
  if (title === undefined || others.length > 0)
    throw new Error(`expected one model of ${beginning}, found ${titles.length}`);
  return models[title] ?? [];
}

export const nameOf = (parameter: string): string => parameter.replace("!", "");

/** The parameters of an operation that must be given. */
export const requiredOf = ({ pathParameters, query, body }: SpecifiedOperation): string[] => [
  ...pathParameters,
  ...[...query, ...body].filter((name) => name.endsWith("!")).map(nameOf),
];

// Finds the records in the results of an operation, and the fields of the records.
import type { AnyOperation, AnySchema } from "../contract/index.ts";
import { isObject } from "../models/issues.ts";
import { definitionOf, innermost } from "../models/schema.ts";

/** A record in its wire form. */
export type Row = Readonly<Record<string, unknown>>;

/** Returns the records in the results of any operation. */
export function rowsOf(results: unknown): readonly Row[] {
  if (!isObject(results)) return [{ result: results }];
  const { data, mrc_20, mrc_721 } = results;
  if (isObject(mrc_20) && isObject(mrc_721))
    return [...tagged("mrc20", mrc_20.results), ...tagged("mrc721", mrc_721.results)];
  if (Array.isArray(data)) return data.map((item) => (isObject(item) ? item : { data: item }));
  return [isObject(data) ? data : results];
}

const tagged = (standard: string, rows: unknown): readonly Row[] =>
  Array.isArray(rows) ? rows.filter(isObject).map((row) => ({ standard, ...row })) : [];

/** Changes every record in results, and keeps the shape of the results. */
export async function mapRows(
  results: unknown,
  change: (row: Row) => Row | Promise<Row>,
): Promise<unknown> {
  if (!isObject(results)) return results;
  const { data, mrc_20, mrc_721 } = results;
  const each = async (rows: unknown) =>
    Array.isArray(rows)
      ? await Promise.all(rows.map((row) => (isObject(row) ? change(row) : row)))
      : rows;
  if (isObject(mrc_20) && isObject(mrc_721))
    return {
      ...results,
      mrc_20: { ...mrc_20, results: await each(mrc_20.results) },
      mrc_721: { ...mrc_721, results: await each(mrc_721.results) },
    };
  if (Array.isArray(data)) return { ...results, data: await each(data) };
  return isObject(data) ? { ...results, data: await change(data) } : await change(results);
}

/** Returns all fields of an operation's records, or only those that `input` requests. */
export function fieldsOf({ results, simpleResults }: AnyOperation, input?: Row): readonly string[] {
  if (input === undefined)
    return [
      ...new Set([results, simpleResults].flatMap((schema) => (schema ? names(schema) : []))),
    ];
  const isThere = (name: string, schema: AnySchema) =>
    definitionOf(schema).type !== "optional" || (name === "input" && input.input === true);
  return names((input.simple === true && simpleResults) || results, isThere);
}

const always = () => true;

function names(
  schema: AnySchema,
  isThere: (name: string, schema: AnySchema) => boolean = always,
): readonly string[] {
  const def = innermost(schema);
  if (def.type === "array") return names(def.element, isThere);
  if (def.type !== "object") return [];
  const { data, results, mrc_20, mrc_721 } = def.shape;
  if (mrc_20 && mrc_721)
    return [...new Set(["standard", ...names(mrc_20, isThere), ...names(mrc_721, isThere)])];
  const inner = data ?? results;
  const innerNames = inner ? names(inner, isThere) : [];
  if (innerNames.length > 0) return innerNames;
  return Object.keys(def.shape).filter((name) => isThere(name, def.shape[name] as AnySchema));
}

/** Picks fields of a record, in the order of `columns`. */
export const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.flatMap((name) => (name in row ? [[name, row[name]]] : [])));

// The fault `field`: replaces or removes fields of the results.
import { RESULTS } from "../../src/contract/envelope.ts";
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { jsonCopy, jsonIn } from "../../src/models/json.ts";
import { type AnySchema, innermost } from "../../src/models/schema.ts";
import type { ServiceResponse } from "../message/message.ts";

/** A new value for the fields at a path. Without `value`, the fields are removed. */
export interface FieldChange {
  readonly path: string;
  readonly value?: unknown;
}

/** Names that every object inherits. No path may contain them. */
const inherited: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Returns the step of a path that names an inherited property; undefined if there is none. */
export const inheritedStep = (path: string): string | undefined =>
  path.split(".").find((step) => inherited.has(step));

/**
 * Returns the own keys that a step names; `*` names all. With `adds`, the step may also name a new
 * field, or the index at which an array would grow by one entry.
 */
function keysAt(parent: object, step: string, adds: boolean): readonly string[] {
  const keys = Object.keys(parent);
  if (step === "*") return keys;
  const isNew = adds && (!Array.isArray(parent) || step === `${keys.length}`);
  return isNew || keys.includes(step) ? [step] : [];
}

/**
 * Yields every place that a path names, as a parent and a key; with `adds`, also the place of a new
 * field.
 */
function* placesAt(
  at: unknown,
  [step, ...rest]: readonly string[],
  adds: boolean,
): Generator<readonly [parent: Record<string, unknown>, key: string]> {
  if (at === null || typeof at !== "object" || step === undefined) return;
  const parent = at as Record<string, unknown>;
  for (const key of keysAt(parent, step, adds && rest.length === 0))
    if (rest.length === 0) yield [parent, key];
    else yield* placesAt(parent[key], rest, adds);
}

function schemaHasPath(schema: AnySchema, path: readonly string[], adds: boolean): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  const def = innermost(schema);
  if (def.type === "array")
    return (step === "*" || /^\d{1,9}$/.test(step)) && schemaHasPath(def.element, rest, adds);
  if (def.type !== "object") return false;
  // A value may be set on a new field.
  if (adds && rest.length === 0) return true;
  const field = Object.hasOwn(def.shape, step) ? def.shape[step] : undefined;
  const below = step === "*" ? Object.values(def.shape) : field ? [field] : [];
  return below.some((child) => schemaHasPath(child, rest, adds));
}

/**
 * Whether results of an operation have a field at the path. If the fault `adds` a field, its parent
 * is enough.
 */
export function hasPath(id: OperationId, path: readonly string[], adds: boolean): boolean {
  const { results, simpleResults }: AnyOperation = operations[id];
  return [results, simpleResults].some((schema) => schema && schemaHasPath(schema, path, adds));
}

/** Applies all changes to a successful response. Other responses have no results. */
export function changeFields(
  operation: OperationId,
  response: ServiceResponse,
  changes: readonly FieldChange[],
): ServiceResponse {
  if (changes.length === 0 || response.status !== 200) return response;
  const body = jsonIn(response.body);
  // A recorded explorer may have sent HTML.
  if (body === undefined) return response;
  const prefix = operations[operation].enveloped ? [RESULTS] : [];
  for (const change of changes) {
    const path = [...prefix, ...change.path.split(".")];
    // Copies the value, because another change may reach into it. JSON leaves out an undefined
    // value.
    for (const [parent, key] of placesAt(body, path, "value" in change))
      parent[key] = jsonCopy(change.value);
  }
  return { ...response, body: JSON.stringify(body) };
}

// Replaces or removes a field of the results.
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { type AnySchema, innermost } from "../../src/models/schema.ts";
import type { ServiceResponse } from "../message.ts";

/** Changes every field a path matches; `*` is each entry of an array or object. */
function changeAt(at: unknown, path: readonly string[], given: { readonly value?: unknown }): void {
  if (at === null || typeof at !== "object") return;
  const [step, ...rest] = path;
  if (step === undefined) return;
  const parent = at as Record<string, unknown>;
  for (const key of step === "*" ? Object.keys(parent) : [step]) {
    if (rest.length) changeAt(parent[key], rest, given);
    else if ("value" in given) parent[key] = given.value;
    else delete parent[key];
  }
}

function schemaHasPath(schema: AnySchema, path: readonly string[], adds: boolean): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  const def = innermost(schema);
  if (def.type !== "array" && def.type !== "object") return false;
  // A value may be set on a new field.
  if (adds && rest.length === 0) return true;
  if (def.type === "array")
    return (step === "*" || /^\d+$/.test(step)) && schemaHasPath(def.element, rest, adds);
  const below = step === "*" ? Object.values(def.shape) : [def.shape[step] ?? []].flat();
  return below.some((field) => schemaHasPath(field, rest, adds));
}

/** Whether results of an operation have a field at the path; where the fault `adds` one, its parent is enough. */
export function hasPath(id: OperationId, path: readonly string[], adds: boolean): boolean {
  const { results, simpleResults }: AnyOperation = operations[id];
  return [results, simpleResults].some((schema) => schema && schemaHasPath(schema, path, adds));
}

/** Changes a field of a successful response; other responses have no results. */
export function setField(
  operation: OperationId,
  response: ServiceResponse,
  path: string,
  given: { readonly value?: unknown },
): ServiceResponse {
  if (response.status !== 200) return response;
  const body: unknown = JSON.parse(response.body);
  const prefix = operations[operation].enveloped ? ["results"] : [];
  changeAt(body, [...prefix, ...path.split(".")], given);
  return { ...response, body: JSON.stringify(body) };
}

// Puts another value in the place of a field of the results, or takes the field away.
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { type AnySchema, innermost } from "../../src/models/schema.ts";
import type { ServiceResponse } from "../message.ts";

/** Changes every place the path stands for; `*` is each entry of an array or object. */
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
  // A field that is given a value may be a new one.
  if (adds && rest.length === 0) return true;
  if (def.type === "array")
    return (step === "*" || /^\d+$/.test(step)) && schemaHasPath(def.element, rest, adds);
  const below = step === "*" ? Object.values(def.shape) : [def.shape[step] ?? []].flat();
  return below.some((field) => schemaHasPath(field, rest, adds));
}

/** Whether answers of an operation have what a path stands for, or, where it `adds`, have a place for it. */
export function hasPath(id: OperationId, path: readonly string[], adds: boolean): boolean {
  const { results, simpleResults }: AnyOperation = operations[id];
  return [results, simpleResults].some((schema) => schema && schemaHasPath(schema, path, adds));
}

/** A success with a field changed; other replies have no results and stay as they are. */
export function setField(
  reply: ServiceResponse,
  path: string,
  given: { readonly value?: unknown },
): ServiceResponse {
  if (reply.status !== 200 || reply.operation === undefined) return reply;
  const answer: unknown = JSON.parse(reply.body);
  const prefix = operations[reply.operation].enveloped ? ["results"] : [];
  changeAt(answer, [...prefix, ...path.split(".")], given);
  return { ...reply, body: JSON.stringify(answer) };
}

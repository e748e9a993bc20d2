// Finds the operation of a path, with a tree of path segments built from the contract.
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { distance } from "../suggest.ts";

export interface Route {
  readonly id: OperationId;
  readonly operation: AnyOperation;
  /** The names of the path's parameters, in order. */
  readonly names: readonly string[];
}

interface RouteNode {
  readonly literals: Map<string, RouteNode>;
  /** The node of a path parameter. */
  parameter?: RouteNode;
  /** By method. */
  readonly routes: Map<string, Route>;
}

const createNode = (): RouteNode => ({ literals: new Map(), routes: new Map() });

const segmentsOf = (path: string): string[] => path.split("/").slice(1);
const isParameter = (segment: string): boolean => segment.startsWith("{");

/** A matched path: its routes by method, and the values of its parameters. */
export interface RouteMatch {
  readonly routes: ReadonlyMap<string, Route>;
  readonly values: readonly string[];
}

const all = Object.entries(operations) as readonly (readonly [OperationId, AnyOperation])[];

const root = createNode();
for (const [id, operation] of all) {
  let at = root;
  const names: string[] = [];
  for (const segment of segmentsOf(operation.path)) {
    if (isParameter(segment)) {
      names.push(segment.slice(1, -1));
      at.parameter ??= createNode();
      at = at.parameter;
    } else {
      const next: RouteNode = at.literals.get(segment) ?? createNode();
      at.literals.set(segment, next);
      at = next;
    }
  }
  at.routes.set(operation.method, { id, operation, names });
}

/** The routes at the end of the segments from `index` on; literals take precedence over parameters, and a parameter is never empty. Adds the values of parameters. */
function walk(
  from: RouteNode,
  segments: readonly string[],
  index: number,
  values: string[],
): RouteMatch["routes"] | undefined {
  const segment = segments[index];
  if (segment === undefined) return from.routes.size ? from.routes : undefined;
  const word = from.literals.get(segment);
  const found = word && walk(word, segments, index + 1, values);
  if (found || from.parameter === undefined || segment === "") return found;
  const parameter = values.push(segment);
  const below = walk(from.parameter, segments, index + 1, values);
  if (below === undefined) values.length = parameter - 1;
  return below;
}

/** The longest path of the contract has six segments; far longer ones are not matched. */
const maxSegments = 16;

/** The routes of a path without its query, if it has any. */
export function findRoute(path: string): RouteMatch | undefined {
  // The first is what precedes the first slash.
  const segments = path.split("/");
  if (segments.length > maxSegments + 1) return undefined;
  const values: string[] = [];
  const routes = walk(root, segments, 1, values);
  return routes && { routes, values };
}

/** The route of a request, by method and target (path and query), if there is one. */
export function routeOf(method: string, target: string): Route | undefined {
  const [path = ""] = target.split("?", 1);
  return findRoute(path)?.routes.get(method);
}

/** The operation with the most similar path, for error messages; parameters match anything. */
export function nearestOperation(path: string): AnyOperation | undefined {
  const segments = segmentsOf(path.slice(0, 300)).filter((segment) => segment !== "");
  let best: AnyOperation | undefined;
  let smallest = 7;
  for (const [, operation] of all) {
    const template = segmentsOf(operation.path);
    if (template.length !== segments.length) continue;
    let away = 0;
    for (const [index, word] of template.entries())
      if (!isParameter(word)) away += distance(word, (segments[index] ?? "").slice(0, 64));
    if (away < smallest) {
      best = operation;
      smallest = away;
    }
  }
  return best;
}

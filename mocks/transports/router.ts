// Which operation a path stands for: a tree of path segments, grown from the contract.
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
  /** Where a parameter stands. */
  parameter?: RouteNode;
  /** By method. */
  readonly routes: Map<string, Route>;
}

const createNode = (): RouteNode => ({ literals: new Map(), routes: new Map() });

const segmentsOf = (path: string): string[] => path.split("/").slice(1);
const isParameter = (segment: string): boolean => segment.startsWith("{");

/** A path found: the routes by method, and the texts that stand where parameters are. */
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

/** A word that the tree knows goes before a parameter; a parameter is never empty. */
function walk(from: RouteNode, segments: readonly string[], index: number): RouteMatch | undefined {
  const segment = segments[index];
  if (segment === undefined)
    return from.routes.size ? { routes: from.routes, values: [] } : undefined;
  const word = from.literals.get(segment);
  const found = word && walk(word, segments, index + 1);
  if (found || from.parameter === undefined || segment === "") return found;
  const below = walk(from.parameter, segments, index + 1);
  return below && { routes: below.routes, values: [segment, ...below.values] };
}

/** The longest path of the contract has six segments; what is far longer is not looked at. */
const maxSegments = 16;

/** The routes of a path (without its query), if it has any. */
export function findRoute(path: string): RouteMatch | undefined {
  const segments = segmentsOf(path);
  return segments.length > maxSegments ? undefined : walk(root, segments, 0);
}

/** The route of a request, by its method and its target (path and query), if an operation takes it. */
export function routeOf(method: string, target: string): Route | undefined {
  const [path = ""] = target.split("?", 1);
  return findRoute(path)?.routes.get(method);
}

/** The operation whose path is nearest to one that has none, for the message; parameters fit anything. */
export function nearestOperation(path: string): AnyOperation | undefined {
  const segments = segmentsOf(path.slice(0, 300)).filter((segment) => segment !== "");
  let best: AnyOperation | undefined;
  let least = 7;
  for (const [, operation] of all) {
    const template = segmentsOf(operation.path);
    if (template.length !== segments.length) continue;
    let away = 0;
    for (const [index, word] of template.entries())
      if (!isParameter(word)) away += distance(word, (segments[index] ?? "").slice(0, 64));
    if (away < least) {
      best = operation;
      least = away;
    }
  }
  return best;
}

// Finds the operation of a path, with a tree of path segments built from a table of operations.
import type { AnyOperation } from "../../src/contract/index.ts";
import { distance } from "../input/suggest.ts";
import { type OperationTable, ServiceError } from "../message/api.ts";

export interface Route<Id extends string> {
  readonly id: Id;
  readonly operation: AnyOperation;
  /** The names of the path's parameters, in order. */
  readonly names: readonly string[];
}

/** A route, and the values of its path's parameters. */
export interface RouteMatch<Id extends string> {
  readonly route: Route<Id>;
  readonly values: readonly string[];
}

interface RouteNode<Id extends string> {
  readonly literals: Map<string, RouteNode<Id>>;
  /** The node of a path parameter. */
  parameter?: RouteNode<Id>;
  /** By method. */
  readonly routes: Map<string, Route<Id>>;
}

const segmentsOf = (path: string): string[] => path.split("/").slice(1);
const isParameter = (segment: string): boolean => segment.startsWith("{");

/** The routes of a table of operations. */
export class Router<Id extends string> {
  readonly #root = createNode<Id>();
  readonly #operations: readonly AnyOperation[];
  readonly #formerly: (path: string) => string | undefined;

  /** `formerly`: where what was once at a path is now. */
  constructor(
    operations: OperationTable<Id>,
    formerly: (path: string) => string | undefined = () => undefined,
  ) {
    this.#formerly = formerly;
    this.#operations = Object.values(operations);
    for (const id of Object.keys(operations) as Id[]) this.#add(id, operations[id]);
  }

  #add(id: Id, operation: AnyOperation): void {
    let at = this.#root;
    const names: string[] = [];
    for (const segment of segmentsOf(operation.path)) {
      if (isParameter(segment)) {
        names.push(segment.slice(1, -1));
        at.parameter ??= createNode();
        at = at.parameter;
      } else {
        const next = at.literals.get(segment) ?? createNode<Id>();
        at.literals.set(segment, next);
        at = next;
      }
    }
    at.routes.set(operation.method, { id, operation, names });
  }

  /** The route of a request by method and path, if there is one. HEAD has that of GET. */
  match(method: string, path: string): RouteMatch<Id> | undefined {
    const found = this.#walk(path);
    const route = found && routeFor(method, found.routes);
    return route && { route, values: found.values };
  }

  /** The route of a request; throws a {@link ServiceError}, 404 or 405, where there is none. */
  find(method: string, path: string): RouteMatch<Id> {
    const found = this.#walk(path);
    if (found === undefined) throw new ServiceError(404, this.#unknownPath(method, path));
    const route = routeFor(method, found.routes);
    if (route !== undefined) return { route, values: found.values };
    const methods = [...found.routes.keys()];
    const message = `expected ${methods.join(", ")}, received ${method.slice(0, 20)}`;
    const allowed = methods.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : one));
    throw new ServiceError(405, message, null, { allow: allowed.join(", ") });
  }

  #walk(path: string) {
    // The first is what precedes the first slash.
    const segments = path.split("/");
    const values: string[] = [];
    const routes = walk(this.#root, segments, 1, values);
    return routes && { routes, values };
  }

  #unknownPath(method: string, path: string): string {
    const near = this.#nearest(path);
    const former = this.#formerly(path);
    const hint = former
      ? `; ${former}`
      : near
        ? `; did you mean ${near.id}, ${near.method} ${near.path}?`
        : "";
    return `no operation at ${method.slice(0, 20)} ${path.slice(0, 200)}${hint}`;
  }

  /** The operation with the most similar path: at most half of its letters differ; parameters match anything. */
  #nearest(path: string): AnyOperation | undefined {
    const segments = segmentsOf(path).filter((segment) => segment !== "");
    let best: AnyOperation | undefined;
    let smallest = 0.5;
    for (const operation of this.#operations) {
      const template = segmentsOf(operation.path);
      if (template.length !== segments.length) continue;
      let away = 0;
      let letters = 0;
      for (const [index, word] of template.entries()) {
        if (isParameter(word)) continue;
        away += distance(word, (segments[index] ?? "").slice(0, 64));
        letters += word.length;
      }
      if (away <= smallest * letters) {
        best = operation;
        smallest = away / letters;
      }
    }
    return best;
  }
}

const createNode = <Id extends string>(): RouteNode<Id> => ({
  literals: new Map(),
  routes: new Map(),
});

const routeFor = <Id extends string>(
  method: string,
  routes: ReadonlyMap<string, Route<Id>>,
): Route<Id> | undefined => routes.get(method === "HEAD" ? "GET" : method);

/** The routes at the end of the segments from `index` on; literals take precedence over parameters, and a parameter is never empty. Adds the values of parameters. */
function walk<Id extends string>(
  from: RouteNode<Id>,
  segments: readonly string[],
  index: number,
  values: string[],
): ReadonlyMap<string, Route<Id>> | undefined {
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

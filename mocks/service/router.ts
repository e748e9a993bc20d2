// Finds the operation of a request by method and path, from a table of operations.
import type { AnyOperation } from "../../src/contract/index.ts";
import { distance } from "../../src/models/suggest.ts";
import { type OperationTable, ServiceError } from "../message/api.ts";

/** An operation, and the values of its path's parameters. */
export interface RouteMatch {
  readonly id: string;
  readonly operation: AnyOperation;
  /** The parameters of the path as they came, in order. */
  readonly values: readonly string[];
}

/** All operations at one path. */
interface Template {
  readonly segments: readonly string[];
  /** `0` for a literal and `1` for a parameter, so that sorting puts literals first. */
  readonly rank: string;
  readonly byMethod: Map<string, { readonly id: string; readonly operation: AnyOperation }>;
}

const segmentsOf = (path: string): string[] => path.split("/").slice(1);
const isParameter = (segment: string): boolean => segment.startsWith("{");

/** The path of a target, which may have a query. */
export const pathOf = (target: string): string => {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
};

export class Router {
  /** Templates by number of segments. In each list, literals take precedence over parameters. */
  readonly #templates = new Map<number, Template[]>();
  readonly #operations: readonly AnyOperation[];

  constructor(operations: OperationTable) {
    this.#operations = Object.values(operations);
    for (const [id, operation] of Object.entries(operations)) this.#add(id, operation);
  }

  #add(id: string, operation: AnyOperation): void {
    const segments = segmentsOf(operation.path);
    const pattern = segments.map((segment) => (isParameter(segment) ? "{}" : segment)).join("/");
    const templates = this.#templates.get(segments.length) ?? [];
    this.#templates.set(segments.length, templates);
    let template = templates.find(({ rank }) => rank.endsWith(` ${pattern}`));
    if (template === undefined) {
      const rank = `${segments.map((segment) => +isParameter(segment)).join("")} ${pattern}`;
      template = { segments, rank, byMethod: new Map() };
      templates.push(template);
      templates.sort((left, right) => (left.rank < right.rank ? -1 : 1));
    }
    template.byMethod.set(operation.method, { id, operation });
  }

  /** Returns the operation of a request, if there is one. HEAD uses the operation of GET. */
  match(method: string, path: string): RouteMatch | undefined {
    const segments = segmentsOf(path);
    const template = this.#templateOf(segments);
    const route = template?.byMethod.get(method === "HEAD" ? "GET" : method);
    if (template === undefined || route === undefined) return undefined;
    const values = segments.filter((_, index) => isParameter(template.segments[index] ?? ""));
    return { ...route, values };
  }

  /**
   * Returns the operation of a request. Throws a {@link ServiceError}, 404 or 405, if there is
   * none.
   */
  find(method: string, path: string): RouteMatch {
    const match = this.match(method, path);
    if (match !== undefined) return match;
    const template = this.#templateOf(segmentsOf(path));
    if (template === undefined)
      throw new ServiceError(
        404,
        `no operation at ${method.slice(0, 20)} ${path.slice(0, 200)}${this.#hint(path)}`,
      );
    const methods = [...template.byMethod.keys()];
    const allow = methods.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : name));
    const message = `expected ${methods.join(", ")}, received ${method.slice(0, 20)}`;
    throw new ServiceError(405, message, null, { allow: allow.join(", ") });
  }

  /** Returns the first template that matches. A parameter matches any segment that is not empty. */
  #templateOf(segments: readonly string[]): Template | undefined {
    return this.#templates
      .get(segments.length)
      ?.find((template) =>
        template.segments.every((word, index) =>
          isParameter(word) ? segments[index] !== "" : word === segments[index],
        ),
      );
  }

  /**
   * Suggests what to change: the base URL, or the path, if at most half of its letters differ from
   * an operation's.
   */
  #hint(path: string): string {
    const [prefix = ""] = segmentsOf(this.#operations[0]?.path ?? "");
    const fits = (candidate: string) => this.#templateOf(segmentsOf(candidate)) !== undefined;
    if (
      fits(`/${prefix}${path}`) ||
      (path.startsWith(`/${prefix}/`) && fits(path.slice(prefix.length + 1)))
    )
      return `; paths begin with /${prefix} once: leave it out of the base URL`;
    const segments = segmentsOf(path).filter((segment) => segment !== "");
    const [nearest] = this.#operations
      .map((operation) => ({ operation, words: segmentsOf(operation.path) }))
      .filter(({ words }) => words.length === segments.length)
      .map(({ operation, words }) => {
        const isLiteral = (_: string, index: number) => !isParameter(words[index] ?? "");
        const literals = words.filter(isLiteral).join("/");
        const received = segments.filter(isLiteral).join("/").slice(0, MAX_COMPARED);
        return { operation, share: distance(literals, received) / literals.length };
      })
      .sort((left, right) => left.share - right.share);
    if (nearest === undefined || nearest.share > 0.5) return "";
    const { id, method, path: template } = nearest.operation;
    return `; did you mean ${id}, ${method} ${template}?`;
  }
}

/** Maximum number of letters compared, because the time grows with their number. */
const MAX_COMPARED = 200;

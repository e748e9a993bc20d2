// The door for MSW: a handler for each operation, and one for everything else below the base address.
import type { HttpHandler } from "msw";
import { type OperationId, operations } from "../../src/contract/index.ts";
import type { Answer } from "./core.ts";
import { questionOf, targetBelow } from "./request.ts";
import { responseOf } from "./response.ts";
import { find } from "./routes.ts";

/** MSW's handlers, by the number of the operation. */
export type Handlers = { readonly [Id in OperationId]: HttpHandler };

interface Run {
  readonly request: Request;
  readonly requestId: string;
}

/**
 * What MSW asks of a request handler, and no more. It is not a subclass of MSW's, so that nothing here needs MSW
 * installed (it is an optional peer), and so that finding the operation is one walk instead of a pattern each.
 */
class ServiceHandler {
  readonly kind = "request";
  readonly info: { readonly header: string; readonly method: string; readonly path: string };
  isUsed = false;
  readonly #base: string;
  readonly #answer: Answer;
  readonly #takes: (method: string, path: string) => boolean;

  constructor(
    base: string,
    answer: Answer,
    method: string,
    path: string,
    takes: (method: string, path: string) => boolean,
  ) {
    this.info = { header: `${method} ${base}${path}`, method, path: `${base}${path}` };
    this.#base = base;
    this.#answer = answer;
    this.#takes = takes;
  }

  async run({ request, requestId }: Run) {
    const target = this.#target(request);
    if (target === undefined) return null;
    this.isUsed = true;
    // The copy stays readable for logs and listeners.
    const copy = request.clone();
    const reply = await this.#answer(await questionOf(request, target));
    // MSW itself ends a request that its sender has given up.
    if (reply.delivery?.kind === "never") return new Promise<never>(() => {});
    const response =
      reply.delivery?.kind === "reset" ? Response.error() : responseOf(reply, request.signal);
    return { handler: this, request: copy, requestId, response, parsedResult: {} };
  }

  /** What the request asks for, if it is for this handler. */
  #target(request: Request): string | undefined {
    const target = targetBelow(this.#base, request.url);
    if (target === undefined) return undefined;
    const [path = ""] = target.split("?", 1);
    return this.#takes(request.method, path) ? target : undefined;
  }

  async test({ request }: { readonly request: Request }): Promise<boolean> {
    return this.#target(request) !== undefined;
  }
  async predicate({ request }: { readonly request: Request }): Promise<boolean> {
    return this.test({ request });
  }
  async parse() {
    return {};
  }
  log(): void {}
  reset(): void {}
  restore(): void {}
  dispose(): void {}
}

/** The one place where a handler is said to be MSW's: its class has private parts that only types know. */
const asMsw = (handler: ServiceHandler): HttpHandler => handler as unknown as HttpHandler;

/** Whether a handler is one of the service's: what it breaks, it breaks on purpose. */
export const isOurs = (handler: object): boolean => handler instanceof ServiceHandler;

/** The handlers by operation. */
export function createOperationHandlers(base: string, answer: Answer): Handlers {
  const entries = Object.values(operations).map(({ id, method, path }) => {
    const takes = (asked: string, at: string) => find(at)?.routes.get(asked)?.id === id;
    return [id, asMsw(new ServiceHandler(base, answer, method, path, takes))] as const;
  });
  return Object.fromEntries(entries) as Handlers;
}

/** Whether a page asks the explorer under its own origin: there, what is not below `/v1` is the page's. */
const sharesOrigin = (base: string): boolean =>
  (globalThis as { location?: { origin: string } }).location?.origin === new URL(base).origin;

/** Answers what no operation takes, as the service does: 404, 405. */
export function createFallbackHandler(base: string, answer: Answer): HttpHandler {
  const within = sharesOrigin(base) ? "/v1/" : "/";
  const takes = (_: string, path: string) => path.startsWith(within);
  return asMsw(new ServiceHandler(base, answer, "ALL", `${within}*`, takes));
}

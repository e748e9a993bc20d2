// Answers that a test puts in the service's place (`server.use`) are checked against the contract like its own.
import type { AnyHandler, RequestHandler } from "msw";
import { answerViolation, type ConformanceError } from "./conformance.ts";
import type { Explorer } from "./explorer.ts";
import { isOurs } from "./handlers.ts";
import { refusal } from "./message.ts";
import { targetBelow } from "./request.ts";
import { responseOf } from "./response.ts";
import { find } from "./routes.ts";

/** What is wrong with a response to a request, if it is one of the service's and breaks the contract. */
async function violationOf(
  base: string,
  request: Request,
  response: Response,
): Promise<ConformanceError | undefined> {
  const target = targetBelow(base, request.url);
  const [path = "", query = ""] = target?.split("?") ?? [];
  const route = find(path)?.routes.get(request.method);
  // A broken connection (status 0) is no answer.
  if (route === undefined || response.status === 0) return undefined;
  const text = await response.clone().text();
  const simple = new URLSearchParams(query).get("simple") === "true";
  const { status, headers } = response;
  return answerViolation(route.id, status, headers.get("content-type"), text, simple);
}

/** The handler, with its answers checked where the explorer wants them to be. */
function policed(explorer: Explorer, handler: AnyHandler): AnyHandler {
  const { conformance, baseUrl } = explorer;
  if (conformance === undefined || handler.kind !== "request" || isOurs(handler)) return handler;
  const run: RequestHandler["run"] = async (asked) => {
    const result = await handler.run(asked);
    if (!result?.response) return result;
    const violation = await violationOf(baseUrl, asked.request, result.response);
    if (violation === undefined) return result;
    explorer.report(violation);
    if (conformance === "warn") return result;
    return {
      ...result,
      response: responseOf(refusal(500, violation.message), asked.request.signal),
    };
  };
  return new Proxy(handler, {
    get: (target, name) => {
      if (name === "run") return run;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

interface Network {
  use(...handlers: AnyHandler[]): void;
}

/** Makes `use` check what it is given, on behalf of the explorer whose test uses it. */
export function policeOverrides(network: Network, explorerNow: () => Explorer): void {
  const use = network.use.bind(network);
  network.use = (...handlers) => {
    const explorer = explorerNow();
    use(...handlers.map((handler) => policed(explorer, handler)));
  };
}

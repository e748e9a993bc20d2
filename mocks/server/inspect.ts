// `/inspect` of a served explorer: what its page asks, for readers with an api-key and of no other origin.
import type { Explorer } from "../explorer.ts";
import { findView, inspect } from "../inspect/inspect.ts";
import type { AnswerWireOf } from "../inspect/views.ts";
import { errorResponse, type ServiceResponse, successResponse } from "../message.ts";
import { ServiceError } from "../operations/handler.ts";
import { apiKeyOf, INCOMPLETE } from "../transports/dispatcher.ts";
import { internalError } from "../transports/internal-error.ts";
import { splitTarget } from "../transports/query.ts";
import { checkOrigin } from "./access.ts";
import { ConnectionClosed, type IncomingRequest } from "./request.ts";

/** The prefix of its paths. */
const root = "/inspect/";

/** Below this, the operations of `/v1` answer, without faults and journal. */
const observed = "/inspect/v1/";

/** Whether a target is below `/inspect`: no other origin may read the response. */
export const isBelowInspect = (target: string): boolean => target.startsWith(root);

/** Nothing keeps what changes with the next block, and nothing takes JSON for something else. */
const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

/** Responds to a request below `/inspect/`. */
export type Inspect = (request: IncomingRequest) => Promise<ServiceResponse>;

function toErrorResponse(error: unknown): ServiceResponse {
  if (error instanceof ConnectionClosed) throw error;
  if (error instanceof ServiceError)
    return errorResponse(error.status, error.message, error.results, error.headers);
  return internalError(error);
}

function assertReading(method: string): void {
  if (method === "GET" || method === "HEAD") return;
  throw new ServiceError(405, `expected GET, HEAD, received ${method.slice(0, 20)}`, null, {
    allow: "GET, HEAD",
  });
}

/** The explorer of a request's api-key, as for `/v1`. */
function explorerFor(explorer: Explorer, request: IncomingRequest): Explorer {
  const apiKey = apiKeyOf(request);
  if (apiKey === undefined) throw new ServiceError(401, "api-key: the header is missing");
  return explorer.tenant(apiKey);
}

export function createInspect(explorer: Explorer, { admin }: { readonly admin: boolean }): Inspect {
  const { keysListed, tenants, verifier } = explorer.terms;
  const access: AnswerWireOf<"access"> = { keys_listed: keysListed, tenants, admin, verifier };

  async function answer(request: IncomingRequest): Promise<ServiceResponse> {
    const { method, target } = request;
    checkOrigin(request, "/inspect");
    if (target.startsWith(observed)) {
      if (request.hasBody) await request.readBody();
      return explorer.observe({
        method,
        target: target.slice(root.length - 1),
        headers: request.headers,
        body: request.body,
      });
    }
    assertReading(method);
    const [path, query] = splitTarget(target);
    const { name, inPath } = findView(path);
    if (name === "access") return successResponse(JSON.stringify(access), true);
    const view = await inspect(explorerFor(explorer, request), name, inPath, query);
    const response = successResponse(JSON.stringify(view.results), true);
    if (!view.incomplete) return response;
    return { ...response, headers: { ...response.headers, ...INCOMPLETE } };
  }

  return async (request) => {
    const response = await answer(request).catch(toErrorResponse);
    return { ...response, headers: { ...response.headers, ...headers } };
  };
}

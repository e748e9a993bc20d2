// The admin API of a served explorer, for those who have its token.
import { ImpossibleError } from "../builder/index.ts";
import { decimalJson } from "../decimal-json.ts";
import type { Explorer } from "../explorer.ts";
import { FaultError } from "../faults/index.ts";
import { errorResponse, type ServiceResponse } from "../message.ts";
import { ServiceError } from "../operations/handler.ts";
import { apiKeyOf } from "../transports/dispatcher.ts";
import { internalError } from "../transports/internal-error.ts";
import { splitTarget } from "../transports/query.ts";
import { createAdminCheck } from "./access.ts";
import { type Action, createActions } from "./admin-actions.ts";
import { ConnectionClosed, type IncomingRequest } from "./request.ts";

/** The prefix of its paths; the service's own all begin with `/v1`. */
const root = "/admin/";

/** Whether a target is the admin API's, on or off: no other origin may read the response. */
export const isBelowAdmin = (target: string): boolean => target.startsWith(root);

/** Responds to a request below `/admin/`. */
export type Admin = (request: IncomingRequest) => Promise<ServiceResponse>;

/** Amounts and block numbers are decimal strings, as everywhere on the wire. */
const jsonResponse = (value: unknown): ServiceResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: decimalJson(value) ?? "{}",
});

function toErrorResponse(error: unknown): ServiceResponse {
  if (error instanceof ConnectionClosed) throw error;
  if (error instanceof ServiceError) return errorResponse(error.status, error.message);
  if (error instanceof FaultError || error instanceof ImpossibleError)
    return errorResponse(400, error.message);
  return internalError(error);
}

/** With tenants, the api-key selects the explorer. */
export function createAdmin(explorer: Explorer, token: string): Admin {
  const checkAdmin = createAdminCheck(token);
  const actions: Readonly<Record<string, Action>> = createActions();

  async function act(request: IncomingRequest): Promise<ServiceResponse> {
    checkAdmin(request);
    const { method, target } = request;
    const [path, query] = splitTarget(target.slice(root.length));
    const [, id] = /^faults\/(.*)$/.exec(path) ?? [];
    const name = `${method} ${id === undefined ? path : "faults/{id}"}`;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined)
      throw new ServiceError(
        404,
        `no action ${method} ${path.slice(0, 200)}; there are ${Object.keys(actions).join(", ")}`,
      );
    if (request.hasBody) await request.readBody();
    const apiKey = apiKeyOf(request);
    const tenant = apiKey === undefined ? explorer : explorer.tenant(apiKey);
    return jsonResponse((await action(tenant, request, { id: id ?? "", query })) ?? {});
  }

  return (request) => act(request).catch(toErrorResponse);
}

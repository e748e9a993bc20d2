// CORS, the same behind MSW as on a port, because browsers and DOM environments send preflights to
// both.
import type { ServiceRequest, ServiceResponse } from "../message/message.ts";

/**
 * Lets every page read the responses (S19). Lists names as well, because jsdom does not support `*`
 * here.
 */
export const cors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*, allow, head-state, internal-transactions, retry-after",
} as const;

/** Whether a request is a CORS preflight. */
export const isPreflight = ({ method, headers }: Pick<ServiceRequest, "method" | "headers">) =>
  method === "OPTIONS" && headers["access-control-request-method"] !== undefined;

/** Permits the request that a preflight announces. */
export const preflight = ({ headers }: ServiceRequest): ServiceResponse => ({
  status: 204,
  headers: {
    ...cors,
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": `${headers["access-control-request-headers"] ?? "*, api-key, content-type"}`,
    "access-control-max-age": "86400",
  },
  body: "",
});

// A proxy in a worker, as on Cloudflare. A worker receives its bindings, the explorer's URL and the
// API key, only with a request.
import { createProxyHandler } from "mrc-explorer/proxy";

type Env = Readonly<Record<"EXPLORER_BASE_URL" | "EXPLORER_API_KEY", string>>;
let handler: ReturnType<typeof createProxyHandler> | undefined;

export default {
  fetch(request: Request, { EXPLORER_BASE_URL: baseUrl, EXPLORER_API_KEY: apiKey }: Env) {
    handler ??= createProxyHandler({ baseUrl, apiKey });
    return handler(request);
  },
};

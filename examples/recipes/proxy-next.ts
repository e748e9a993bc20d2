// app/api/explorer/[...path]/route.ts: a proxy in Next. It adds the API key, which pages never see.
import { createProxyHandler } from "mrc-explorer/proxy";

// Created with the first request: `next build` loads this file without a key.
let handler: ReturnType<typeof createProxyHandler> | undefined;

export function GET(request: Request): Promise<Response> {
  handler ??= createProxyHandler();
  return handler(request);
}
export { GET as OPTIONS, GET as POST };

// src/routes/api/explorer/[...path]/+server.ts: a proxy in SvelteKit. It adds the API key, which
// pages never see.
import { createProxyHandler } from "mrc-explorer/proxy";
import type { RequestHandler } from "./$types";

// Created with the first request: `vite build` loads this file without a key.
let handler: ReturnType<typeof createProxyHandler> | undefined;

export const GET: RequestHandler = ({ request }) => {
  handler ??= createProxyHandler();
  return handler(request);
};
export { GET as OPTIONS, GET as POST };

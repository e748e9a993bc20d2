// A proxy for runtimes that serve what a file exports: `bun run proxy-serve.mts`, or `deno serve
// --allow-env --allow-net proxy-serve.mts`.
import { createProxyHandler } from "mrc-explorer/proxy";

export default {
  fetch: createProxyHandler(),
  port: Number(process.env.PORT ?? 8787),
};

// The example page on Vite's server, from its own folder or from a project of a user.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer, type ViteDevServer } from "vite";

export const dappFolder = fileURLToPath(new URL("../../examples/dapp", import.meta.url));

/** Vite's server for the page in a folder, and its address. */
export async function serveDapp(folder: string): Promise<[ViteDevServer, string]> {
  const server = await createServer({
    configFile: join(folder, "vite.config.ts"),
    cacheDir: join(folder, "../../node_modules/.vite/dapp"),
    server: { port: 0, hmr: false },
    logLevel: "error",
  });
  await server.listen();
  return [server, server.resolvedUrls?.local[0] ?? ""];
}

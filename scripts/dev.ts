// `npm run dev`: an explorer with the demo chain, and its page, which Vite rebuilds as you change
// it. Options: --port N, --rpc URL.
import { parseArgs } from "node:util";
import { createServer } from "vite";
import { createExplorer, followNode, loadDemo, serveExplorer } from "../mocks/node.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "5173" }, rpc: { type: "string" } },
});

const chain = values.rpc === undefined ? await loadDemo() : (await followNode(values.rpc)).chain;
const served = await serveExplorer(createExplorer({ chain }), { admin: true });
const paths = ["/v1", "/inspect", "/admin", "/health", "/etherscan", "/sourcify"];
const vite = await createServer({
  configFile: new URL("../vite.config.ts", import.meta.url).pathname,
  server: {
    port: Number(values.port),
    // The service refuses requests for other hosts and origins, so both name the service itself.
    proxy: Object.fromEntries(
      paths.map((path) => [
        path,
        { target: served.url, changeOrigin: true, headers: { origin: served.url } },
      ]),
    ),
  },
});
await vite.listen();
const [address] = vite.resolvedUrls?.local ?? [];
console.log(`${address}#token=${encodeURIComponent(served.admin.token)}`);

import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );

/** Requests that reached a server on another origin. */
const heard: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
const servers: Server[] = [];

/** A service that has moved: `/away` leads to another origin, `/within` to its own. Returns its origin. */
async function startMoved(): Promise<string> {
  const thief = createServer((request, response) => {
    heard.push({ url: request.url ?? "", headers: request.headers });
    response.writeHead(200, { ...cors, "content-type": "application/json" });
    response.end('{"status":"200","message":"success","results":{"data":{"total_supply":"1"}}}');
  });
  const elsewhere = await listen(thief);
  const moved = createServer((request, response) => {
    if (request.method === "OPTIONS") {
      response.writeHead(204, cors).end();
      return;
    }
    const path = request.url ?? "";
    const location = path.startsWith("/away") ? `${elsewhere}${path}` : "/elsewhere";
    response.writeHead(307, { ...cors, location }).end();
  });
  servers.push(thief, moved);
  return listen(moved);
}

/** An explorer on a port. Returns its address. */
async function startServed(): Promise<string> {
  // Not at the top: every run of vitest loads this file with its configuration.
  const { createExplorer, serveExplorer } = await import("../../mocks/node.ts");
  const { buildSampleChain } = await import("../support/sample-chain.ts");
  const served = await serveExplorer(createExplorer({ chain: buildSampleChain().builder }));
  closing.push(() => served.close({ graceMs: 0 }));
  return served.url;
}

const closing: (() => Promise<void>)[] = [];

const heardElsewhere = (): typeof heard => heard;

async function stopServers(): Promise<void> {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all(closing.splice(0).map((close) => close()));
  heard.length = 0;
}

export const commands = {
  startMoved,
  startServed,
  heardElsewhere,
  stopServers,
};

declare module "vitest/browser" {
  interface BrowserCommands {
    startMoved(): Promise<string>;
    startServed(): Promise<string>;
    heardElsewhere(): Promise<{ url: string; headers: Record<string, string> }[]>;
    stopServers(): Promise<void>;
  }
}

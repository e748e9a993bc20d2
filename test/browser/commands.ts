// What tests in the browser need from the outside: real servers on other origins.
import { createReadStream } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hex } from "../../mocks/chain/records.ts";
import type { Wanted } from "../verify/support.ts";

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

/** What served compilers were asked for. */
const compilersAsked: string[] = [];

/** A server of compilers: `/0.8.28.js` is the soljson file of npm's package. Returns its address. */
async function startCompilers(): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    compilersAsked.push(url);
    const version = /^\/(0\.[\d.]+)\.js$/.exec(url)?.[1];
    const file = new URL(`../../node_modules/solc-${version}/soljson.js`, import.meta.url);
    createReadStream(file)
      .on("error", () => response.writeHead(404).end())
      .once("open", () => response.writeHead(200, { "content-type": "text/javascript" }))
      .pipe(response);
  });
  servers.push(server);
  return listen(server);
}

const askedCompilers = (): string[] => compilersAsked;

/** The code that a deployer sends, and what its constructor returns if it sets these immutables, as solc's own package has them. */
async function compiled(
  _: unknown,
  wanted: Wanted,
  immutable: string,
): Promise<{ creation: Hex; runtime: Hex }> {
  const { compile } = await import("../verify/support.ts");
  const { creation, runtime } = compile(wanted);
  return { creation, runtime: `0x${runtime.slice(2).replaceAll("0".repeat(64), immutable)}` };
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
  compilersAsked.length = 0;
}

export const commands = {
  startMoved,
  startServed,
  startCompilers,
  askedCompilers,
  compiled,
  heardElsewhere,
  stopServers,
};

declare module "vitest/browser" {
  interface BrowserCommands {
    startMoved(): Promise<string>;
    startServed(): Promise<string>;
    startCompilers(): Promise<string>;
    askedCompilers(): Promise<string[]>;
    compiled(
      wanted: Wanted,
      constructorArguments: string,
    ): Promise<{ creation: Hex; runtime: Hex }>;
    heardElsewhere(): Promise<{ url: string; headers: Record<string, string> }[]>;
    stopServers(): Promise<void>;
  }
}

// HEAD on the port: of every operation of every table, and of everything else that GET answers, the same status and headers without a body.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { loadDemo } from "../../mocks/ingest/load-chain.ts";
import { views } from "../../mocks/inspect/views.ts";
import { adminOperations } from "../../mocks/port/admin/operations.ts";
import { etherscanOperations } from "../../mocks/port/etherscan-operations.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/port/server.ts";
import { sourcifyOperations } from "../../mocks/port/sourcify.ts";
import { type AnyOperation, isOptional, operations } from "../../src/contract/index.ts";
import { exchange } from "../support/raw-http.ts";

const chain = await loadDemo({ verified: true });
const [{ address } = { address: "0x" as const }] = chain.verifiedContracts();
const hash = chain.allTransactions({}).at(0).hash;

let served: ServedExplorer;
beforeAll(async () => {
  // The clock stands still, and the journal has an entry.
  const explorer = createExplorer({ chain, now: () => 0 });
  await explorer.fetch(`${explorer.baseUrl}/v1/blocks/7`, { headers: { "api-key": "k" } });
  served = await serveExplorer(explorer, { admin: true });
});
afterAll(() => served.close({ graceMs: 0 }));

/** A value for a parameter, by its name. */
function sampleOf(name: string): string {
  if (/hash(es)?$/.test(name) && !/contract|address/.test(name)) return hash;
  if (name === "calls") return `${address}.0xa9059cbb`;
  if (name === "chainId") return `${chain.chainId}`;
  return /address|contract|account|holder/.test(name) ? address : "1";
}

/** The target of an operation, with the parameters that it needs. */
function targetOf({ path, places, input }: AnyOperation): string {
  const needed = places.query.filter((name) => !isOptional(input.shape[name]));
  const query = needed.map((name) => `${name}=${sampleOf(name)}`).join("&");
  return `${path.replace(/\{(\w+)\}/g, (_, name: string) => sampleOf(name))}?${query}`;
}

const all = [operations, views, adminOperations, sourcifyOperations];
const isRead = ({ method }: AnyOperation) => method === "GET";
const read = all.flatMap((table): AnyOperation[] => Object.values(table)).filter(isRead);
const etherscan = Object.values<AnyOperation>(etherscanOperations)
  .filter(isRead)
  .map((operation) => {
    const [path = "", query] = targetOf(operation).split("?");
    const [, , module, action] = path.split("/");
    return `/etherscan/api?module=${module}&action=${action}&${query}`;
  });
const targets = [
  ...read.map(targetOf),
  ...etherscan,
  ...[
    "/health",
    "/",
    "/page/page.js",
    "/admin/openapi.json",
    "/openapi.json",
    "/v1/blocks/x",
    "/v1/blocks/999999",
  ],
];

/** Status line and headers, and the body. */
async function ask(method: string, target: string): Promise<[head: string, body: string]> {
  const lines = ["host: localhost", "api-key: k", `admin-token: ${served.admin?.token}`];
  const end = ["accept: text/html", "connection: close", "", ""];
  const received = await exchange(
    served.port,
    [`${method} ${target} HTTP/1.1`, ...lines, ...end].join("\r\n"),
  );
  const cut = received.indexOf("\r\n\r\n");
  return [received.slice(0, cut).replace(/^date: .*$/im, ""), received.slice(cut + 4)];
}

test("is answered as GET, without a body", async () => {
  const statuses: Record<string, number> = {};
  for (const target of targets) {
    const [got, body] = await ask("GET", target);
    expect([target, ...(await ask("HEAD", target))]).toEqual([target, got, ""]);
    const [, status = ""] = got.split(" ");
    expect([target, body.length > 0]).toEqual([target, true]);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  // The requests make sense: most of them are answered.
  expect(statuses[200]).toBeGreaterThan(targets.length * 0.75);
});

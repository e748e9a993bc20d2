// What the service costs: a port against plain node:http, `mock.fetch` against MSW's interception, the start.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { setupServer } from "msw/node";
import { afterAll, expect, test } from "vitest";
import { createExplorer } from "../../mocks/double/explorer.ts";
import { createHandlers } from "../../mocks/double/msw/handlers.ts";
import { loadDemo } from "../../mocks/double/sources/ingest/load-chain.ts";
import { serveExplorer } from "../../mocks/workbench/port/server.ts";
import { knownIn } from "../support/requests.ts";
import { measure, type Subject, start, stop } from "./load.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const chain = await loadDemo();
const { accounts, transactions } = knownIn(chain);
const busiest = accounts.reduce((most, address) => {
  const count = (of: typeof most) => chain.transactions(of, "all", {}).count;
  return count(address) > count(most) ? address : most;
});
const trivial = "/v1/blocks/7";
const status = `/v1/transactions/${transactions[0]?.hash}/transaction-status`;
const page = `/v1/accounts/${busiest}/transactions?limit=50`;
const [token] = chain
  .tokens()
  .map(({ address }) => ({ address, ...chain.logs({ address, topics: [], operand: "and" }) }))
  .sort((one, other) => other.count - one.count);
const logs = `/v1/event-logs?address=${token?.address}&limit=50`;
const targets = {
  "trivial (B1)": trivial,
  "a status (X1)": status,
  "a page of 50 (A2)": page,
  "a page of 50 logs (L1)": logs,
};

const subjects: Subject[] = [];
afterAll(async () => {
  await Promise.all(subjects.map(stop));
});
const started = async (...given: Parameters<typeof start>) => {
  const subject = await start(...given);
  subjects.push(subject);
  return subject;
};

test("requests on a port, against a node:http switch with the same bytes", async () => {
  const program = `${root}/test/bench/served.ts`;
  const plain = await started("node:http", process.execPath, [
    program,
    "switch",
    ...Object.values(targets),
  ]);
  const ours = await started("explorer", process.execPath, [program, "explorer"]);
  const asked = [
    { subject: plain, requests: 20_000 },
    { subject: ours, requests: 20_000 },
  ];
  for (const [name, target] of Object.entries(targets)) {
    const [reference, explorer] = await measure(asked, target);
    const cpu = explorer?.cpuMicroseconds ?? Number.NaN;
    console.info(name, {
      "node:http": reference,
      explorer,
      "explorer / node:http": (reference?.cpuMicroseconds ?? Number.NaN) / cpu,
    });
    expect(cpu).toBeGreaterThan(0);
  }
  const [reference, explorer] = await measure(asked, trivial, 7, 100);
  console.info("B1, 100 requests pipelined", { "node:http": reference, explorer });
  expect(explorer?.cpuMicroseconds).toBeGreaterThan(0);
}, 600_000);

test("mock.fetch, MSW's interception, a port", async ({ bench }) => {
  const mock = createExplorer({ chain });
  const served = await serveExplorer(mock);
  const init = { headers: { "api-key": "k" } };
  const server = setupServer(...createHandlers(mock));
  server.listen({ onUnhandledFrame: "bypass" });
  const read = async (ask: typeof fetch, url: string) => {
    await (await ask(url, init)).text();
  };
  await bench.compare(
    bench("mock.fetch", () => read(mock.fetch, `${mock.baseUrl}${trivial}`)),
    bench("MSW", () => read(fetch, `${mock.baseUrl}${trivial}`)),
    { time: 1000 },
  );
  server.close();
  await bench("fetch of a port", () => read(fetch, `${served.url}${trivial}`)).run({ time: 500 });
  await served.close();
});

test("from nothing to the first answer, with the demo chain", async ({ bench }) => {
  const program = `
    import { createExplorer, loadDemo, serveExplorer } from "${root}/mocks/node.ts";
    const from = performance.now();
    const served = await serveExplorer(createExplorer({ chain: await loadDemo() }));
    await (await fetch(served.url + "${trivial}", { headers: { "api-key": "k" } })).text();
    console.log(performance.now() - from);
    process.exit();`;
  const times = Array.from({ length: 5 }, () =>
    Number(
      spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })
        .stdout,
    ),
  );
  console.info(
    `from createExplorer to the first answer: ${Math.min(...times).toFixed(0)} ms, best of 5 fresh processes`,
  );
  await bench("load the demo chain and answer", async () => {
    const mock = createExplorer({ chain: await loadDemo() });
    await mock.fetch(`${mock.baseUrl}${trivial}`, { headers: { "api-key": "k" } });
  }).run({ time: 500, iterations: 5 });
});

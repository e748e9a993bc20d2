// What a request costs the explorer: on a port, against plain node:http with the same bytes, and in
// process.
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { listChain } from "./list-chain.ts";
import { measure, start, stop } from "./load.ts";
import { median } from "./median.ts";

const { chain, targets } = listChain();

const program = fileURLToPath(new URL("served.ts", import.meta.url));
const servers = await Promise.all([
  start(program, "switch", ...Object.values(targets).flat()),
  start(program, "explorer"),
]);
afterAll(async () => {
  await Promise.all(servers.map(stop));
});

test("each list on a port, pages that differ and one page again, against node:http", async () => {
  const figures: Record<string, object> = {};
  for (const [id, pages] of Object.entries(targets)) {
    const [plain = Number.NaN, first = Number.NaN] = await measure(servers, pages);
    const [, again = Number.NaN] = await measure(servers, pages.slice(0, 1));
    expect(first).toBeGreaterThan(0);
    figures[id] = {
      "node:http, µs": Math.round(plain),
      "explorer, µs": Math.round(first),
      "again, µs": Math.round(again),
      speed: (plain / first).toFixed(2),
    };
  }
  console.table(figures);
}, 600_000);

test("mock.fetch: a block, and a page of each list", { timeout: 600_000 }, async () => {
  const mock = createExplorer({ chain });
  const figures: Record<string, number> = {};
  for (const [id, pages] of Object.entries(targets)) {
    const times: number[] = [];
    for (let turn = 0; turn < 8; turn++) {
      const before = process.cpuUsage();
      for (let nth = 0; nth < 500; nth++) {
        const url = `${mock.baseUrl}${pages[nth % pages.length]}`;
        const response = await mock.fetch(url, { headers: { "api-key": "k" } });
        if (response.status !== 200) expect.fail(`${url}: ${await response.text()}`);
        await response.text();
      }
      const { user, system } = process.cpuUsage(before);
      if (turn > 0) times.push((user + system) / 500);
    }
    figures[id] = Math.round(median(times));
  }
  console.info("µs of CPU of a request by mock.fetch");
  console.table(figures);
});

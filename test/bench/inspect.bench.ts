// What the page's views cost on a chain of 1,000,000 transactions: the first answer after a change, and the next.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChainWriter } from "../../mocks/double/chain/writer.ts";
import { createExplorer } from "../../mocks/double/explorer.ts";
import { createDispatcher } from "../../mocks/double/service/dispatcher.ts";
import { continueChain } from "../../mocks/double/sources/builder/index.ts";
import { generateChain } from "../../mocks/double/sources/generator.ts";
import { inspection } from "../../mocks/workbench/page/inspect/index.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/workbench/port/server.ts";
import { median } from "./median.ts";

const transactions = Number(process.env.INSPECT_TRANSACTIONS ?? 1_000_000);

let chain: ChainWriter;
let served: ServedExplorer;
beforeAll(async () => {
  const from = performance.now();
  const generated = generateChain({
    transactions,
    blocks: Math.ceil(transactions / 20),
    accounts: Math.ceil(transactions / 10),
    tokens: 100,
  });
  console.info(
    `${transactions} transactions, ${transactions / 10} accounts, 100 tokens: generated in ${((performance.now() - from) / 1000).toFixed(0)} s`,
  );
  const explorer = createExplorer({ chain: generated });
  ({ chain } = explorer);
  served = await serveExplorer(explorer);
}, 900_000);
afterAll(() => served.close({ graceMs: 0 }));

const access = () => ({
  keys_listed: false,
  tenants: false,
  admin: false,
  verifier: false,
  compilers: [],
  coin: null,
});
const inspect = createDispatcher({
  api: inspection,
  tenantOf: () => ({ chain, live: undefined, services: { live: undefined, access } }),
});

function asked(): string[] {
  const [busiest] = chain.busiestAccounts(1);
  const address = `${busiest?.address}`;
  const [token] = chain.tokens().sort((one, other) => other.holderCount - one.holderCount);
  const tokenAddress = `${token?.address}`;
  const middle = Math.floor(chain.head.number / 2);
  const hash = chain.allTransactions({ endBlock: middle }).at(1000).hash;
  return [
    "head",
    "overview",
    `search?q=${address}`,
    `search?q=0x${"ab".repeat(32)}`,
    "search?q=coin",
    `names?addresses=${Array(100).fill(tokenAddress).join()}`,
    `blocks?before=${middle}&limit=100`,
    `transactions?before=${middle}.0&limit=100`,
    "accounts?limit=100",
    "tokens?limit=100",
    "contracts",
    `block/${middle}`,
    `transaction/${hash}`,
    `account/${address}`,
    `account/${address}/balances?limit=100`,
    `token/${tokenAddress}?limit=100`,
    `token/${tokenAddress}/transfers?before=${middle}.0&limit=100`,
  ].map((target) => `/inspect/${target}`);
}

const timeOf = (run: () => unknown): number => {
  const from = performance.now();
  run();
  return performance.now() - from;
};

test("each view, the first time, after a new block, and again", () => {
  const builder = continueChain(chain);
  const rows = asked().map((target) => {
    const answer = () => inspect({ method: "GET", target, headers: {} });
    const first = timeOf(answer);
    const afterBlock: number[] = [];
    const again: number[] = [];
    for (let round = 0; round < 5; round++) {
      builder.mine();
      afterBlock.push(timeOf(answer));
      again.push(timeOf(answer));
    }
    return {
      view: target.slice(9, 60),
      "first, ms": first.toFixed(2),
      "after a block, ms": median(afterBlock).toFixed(2),
      "again, ms": median(again).toFixed(2),
    };
  });
  console.table(rows);
  expect(rows).toHaveLength(17);
});

test("each view on the port", async () => {
  for (const target of asked()) {
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      const from = performance.now();
      const response = await fetch(`${served.url}${target}`, { headers: { "api-key": "k" } });
      expect([target, response.status]).toEqual([target, 200]);
      await response.text();
      times.push(performance.now() - from);
    }
    console.info(`${target.slice(0, 60)}: ${median(times).toFixed(1)} ms`);
  }
}, 120_000);

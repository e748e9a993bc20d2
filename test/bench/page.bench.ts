// What a page of a filtered list costs on a large chain. MRC_BENCH_TRANSACTIONS sets the size.
import { expect, test } from "vitest";
import { generateChain } from "../../mocks/builder/generator.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { median } from "./median.ts";

const transactions = Number(process.env.MRC_BENCH_TRANSACTIONS ?? 50_000);
const chain = generateChain({
  transactions,
  blocks: Math.ceil(transactions / 100),
  accounts: Math.ceil(transactions / 50),
  tokens: 20,
});
const served = await serveExplorer(createExplorer({ chain }));

async function inspect<Results>(path: string): Promise<Results> {
  const response = await fetch(`${served.url}/inspect/${path}`, { headers: { "api-key": "k" } });
  expect([path, response.status]).toEqual([path, 200]);
  return ((await response.json()) as { results: Results }).results;
}

interface Overview {
  readonly busiest_accounts: readonly { readonly address: string }[];
  readonly tokens: readonly { readonly token_address: string }[];
}

test("each filter of a list", { timeout: 600_000 }, async () => {
  const { busiest_accounts, tokens } = await inspect<Overview>("overview");
  const account = busiest_accounts[0]?.address;
  const token = tokens[0]?.token_address;
  const end = chain.head.number - 10;
  const lists = [
    "transactions?status=failed",
    "transactions?method=transfer",
    "transactions?min_amount=1000000",
    `transactions?start_block=10&end_block=${end}&order=asc`,
    `transactions?page=${Math.floor(transactions / 100)}`,
    `transactions?account=${account}&direction=in&status=failed`,
    `transactions?account=${account}&min_amount=1000000`,
    `internal?account=${account}&direction=out`,
    `transfers?token=${token}&min_amount=1000000000`,
    `transfers?token=${token}&party=${account}`,
    `transfers?account=${account}&direction=in`,
    `logs?address=${token}&event=Transfer`,
    `blocks?transactions=some&end_block=${end}`,
    `holdings?account=${account}&name=a`,
    `token/${token}?min_amount=1000000000`,
  ];
  const figures: Record<string, number> = {};
  for (const list of lists) {
    const times: number[] = [];
    for (let round = 0; round < 6; round++) {
      const before = process.cpuUsage();
      await inspect(list);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
    }
    figures[list.replaceAll(/0x\w+/g, "0x…")] = Math.round(median(times));
  }
  console.info(`ms of CPU for a page, ${transactions} transactions`);
  console.table(figures);
  await served.close();
});

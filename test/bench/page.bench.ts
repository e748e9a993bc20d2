// The page on a large chain: each view after the click; and its memory while blocks and requests keep coming.
import type { Page } from "playwright";
import { afterAll, expect, test } from "vitest";
import { createExplorer } from "../../mocks/double/explorer.ts";
import { generateChain } from "../../mocks/double/sources/generator.ts";
import { serveExplorer } from "../../mocks/workbench/port/server.ts";
import { startChromium } from "../support/chromium.ts";
import { buildPage, visitPage } from "../support/page.ts";
import { rawAdmin } from "../support/raw-admin.ts";
import { median } from "./median.ts";

const transactions = Number(process.env.MRC_BENCH_TRANSACTIONS ?? 50_000);
/** How many blocks are mined while the page is open. */
const mined = Number(process.env.MRC_BENCH_BLOCKS ?? 4000);
const chain = generateChain({
  transactions,
  blocks: Math.ceil(transactions / 100),
  accounts: Math.ceil(transactions / 50),
  tokens: 20,
});
const served = await serveExplorer(createExplorer({ chain }), { admin: true });
const browser = await startChromium();
const visit = await visitPage(browser, await buildPage(), served);
const { page } = visit;
await page.addInitScript(
  (token) => sessionStorage.setItem("explorer-admin-token", token),
  served.admin.token,
);
afterAll(async () => {
  await browser.close();
  await served.close({ graceMs: 0 });
});

interface Overview {
  readonly latest_transactions: readonly { readonly transaction_hash: string }[];
  readonly busiest_accounts: readonly { readonly address: string }[];
  readonly tokens: readonly { readonly token_address: string }[];
}

async function overview(): Promise<Overview> {
  const response = await fetch(`${served.url}/inspect/overview`, { headers: { "api-key": "k" } });
  const { results } = (await response.json()) as { results: Overview };
  return results;
}

/** Milliseconds from the click until the view and all it asked for are drawn. */
const click = (page: Page, address: string) =>
  page.evaluate(
    (address) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const before = document.querySelector("main")?.firstElementChild;
        const look = () => {
          const main = document.querySelector("main");
          const isThere =
            main?.querySelector("h1") &&
            main.firstElementChild !== before &&
            !main.querySelector(".skeleton");
          if (isThere) resolve(performance.now() - start);
          else requestAnimationFrame(look);
        };
        location.hash = address;
        requestAnimationFrame(look);
      }),
    address,
  );

test("each view after the click", { timeout: 600_000 }, async () => {
  const { latest_transactions, busiest_accounts, tokens } = await overview();
  const account = busiest_accounts[0]?.address;
  const token = tokens[0]?.token_address;
  const views = {
    home: "#/",
    search: "#/search/token",
    account: `#/account/${account}`,
    "account, token transfers": `#/account/${account}?list=mrc20`,
    "account, internal": `#/account/${account}?list=internal`,
    transaction: `#/tx/${latest_transactions[0]?.transaction_hash}`,
    block: `#/block/${chain.head.number - 5}`,
    token: `#/token/${token}`,
    "token, holders": `#/token/${token}?list=holders`,
    contract: `#/contract/${token}`,
    requests: "#/requests",
    faults: "#/faults",
    api: "#/api",
  };
  await visit.open("#/");
  const figures: Record<string, { median: number; slowest: number; first: number }> = {};
  for (const [name, view] of Object.entries(views)) {
    const times: number[] = [];
    for (let round = 0; round < 6; round++) {
      await click(page, name === "block" ? "#/" : "#/block/1");
      times.push(await click(page, view));
    }
    const [first = 0, ...others] = times;
    const rounded = [median(others), Math.max(...others), first].map(Math.round);
    figures[name] = { median: rounded[0] ?? 0, slowest: rounded[1] ?? 0, first: rounded[2] ?? 0 };
  }
  console.info(`ms after the click, ${transactions} transactions`);
  console.table(figures);
  expect(visit.problems).toEqual([]);
});

test("each filter of a list", { timeout: 600_000 }, async () => {
  const { busiest_accounts, tokens } = await overview();
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
  const figures: Record<string, { CPU: number; records: number }> = {};
  for (const list of lists) {
    const times: number[] = [];
    let records = 0;
    for (let round = 0; round < 6; round++) {
      const before = process.cpuUsage();
      const headers = { "api-key": "k" };
      const response = await fetch(`${served.url}/inspect/${list}`, { headers });
      const { results } = await response.json();
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
      expect([list, response.status]).toEqual([list, 200]);
      records = Object.values(results as object).find(Array.isArray)?.length ?? 0;
    }
    figures[list.replaceAll(/0x\w+/g, "0x…")] = { CPU: Math.round(median(times)), records };
  }
  console.info(`ms of CPU for a page, ${transactions} transactions`);
  console.table(figures);
});

test("memory while blocks and requests keep coming", { timeout: 900_000 }, async () => {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const measure = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
    return { heapMB: (of("JSHeapUsedSize") / 2 ** 20).toFixed(2), nodes: of("Nodes") };
  };
  const steps = 20;
  for (const view of ["#/", "#/requests"]) {
    await visit.open(view);
    const figures: Record<string, unknown> = {};
    for (let step = 1; step <= steps; step++) {
      const answer = await rawAdmin(served).call("POST mine", { blocks: mined / steps / 2 });
      const { head } = answer as { readonly head: string };
      const ask = () => fetch(`${served.url}/v1/blocks/1`, { headers: { "api-key": "k" } });
      for (let asked = 0; asked < 250; asked++) await (await ask()).text();
      // The page has seen the last of them.
      if (view === "#/") await page.locator(".stats a", { hasText: `${head}` }).waitFor();
      else
        await page
          .locator("tbody tr td", {
            hasText: new RegExp(`^${served.explorer.journal.entries.at(-1)?.number}$`),
          })
          .waitFor();
      if (step % 5 === 0 || step === 1) figures[`step ${step}`] = await measure();
    }
    console.info(`${view}: ${mined / 2} blocks, ${250 * steps} requests`);
    console.table(figures);
  }
  expect(visit.problems).toEqual([]);
});

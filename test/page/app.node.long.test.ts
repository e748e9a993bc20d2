// The page on a chain that follows a real node: blocks as they come, and a revert while it is open.
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorer, serveExplorer, startFollowing } from "../../mocks/node.ts";
import { startAnvil } from "../support/anvil.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { buildPage, patience, visitPage } from "../support/page.ts";

const bob = "0x00000000000000000000000000000000000b0b00";
let browser: Browser;
beforeAll(async () => {
  if (hasChromium) browser = await startChromium();
});
afterAll(() => browser?.close());

test.skipIf(!hasChromium)("shows a transaction as pending until it is in a block", async () => {
  const node = await startAnvil();
  const follower = startFollowing(node.url, { interval: 50 });
  await follower.ready;
  const served = await serveExplorer(createExplorer({ chain: follower }));
  const visit = await visitPage(browser, await buildPage(), served);
  try {
    await node.ask("evm_setAutomine", false);
    const [from] = (await node.ask("eth_accounts")) as string[];
    const hash = await node.ask("eth_sendTransaction", { from, to: bob, value: "0x5" });
    await visit.open(`#/tx/${hash}`);
    await expect.poll(() => visit.text("main h1"), patience).toBe("Transaction pending");
    expect(await visit.page.locator(".failure").count()).toBe(0);
    await node.ask("evm_mine");
    await expect.poll(() => visit.text("main h1"), patience).toBe("Transaction success");
    // A hash that the node does not know is no pending transaction.
    await visit.page.goto(`${served.url}/#/tx/0x${"12".repeat(32)}`);
    await visit.page.locator(".failure", { hasText: "no transaction" }).waitFor(patience);
    expect(visit.problems).toEqual([]);
  } finally {
    await visit.close();
    await served.close({ graceMs: 0 });
    await follower.close();
    await node.stop();
  }
});

test.skipIf(!hasChromium)("follows a node, and its revert, while it is open", async () => {
  const node = await startAnvil();
  const follower = startFollowing(node.url, { interval: 50 });
  await follower.ready;
  const served = await serveExplorer(createExplorer({ chain: follower }));
  const visit = await visitPage(browser, await buildPage(), served);
  const { page } = visit;
  const blocks = page.locator("section", { hasText: "Latest blocks" }).locator("tbody tr");
  try {
    await visit.open("#/");
    await expect.poll(() => visit.text(".figures")).toMatch(/Behind the node[\s\S]*a node/);
    const [from] = (await node.ask("eth_accounts")) as string[];
    const snapshot = await node.ask("evm_snapshot");
    const pay = () => node.ask("eth_sendTransaction", { from, to: bob, value: "0x5" });
    const hash = await pay();
    await pay();
    await expect.poll(() => visit.text(".figures dd"), patience).toMatch(/^2\b/);
    await page.locator(`a[title="${hash}"]`).waitFor(patience);

    // What the node forgets, the page does not show any longer.
    await node.ask("evm_revert", snapshot);
    await expect.poll(() => visit.text(".figures dd"), patience).toMatch(/^0\b/);
    await expect.poll(() => page.locator(`a[title="${hash}"]`).count(), patience).toBe(0);
    await expect.poll(() => blocks.count(), patience).toBe(1);
    await page.goto(`${served.url}/#/tx/${hash}`);
    await page.locator(".failure").waitFor(patience);

    await visit.open(`#/account/${bob}`);
    await pay();
    await page.locator("tbody tr").first().waitFor(patience);
    expect(visit.problems).toEqual([]);
  } finally {
    await visit.close();
    await served.close({ graceMs: 0 });
    await follower.close();
    await node.stop();
  }
});

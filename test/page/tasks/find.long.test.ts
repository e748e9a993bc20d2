// Everyday tasks on the demo chain, and the controls of a followed node.
import { describe, expect, test } from "vitest";
import { items } from "../../../mocks/chain/listing.ts";
import { createExplorer, followNode, loadDemo, serveExplorer } from "../../../mocks/node.ts";
import { startAnvil } from "../../support/anvil.ts";
import { hasChromium } from "../../support/chromium.ts";
import { patience, type Visit, visitOnce, visitPage } from "../../support/page.ts";

const chain = await loadDemo({ verified: true });
/** One transaction that calls the token 51 times. */
const manyCalls = "0x2fac47fdcd21943d55c8ef8e1b3cd7e1f02e11e2302caa687200ee7449e88c37";

const served = await serveExplorer(createExplorer({ chain }), { admin: true });
let visit: Visit;
visitOnce(served, (opened) => {
  visit = opened;
});

describe.skipIf(!hasChromium)("on the demo chain", () => {
  const rows = () => visit.page.locator("tbody tr");
  const total = () => visit.text(".list-bar [role=status]");

  test("the failed ones", async () => {
    await visit.open("#/");
    const failed = items(chain.allTransactions({})).filter((one) => one.succeeded === false);
    const link = visit.page.getByRole("link", { name: `${failed.length} failed` });
    await link.click();
    await expect.poll(total, patience).toBe(`${failed.length} in all`);
    await visit.rows(Math.min(50, failed.length));
    expect(await rows().locator(".badge.bad", { hasText: "failed" }).count()).toBe(
      Math.min(50, failed.length),
    );
  });

  test("where the gas goes", async () => {
    await visit.open(`#/tx/${manyCalls}`);
    await visit.page.getByRole("link", { name: /^Calls/ }).click();
    const bars = visit.page.locator(".flame > div");
    await expect.poll(() => bars.count(), patience).toBe(52);
    const widths = await bars.evaluateAll((all) => all.map((one) => one.clientWidth));
    const [whole = 0, ...inner] = widths;
    const sum = inner.reduce((all, one) => all + one, 0);
    expect(sum).toBeGreaterThan(whole / 4);
    expect(sum).toBeLessThanOrEqual(whole);
  });
});

describe.skipIf(!hasChromium)("on anvil", () => {
  test("mine, and set the node back", async () => {
    const node = await startAnvil();
    const follower = await followNode(node.url, { interval: 50 });
    const served = await serveExplorer(createExplorer({ chain: follower }), { admin: true });
    const browser = visit.page.context().browser();
    if (!browser) throw new Error("the page has no browser");
    const other = await visitPage(browser, visit.folder, served);
    const { page } = other;
    const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
    const numberOf = async () => Number(await node.ask("eth_blockNumber"));
    try {
      await other.open("#/faults");
      await page.getByLabel("Blocks", { exact: true }).fill("3");
      await page.keyboard.press("Enter");
      await page.getByText("The head is now 3.").waitFor(patience);
      expect([await numberOf(), follower.chain.head.number]).toEqual([3, 3]);
      // Nothing is offered that a node cannot do.
      expect(await button("Reorganise").count()).toBe(0);
      await button("Take a snapshot").click();
      await button(/^Revert to/).waitFor(patience);
      await node.ask("hardhat_mine", "0x2");
      await button(/^Revert to/).click();
      await button("Yes").click();
      await page.getByText("The head is now 3.").waitFor(patience);
      expect(await numberOf()).toBe(3);
      expect(other.problems).toEqual([]);
    } finally {
      await other.close();
      await served.close({ graceMs: 0 });
      await follower.close();
      await node.stop();
    }
  });
});

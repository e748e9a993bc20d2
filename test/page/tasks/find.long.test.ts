// Everyday tasks of who looks for something by its kind, each in at most three actions: on the demo chain, and on anvil what only a node does.
import { describe, expect, test } from "vitest";
import { items } from "../../../mocks/chain/listing.ts";
import { createExplorer, followNode, loadDemo, serveExplorer } from "../../../mocks/node.ts";
import { startAnvil } from "../../support/anvil.ts";
import { hasChromium } from "../../support/chromium.ts";
import { patience, type Visit, visitOnce, visitPage } from "../../support/page.ts";
import { Hand } from "./scene.ts";

const chain = await loadDemo({ verified: true });
const _token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
/** One transaction that calls the token 51 times. */
const manyCalls = "0x2fac47fdcd21943d55c8ef8e1b3cd7e1f02e11e2302caa687200ee7449e88c37";

const served = await serveExplorer(createExplorer({ chain }), { admin: true });
let visit: Visit;
visitOnce(served, (opened) => {
  visit = opened;
});

describe.skipIf(!hasChromium)("on the demo chain", () => {
  let hand: Hand;

  /** A task that begins at an address. */
  const task = (title: string, address: string, steps: () => Promise<void>) =>
    test(title, async () => {
      await visit.open(address);
      hand = new Hand(visit.page);
      await steps();
      expect(visit.problems).toEqual([]);
    });
  const rows = () => visit.page.locator("tbody tr");
  const total = () => visit.text(".list-bar [role=status]");
  const _filter = async (label: string, text: string) => {
    await hand.click(visit.page.locator(".filters summary"));
    await hand.fill(visit.page.locator(".filters").getByLabel(label, { exact: true }), text);
    await hand.press("Enter");
  };
  const _search = async (text: string, option: string) => {
    await hand.fill(visit.page.getByRole("combobox", { name: "Search" }), text);
    await hand.click(visit.page.getByRole("option").filter({ hasText: option }));
  };

  task("the failed ones", "#/", async () => {
    const failed = items(chain.allTransactions({})).filter((one) => one.succeeded === false);
    const link = visit.page.getByRole("link", { name: `${failed.length} failed` });
    await hand.click(link);
    await expect.poll(total, patience).toBe(`${failed.length} in all`);
    await visit.rows(Math.min(50, failed.length));
    expect(await rows().locator(".badge.bad", { hasText: "failed" }).count()).toBe(
      Math.min(50, failed.length),
    );
  });

  task("where the gas goes", `#/tx/${manyCalls}`, async () => {
    await hand.click(visit.page.getByRole("link", { name: /^Calls/ }));
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
      const mining = new Hand(page);
      await mining.fill(page.getByLabel("Blocks", { exact: true }), "3");
      await mining.press("Enter");
      await page.getByText("The head is now 3.").waitFor(patience);
      expect([await numberOf(), follower.chain.head.number]).toEqual([3, 3]);
      // Nothing is offered that a node cannot do.
      expect(await button("Reorganise").count()).toBe(0);
      const hand = new Hand(page);
      await hand.click(button("Take a snapshot"));
      await button(/^Revert to/).waitFor(patience);
      await node.ask("hardhat_mine", "0x2");
      await hand.click(button(/^Revert to/));
      await hand.click(button("Yes"));
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

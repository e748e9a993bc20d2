// The page on a chain that follows a real node: pending transactions, new blocks, a revert while
// the page is open, and changes of a state whose variables are unknown.
import { describe, expect, onTestFinished, test } from "vitest";
import { createExplorer, startFollowing } from "../../mocks/node.ts";
import { startAnvil } from "../support/anvil.ts";
import { hasChromium } from "../support/chromium.ts";
import { pageOpener, patience } from "../support/page.ts";

const bob = "0x00000000000000000000000000000000000b0b00";

describe.skipIf(!hasChromium)("the page", () => {
  const open = pageOpener();

  /** Starts a node and a page that follows it. The node's first account can send transactions. */
  async function follow(options?: Parameters<typeof open>[1]) {
    const node = await startAnvil();
    const follower = startFollowing(node.url, { interval: 50 });
    await follower.ready;
    onTestFinished(async () => {
      await follower.close();
      await node.stop();
    });
    const { served, visit } = await open(createExplorer({ chain: follower }), options);
    const [from] = (await node.ask("eth_accounts")) as string[];
    const send = (transaction: object) =>
      node.ask("eth_sendTransaction", { from, ...transaction }) as Promise<string>;
    return { node, follower, served, visit, send };
  }

  test("shows a transaction as pending until it is in a block", async () => {
    const { node, served, visit, send } = await follow();
    await node.ask("evm_setAutomine", false);
    const hash = await send({ to: bob, value: "0x5" });
    await visit.open(`#/tx/${hash}`);
    await expect.poll(() => visit.text("main h1"), patience).toBe("Transaction pending");
    expect(await visit.page.locator(".failure").count()).toBe(0);
    await node.ask("evm_mine");
    await expect.poll(() => visit.text("main h1"), patience).toBe("Transaction success");
    // A hash that the node does not know is no pending transaction.
    await visit.page.goto(`${served.url}/#/tx/0x${"12".repeat(32)}`);
    await visit.page.locator(".failure", { hasText: "no transaction" }).waitFor(patience);
    expect(visit.problems).toEqual([]);
  });

  test("follows a node, and its revert, while it is open", async () => {
    const { node, served, visit, send } = await follow();
    const { page } = visit;
    const blocks = page.locator("section", { hasText: "Latest blocks" }).locator("tbody tr");
    await visit.open("#/");
    await expect.poll(() => visit.text(".figures")).toMatch(/Behind the node[\s\S]*a node/);
    const snapshot = await node.ask("evm_snapshot");
    const pay = () => send({ to: bob, value: "0x5" });
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
  });

  test("mines on the node, and sets it back", async () => {
    const { node, follower, visit } = await follow({ admin: true });
    const { page } = visit;
    const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
    const numberOf = async () => Number(await node.ask("eth_blockNumber"));
    await visit.open("#/faults");
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
    expect(visit.problems).toEqual([]);
  });

  test("says how to get the names of variables, if no storage layout is known", async () => {
    const { visit, send } = await follow();
    // Code that writes 1 into slot 0.
    const hash = await send({ data: "0x600160005500" });
    await visit.open(`#/tx/${hash}?list=changes`);
    const hint = visit.page.getByText("Slots are shown without variables");
    await hint.waitFor(patience);
    expect(await hint.textContent()).toMatch(/Verify the source.*serve --artifacts/);
    await expect
      .poll(() => visit.texts("caption:text-is('Changes of the state') ~ tbody tr"))
      .toContainEqual(expect.stringMatching(/ storage 0x0 0x0 0x1$/));
    expect(await visit.violations()).toEqual([]);
  });
});

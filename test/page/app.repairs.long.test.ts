// What the page once did wrong, in a real browser: lists, addresses of views, undone transactions, a service that was away.
import { describe, expect, test } from "vitest";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { serveExplorer } from "../../mocks/node.ts";
import { hasChromium } from "../support/chromium.ts";
import { patience, type Visit, visitOnce } from "../support/page.ts";

const builder = buildChain({ freeGas: true });
const alice = builder.account({ name: "alice", balance: coins(100) });
const bob = builder.account({ name: "bob" });
for (let count = 0; count < 50; count++) builder.transfer(alice, bob, 1n);
const block = builder.mine();

const mock = createExplorer({ chain: builder });
const served = await serveExplorer(mock);
let visit: Visit;

visitOnce(served, (opened) => {
  visit = opened;
});

describe.skipIf(!hasChromium)("the page", { timeout: 240_000 }, () => {
  test("has no view of a name that every object has", async () => {
    for (const name of ["constructor", "__proto__", "toString"]) {
      await visit.open(`#/${name}`);
      expect(await visit.text("main h1")).toBe("No such view");
    }
    expect(visit.problems).toEqual([]);
  });

  test("finds a block by its hash", async () => {
    await visit.open(`#/block/${block.hash}`);
    await visit.page.getByRole("heading", { name: /^Block 1/ }).waitFor(patience);
  });

  test("counts a list once, and offers no more than there is", async () => {
    await visit.open(`#/account/${bob}`);
    const bar = () => visit.text(".list-bar");
    expect(await bar()).toContain("50 in all");
    const rows = () => visit.page.locator("tbody tr").count();
    const more = visit.page.getByRole("button", { name: "Show more" });
    for (let shown = await rows(); (await more.count()) > 0; shown = await rows()) {
      await more.click();
      await expect.poll(rows, patience).toBeGreaterThan(shown);
      expect(await bar()).toContain("50 in all");
    }
    expect(await rows()).toBe(50);
  });

  test("says that a reorganisation undid a transaction", async () => {
    const { hash } = builder.transfer(alice, bob, 2n);
    builder.mine();
    await visit.open(`#/tx/${hash}`);
    builder.reorg(1, { drop: "all" });
    await visit.page.getByText("A reorganisation undid this transaction").waitFor(patience);
  });

  test("heals when the service is back", async () => {
    await visit.page.route(`${served.url}/inspect/**`, (route) => route.abort());
    await visit.open("#/block/1");
    await visit.page.locator("main .failure").first().waitFor(patience);
    await visit.page.locator(".state.bad").waitFor(patience);
    await visit.page.unroute(`${served.url}/inspect/**`);
    await visit.page.getByRole("heading", { name: /^Block 1/ }).waitFor(patience);
    expect(await visit.page.locator("main .failure").count()).toBe(0);
  });
});

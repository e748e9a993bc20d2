// What the page once did wrong, in a real browser: lists, addresses of views, undone transactions, a service that was away, a proxy.
import { describe, expect, test } from "vitest";
import { items } from "../../mocks/chain/listing.ts";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { serveExplorer } from "../../mocks/node.ts";
import { hasChromium } from "../support/chromium.ts";
import { patience, type Visit, visitOnce } from "../support/page.ts";

const builder = buildChain({ freeGas: true });
const alice = builder.account({ name: "alice", balance: coins(100) });
const bob = builder.account({ name: "bob" });
for (let count = 0; count < 50; count++) builder.transfer(alice, bob, 1n);
const block = builder.mine();
const carol = builder.account({ name: "carol" });
const dora = builder.account({ name: "dora" });
const erin = builder.account({ name: "erin" });
for (let count = 0; count < 200; count++) {
  builder.transfer(alice, carol, 1n);
  if (count % 20 === 0) builder.mine();
}
// In the order of their addresses, forty collections stand before the token or after it.
for (let count = 0; count < 40; count++)
  builder.deployMRC721(alice, { name: `Set ${count}`, symbol: "SET" }).mint(dora, 1n);
const broken = builder.deployMRC721(alice, { name: "Broken", symbol: "BRK" });
broken.mint(erin, 7n, { uri: "data:image/png;base64,AAAA" });
const last = builder.deployMRC20(alice, {
  name: "Last Token",
  symbol: "LST",
  decimals: 0,
  supply: 5n,
});
last.transfer(alice, dora, 1n);
last.transfer(alice, erin, 2n);
builder.mine();

const rows = () => visit.page.locator("tbody tr");
const mock = createExplorer({ chain: builder, coin: "MRC" });
const served = await serveExplorer(mock, { admin: true });
let visit: Visit;

visitOnce(served, (opened) => {
  visit = opened;
});

describe.skipIf(!hasChromium)("the page", () => {
  test("has no view of a name that every object has", async () => {
    for (const name of ["constructor", "__proto__", "toString"]) {
      await visit.open(`#/${name}`);
      await expect.poll(() => visit.text("main h1")).toBe("No such view");
    }
    expect(visit.problems).toEqual([]);
  });

  test("has the page of a list in its address: for a link, a reload and Back, also when the chain grows", async () => {
    const hashes = () =>
      visit.page
        .locator("tbody [data-row]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("title")));
    const expected = items(builder.chain.transactions(carol, "all", {}))
      .map(({ hash }) => hash)
      .reverse();
    const isPage = (number: number) =>
      expect.poll(hashes, patience).toEqual(expected.slice(50 * (number - 1), 50 * number));
    await visit.open(`#/account/${carol}`);
    await isPage(1);
    await visit.page.getByRole("link", { name: "Next" }).click();
    await isPage(2);
    builder.transfer(builder.account({ balance: coins(1) }), carol, 1n);
    builder.mine();
    await visit.page.getByRole("link", { name: "Transactions 201" }).waitFor(patience);
    await isPage(2);
    await visit.page.reload();
    await isPage(2);
    const all = () => items(builder.chain.transactions(carol, "all", {})).reverse();
    const isNow = (number: number) =>
      expect.poll(hashes, patience).toEqual(
        all()
          .slice(50 * (number - 1), 50 * number)
          .map(({ hash }) => hash),
      );
    await visit.page.getByRole("textbox", { name: "Page" }).fill("4");
    await visit.page.keyboard.press("Enter");
    await isNow(4);
    await visit.page.getByRole("textbox", { name: "Page" }).fill("9");
    await visit.page.keyboard.press("Enter");
    await isNow(5);
    expect(await visit.page.getByRole("link", { name: "Next" }).count()).toBe(0);
    await visit.page.getByRole("link", { name: "Previous" }).click();
    await isNow(4);
    for (let back = 0; back < 3; back++) await visit.page.goBack();
    await isPage(2);
    // A filter begins at its first page.
    await visit.page.locator(".filters summary").click();
    await visit.page.getByLabel("Order").selectOption("asc");
    await visit.page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(hashes, patience).toEqual(
      all()
        .slice(-50)
        .reverse()
        .map(({ hash }) => hash),
    );
  });

  test("shows a list again as it was left", async () => {
    await visit.open(`#/account/${carol}?page=2`);
    await visit.rows(50);
    const row = rows().nth(45);
    await row.scrollIntoViewIfNeeded();
    const place = () => visit.page.evaluate(() => Math.round(scrollY));
    // As it is when the link is followed: what loads until then may move the rows.
    await visit.page.evaluate(() => {
      const note = () => Object.assign(globalThis, { left: Math.round(scrollY) });
      addEventListener("click", note, { capture: true, once: true });
    });
    await row.locator("a").first().click();
    const left = Number(await visit.page.evaluate(() => Reflect.get(globalThis, "left")));
    expect(left).toBeGreaterThan(100);
    await visit.page.locator("h1", { hasText: "Transaction" }).waitFor(patience);
    await expect.poll(place, patience).toBe(0);
    await visit.page.goBack();
    await expect.poll(() => rows().count(), patience).toBe(50);
    await expect.poll(place, patience).toBe(left);
    // A link to the same address is a new visit.
    await visit.page.goForward();
    await visit.page.locator("h1", { hasText: "Transaction" }).waitFor(patience);
    await visit.page.evaluate((address) => {
      location.hash = `#/account/${address}`;
    }, carol);
    await visit.page.getByText("201 in all").waitFor(patience);
    await expect.poll(place, patience).toBe(0);
  });

  test("tries again what failed, and asks before it destroys", async () => {
    const add = `${served.url}/admin/faults`;
    await visit.open("#/faults");
    await visit.page.route(add, (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 503, body: "away" })
        : route.continue(),
    );
    await visit.page.getByRole("button", { name: "503 twice" }).click();
    const again = visit.page.getByRole("button", { name: "Try again" });
    await again.waitFor(patience);
    expect(mock.faults.list).toEqual([]);
    await visit.page.unroute(add);
    await again.click();
    await visit.page.locator("tbody tr", { hasText: "503 twice" }).waitFor(patience);
    const reset = visit.page.getByRole("button", { name: "Reset everything" });
    await reset.click();
    await visit.page.getByRole("button", { name: "No" }).click();
    await reset.click();
    expect(mock.faults.list).toHaveLength(1);
    await visit.page.getByRole("button", { name: "Yes" }).click();
    await visit.page.getByText("No fault is on").waitFor(patience);
    expect(mock.faults.list).toEqual([]);
  });

  test("suggests what it finds while one types, by keyboard and pointer", async () => {
    await visit.open("#/");
    const field = visit.page.getByRole("combobox", { name: "Search" });
    const options = visit.page.getByRole("option");
    await field.pressSequentially(carol.slice(0, 8));
    await options.filter({ hasText: carol }).waitFor(patience);
    expect(await visit.violations()).toEqual([]);
    await visit.page.keyboard.press("ArrowDown");
    await expect
      .poll(() => field.getAttribute("aria-activedescendant"), patience)
      .toBe("suggestion-0");
    await visit.page.keyboard.press("Escape");
    await expect.poll(() => options.count(), patience).toBe(0);
    await field.fill("Last Tok");
    await options.filter({ hasText: "Last Token" }).click();
    await visit.page.locator("h1", { hasText: "Last Token" }).waitFor(patience);
    await field.fill(block.hash);
    await options.first().waitFor(patience);
    await visit.page.keyboard.press("ArrowDown");
    await visit.page.keyboard.press("Enter");
    await visit.page.getByRole("heading", { name: /^Block 1/ }).waitFor(patience);
  });

  test("names an account as one likes, wherever it stands, until it is taken away", async () => {
    await visit.open(`#/account/${bob}`);
    await visit.page.getByRole("button", { name: "Name it" }).click();
    const name = visit.page.getByRole("textbox", { name: "Your name for this account" });
    await name.fill("<i>Treasury</i>");
    await visit.page.keyboard.press("Enter");
    await expect.poll(() => visit.text(".subject"), patience).toContain("<i>Treasury</i>");
    await visit.page.reload();
    await visit.open(`#/block/${block.number}`);
    await visit.page.locator("td .own", { hasText: "<i>Treasury</i>" }).first().waitFor(patience);
    await visit.open("#/search/treasury");
    await visit.page.locator(".found a", { hasText: bob }).click();
    await visit.page.getByRole("button", { name: "Rename" }).click();
    await name.fill("");
    await visit.page.keyboard.press("Enter");
    await visit.page.getByRole("button", { name: "Name it" }).waitFor(patience);
    await visit.open(`#/block/${block.number}`);
    const identicons = visit.page.locator("td .identicon");
    await expect.poll(() => identicons.count(), patience).toBeGreaterThan(40);
    await expect.poll(() => visit.page.locator(".own").count()).toBe(0);
  });

  test("names the coin next to amounts", async () => {
    await visit.open(`#/account/${alice}`);
    await expect.poll(() => visit.text(".figures dd"), patience).toMatch(/^\d\S* MRC$/);
    const [hash] = builder.chain
      .transactions(bob, "all", {})
      .slice(0, 1)
      .map((one) => one.hash);
    await visit.open(`#/tx/${hash}?list=changes`);
    await expect.poll(() => visit.text("tbody td[data-title=Of]"), patience).toBe("MRC");
  });

  test("shows the id of a collectible whose image is broken", async () => {
    await visit.open(`#/account/${erin}?list=collectibles`);
    await visit.page.getByRole("link", { name: "Show it" }).click();
    await visit.page.locator(".no-image", { hasText: "#7" }).waitFor(patience);
    await expect.poll(() => visit.page.locator("td img").count()).toBe(0);
    expect(visit.problems).toEqual([]);
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
    await expect.poll(() => visit.page.locator("main .failure").count()).toBe(0);
  });
});

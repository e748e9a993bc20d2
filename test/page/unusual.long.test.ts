// The page where a browser withholds something, a script fails to load, or rows move under the pointer.
import { beforeAll, describe, expect, test } from "vitest";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { serveExplorer } from "../../mocks/node.ts";
import { hasChromium } from "../support/chromium.ts";
import { patience, type Visit, visitOnce, visitPage } from "../support/page.ts";

const builder = buildChain({ freeGas: true });
const alice = builder.account({ name: "alice", balance: coins(100) });
const [bob, carol] = [builder.account({ name: "bob" }), builder.account({ name: "carol" })];
const token = builder.deployMRC20(alice, { name: "Aurora", symbol: "AUR", decimals: 6 });
token.mint(alice, 5_000_000n);
builder.mine();
for (const [to, amount] of [
  [bob, 1_500_000n],
  [carol, 2n],
  [bob, 3n],
] as const)
  token.transfer(alice, to, amount);
builder.mine();
for (let count = 0; count < 101; count++) builder.transfer(alice, builder.account(), 1n);
builder.mine();

const mock = createExplorer({ chain: builder });
const served = await serveExplorer(mock, { admin: true });
let visit: Visit;
visitOnce(served, (opened) => {
  visit = opened;
});

describe.skipIf(!hasChromium)("the page", () => {
  const browser = () => {
    const found = visit.page.context().browser();
    if (!found) throw new Error("the page has no browser");
    return found;
  };
  const rows = () => visit.page.locator("tbody tr");
  beforeAll(() => visit?.page.setViewportSize({ width: 1280, height: 900 }));

  test("is shown at an address that is no secure context, such as one in the LAN", async () => {
    const url = "http://explorer.lan";
    const other = await visitPage(browser(), visit.folder, { ...served, url });
    await other.page.route(/\/(inspect|admin)\//, async (route) => {
      const request = route.request();
      const target = request.url().replace(url, served.url);
      const headers = { "api-key": "k", "admin-token": served.admin.token };
      const response = await fetch(target, { headers });
      await route.fulfill({ status: response.status, body: await response.text() });
    });
    await other.open("#/");
    expect(await other.page.evaluate(() => isSecureContext)).toBe(false);
    await expect.poll(() => other.text(".figures")).toMatch(/^Head 3 /);
    await other.open(`#/account/${bob}`);
    await other.page.getByRole("button", { name: "Copy the address" }).click();
    // Chromium says that it ignores a header of the document there.
    expect(other.problems.filter((problem) => !/Cross-Origin-Opener/.test(problem))).toEqual([]);
    await other.close();
  });

  test("is shown where the browser blocks site data", async () => {
    const other = await visitPage(browser(), visit.folder, served);
    await other.page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException("blocked", "SecurityError");
      };
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(globalThis, name, { get: refuse });
      ServiceWorkerContainer.prototype.getRegistrations = async () => refuse();
    });
    await other.page.goto(`${served.url}/#/`);
    await other.page.locator(".figures").waitFor(patience);
    await other.close();
  });

  test("loads a part again that failed to load", async () => {
    const other = await visitPage(browser(), visit.folder, served);
    const tools = /\/page\/tools-/;
    await other.page.route(tools, (route) => route.abort());
    await other.page.goto(`${served.url}/#/requests`);
    const again = other.page.getByRole("button", { name: "Try again" });
    await again.waitFor(patience);
    await other.page.unroute(tools);
    await other.page.evaluate(() => Object.assign(globalThis, { isOld: true }));
    await again.click();
    await other.page.locator("h1", { hasText: "Requests" }).waitFor(patience);
    // The document is new, too, because after an upgrade it names other scripts.
    expect(await other.page.evaluate(() => Reflect.get(globalThis, "isOld"))).toBeUndefined();
    await other.close();
  });

  test("covers no row by a header between a phone and a desk", async () => {
    for (const width of [391, 560, 683, 900]) {
      await visit.page.setViewportSize({ width, height: 900 });
      await visit.open("#/transactions");
      await visit.rows(50);
      const first = rows().first().locator("a").first();
      await first.scrollIntoViewIfNeeded();
      const isCovered = await first.evaluate((link) => {
        const { left, top, height } = link.getBoundingClientRect();
        return !link.contains(document.elementFromPoint(left + 4, top + height / 2));
      });
      expect(isCovered, `at ${width}`).toBe(false);
    }
    await visit.page.setViewportSize({ width: 1280, height: 900 });
  });

  test("keeps its snapshots when Faults is left, and forgets one that was restored", async () => {
    await visit.open("#/faults");
    const restore = visit.page.getByRole("button", { name: /^Restore/ });
    const take = visit.page.getByRole("button", { name: "Take a snapshot" });
    await take.click();
    await restore.waitFor(patience);
    await take.click();
    await expect.poll(() => restore.count(), patience).toBe(2);
    await visit.open("#/");
    await visit.open("#/faults");
    await expect.poll(() => restore.count(), patience).toBe(2);
    // The older one takes the newer one with it.
    await restore.last().click();
    await visit.page.getByRole("button", { name: "Yes" }).click();
    await visit.page.getByText("is restored").waitFor(patience);
    await expect.poll(() => restore.count(), patience).toBe(0);
  });

  test("ends a list of events at its last page, and says that a list is capped", async () => {
    await visit.open(`#/token/${token.address}?list=events`);
    await visit.page.locator("select[name=event]").waitFor(patience);
    await visit.rows(4);
    expect(await visit.page.getByRole("link", { name: "Next" }).count()).toBe(0);
    await visit.open("#/accounts?page=2");
    await expect
      .poll(() => visit.text(".list-bar [role=status]"), patience)
      .toBe("the 100 busiest");
    expect(await visit.page.getByRole("link", { name: "Next" }).count()).toBe(0);
  });

  test("filters by names, also by the reader's own, and shows a mistake beside its field", async () => {
    await visit.open(`#/account/${bob}`);
    await visit.page.getByRole("button", { name: "Name it" }).click();
    await visit.page.getByLabel("Your name for this account").fill("Treasury");
    await visit.page.keyboard.press("Enter");
    await visit.open(`#/token/${token.address}?list=events`);
    const field = visit.page.getByLabel("to (address)");
    await field.fill("treasury");
    await visit.page.keyboard.press("Enter");
    await visit.rows(2);
    await visit.page.getByLabel("value (uint256)").fill("1.5");
    await visit.page.keyboard.press("Enter");
    await visit.rows(1);
    await visit.page.getByLabel("value (uint256)").fill("much");
    await visit.page.keyboard.press("Enter");
    await visit.page.locator(".mistake", { hasText: "expected an integer" }).waitFor(patience);
    await visit.open("#/transactions");
    await visit.page.locator(".filters summary").click();
    await visit.page.getByLabel("At least").fill("much");
    await visit.page.keyboard.press("Enter");
    await visit.page.locator(".mistake", { hasText: "an amount in digits" }).waitFor(patience);
  });

  test("keeps rows under the pointer where they are, and says how many are new", async () => {
    await visit.open("#/blocks");
    const first = rows().first().locator("a").first();
    await first.hover();
    const shown = await first.textContent();
    builder.mine();
    builder.mine();
    await visit.page.getByRole("button", { name: "2 new" }).waitFor(patience);
    expect(await first.textContent()).toBe(shown);
    await visit.page.getByRole("button", { name: "2 new" }).click();
    await expect.poll(() => first.textContent(), patience).toBe(`${Number(shown) + 2}`);
  });

  test("leads from a bar of a chart to its block", async () => {
    const bar = (title: RegExp) => visit.page.locator(".plot a", { hasText: title });
    await visit.open("#/");
    await bar(/^Block 2: 3 transactions/).click();
    await visit.page.getByRole("heading", { name: /^Block 2/ }).waitFor(patience);
  });

  test("marks the chosen view and tab also where a system sets the colours", async () => {
    await visit.page.emulateMedia({ forcedColors: "active" });
    await visit.open(`#/account/${alice}`);
    for (const place of ["header nav", ".tabs"]) {
      const lineOf = (selector: string) =>
        visit.page
          .locator(`${place} ${selector}`)
          .first()
          .evaluate((link) => getComputedStyle(link).textDecorationLine);
      if (place === ".tabs") expect(await lineOf("[aria-current]")).toBe("underline");
      expect(await lineOf("a:not([aria-current])")).toBe("none");
    }
    expect(await visit.violations()).toEqual([]);
    await visit.page.emulateMedia({ forcedColors: null });
  });

  test("shows an unused address", async () => {
    const unused = `0x${"12".repeat(20)}`;
    await visit.open(`#/search/${unused}`);
    await expect.poll(() => visit.text("h1"), patience).toBe("Account");
    await expect
      .poll(() => visit.text(".figures"))
      .toMatch(/^Balance 0 coins Transactions 0 Tokens 0$/);
  });

  test("says what is wrong with an address, and offers no second try", async () => {
    await visit.open("#/account/0x12");
    await expect
      .poll(() => visit.text(".failure"), patience)
      .toBe(
        'Could not load the address. address: expected an address (0x and 40 hexadecimal digits), received "0x12"',
      );
    expect(await visit.page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  test("has caused no error", () => {
    expect(visit.problems).toEqual([]);
  });
});

// The example page in a real browser: it shows the chain of its mock server.
import type { Browser, Page } from "playwright";
import type { ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bakery } from "../../examples/dapp/bakery.ts";
import { amount } from "../../examples/dapp/format.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { dappFolder, serveDapp } from "./served-dapp.ts";

const { builder, alice, dollar } = bakery();
const { chain } = builder;
const patience = { timeout: 300_000 };

/**
 * MSW's worker unregisters itself when its last page is left, and MSW's update of it on the next
 * page may come too late. MSW does not wait for the update: the worker serves the page all the
 * same.
 */
const workerHasLeft = /^Failed to update a ServiceWorker .*: Not found$/;

describe.skipIf(!hasChromium)("the page of an account", () => {
  let server: ViteDevServer;
  let browser: Browser;
  let page: Page;
  let url: string;
  const broken: string[] = [];

  const lines = () => page.locator(".line");
  const open = async (address: string) => {
    await page.goto(`${url}?address=${address}`);
    await page.locator(".summary, .failure").waitFor(patience);
  };

  beforeAll(async () => {
    [server, url] = await serveDapp(dappFolder);
    browser = await startChromium();
    page = await browser.newPage();
    page.on("pageerror", ({ message }) => {
      if (!workerHasLeft.test(message)) broken.push(message);
    });
    // Dependencies that Vite finds only now reload the page: let that happen first.
    await page.goto(url);
    await lines().first().waitFor(patience);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    expect(broken).toEqual([]);
  });

  test("shows its coins, tokens and collectibles", async () => {
    await open(alice);
    await expect
      .poll(() => page.getByTestId("balance").textContent(), patience)
      .toBe(amount(chain.balance(alice)));
    const dollars = amount(chain.tokenBalance(dollar.address, alice), 6);
    const holdings = async () =>
      (await page.locator(".holdings li").allInnerTexts()).map((text) =>
        text.replaceAll(/\s+/g, " ").trim(),
      );
    await expect
      .poll(holdings)
      .toEqual([`Stable Dollar ${dollars} USDM`, "Fair Ribbons #2034", "Fair Ribbons #57896…1815"]);
  });

  test("shows its history newest first, a page at a time, until there is no more", async () => {
    await open(alice);
    const { count } = chain.transactions(alice, "all", {});
    await expect.poll(() => lines().count(), patience).toBe(12);
    await expect.poll(() => lines().first().textContent(), patience).toContain("Token transfer");
    const more = page.getByRole("button", { name: "Show older" });
    for (let shown = 12; shown < count; ) {
      await more.click();
      await expect.poll(() => lines().count(), patience).toBeGreaterThan(shown);
      const now = await lines().count();
      expect(now - shown).toBeLessThanOrEqual(12);
      shown = now;
    }
    await expect.poll(() => lines().count(), patience).toBe(count);
    await expect.poll(() => lines().last().textContent(), patience).toContain("New contract");
    const times = await page
      .locator(".line time")
      .evaluateAll((all) => all.map((one) => one.getAttribute("datetime") ?? ""));
    expect(times).toEqual(times.toSorted().reverse());
  });

  test("shows internal transactions and transfers of tokens", async () => {
    await open(alice);
    await page.getByRole("tab", { name: "Internal" }).click();
    await expect.poll(() => lines().count(), patience).toBe(chain.frames(alice, {}).count);
    await expect.poll(() => lines().first().textContent(), patience).toContain("+1.08 coins");
    await page.getByRole("tab", { name: "Token transfers" }).click();
    await expect.poll(() => lines().first().textContent(), patience).toContain("−75.5 USDM");
    await page.getByRole("tab", { name: "Collectible transfers" }).click();
    await expect
      .poll(() => lines().count(), patience)
      .toBe(chain.transfers(alice, "mrc721", {}).count);
  });

  describe("with an explorer that fails or is slow", () => {
    /** What `fetch` does with requests for a path: reject, or wait for `release`. */
    interface Trouble {
      trouble: "none" | "fails" | "waits";
      path: string;
      release: () => void;
    }
    let other: Page;
    const set = (trouble: Partial<Trouble>) =>
      other.evaluate((given) => void Object.assign(globalThis, given), trouble);
    const tab = (name: string) => other.getByRole("tab", { name, exact: true });
    const panel = () => other.getByRole("tabpanel");
    const otherLines = () => other.locator(".line");

    beforeAll(async () => {
      other = await browser.newPage();
      // Before the worker of the mock server, where Playwright routes nothing.
      await other.addInitScript(() => {
        const { fetch } = globalThis;
        const now = Object.assign(globalThis, { trouble: "none", path: "", release: () => {} });
        const held = new Promise<void>((resolve) => {
          now.release = resolve;
        });
        globalThis.fetch = async (...args) => {
          const url = args[0] instanceof Request ? args[0].url : String(args[0]);
          if (now.path !== "" && url.includes(now.path)) {
            if (now.trouble === "fails") throw new TypeError("Failed to fetch");
            if (now.trouble === "waits") await held;
          }
          return fetch(...args);
        };
      });
      await other.goto(`${url}?address=${alice}`);
      await otherLines().first().waitFor(patience);
    });

    test("says which tab could not be loaded, and tries it again", async () => {
      await set({ trouble: "fails", path: "token-transfer/mrc20" });
      await tab("Token transfers").click();
      const failure = panel().getByRole("alert");
      await failure.waitFor(patience);
      await expect.poll(() => failure.textContent()).toContain("Could not load: Token transfers");
      await expect.poll(() => otherLines().count()).toBe(0);
      await tab("Transactions").click();
      await otherLines().first().waitFor(patience);
      await expect.poll(() => panel().getByRole("alert").count()).toBe(0);

      // What is there stays, and the rest continues where it stopped.
      await set({ path: "/transactions" });
      await other.getByRole("button", { name: "Show older" }).click();
      await failure.waitFor(patience);
      await expect.poll(() => otherLines().count()).toBe(12);
      await set({ trouble: "none" });
      await other.getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => otherLines().count(), patience).toBeGreaterThan(12);
      await expect.poll(() => panel().getByRole("alert").count()).toBe(0);
    });

    test("never shows a late response for another tab", async () => {
      await set({ trouble: "waits", path: "internal-transactions" });
      await tab("Internal").click();
      await other.getByText("Loading…").waitFor(patience);
      await tab("Collectible transfers").click();
      const { count } = chain.transfers(alice, "mrc721", {});
      await expect.poll(() => otherLines().count(), patience).toBe(count);
      const before = await panel().textContent();
      const answered = other.waitForResponse(/internal-transactions/, patience);
      await other.evaluate(() => (globalThis as typeof globalThis & Trouble).release());
      await (await answered).finished();
      await tab("Internal").press("Tab");
      await expect.poll(() => panel().textContent()).toBe(before);
      await expect
        .poll(() => tab("Collectible transfers").getAttribute("aria-selected"))
        .toBe("true");
    });
  });
});

// Tasks of who looks something up: an account of which only a part is known, and a list for a spreadsheet.
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { ExplorerClient } from "../../../../src/index.ts";
import { patience } from "../../../support/page.ts";
import { type Setting, task } from "./scene.ts";

export function deskTasks(setting: Setting): void {
  task(
    "find by part of an address",
    setting,
    () => "#/",
    async (hand, { stage: { shop }, visit: { page, ...visit } }) => {
      const field = page.getByRole("combobox", { name: "Search" });
      await hand.fill(field, `…${shop.slice(-5)}`);
      await hand.click(page.getByRole("option").filter({ hasText: shop }));
      await page.locator("main h1", { hasText: "Contract" }).waitFor(patience);
      await expect.poll(() => visit.text(".subject")).toContain(shop);
      await expect.poll(() => visit.text("main h1")).toContain("Shop · verified");
    },
  );

  task(
    "transfers to CSV",
    setting,
    ({ customer }) => `#/account/${customer}`,
    async (hand, { stage: { customer, served }, visit: { page } }) => {
      await hand.click(page.getByRole("link", { name: /^Token transfers/ }));
      await page.locator("tbody tr").first().waitFor(patience);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        hand.click(page.getByRole("button", { name: "CSV", exact: true })),
      ]);
      expect(download.suggestedFilename()).toMatch(/^token-transfers-0x[0-9a-f]{8}\.csv$/);
      const [header = "", ...lines] = readFileSync(await download.path(), "utf8")
        .trimEnd()
        .split("\r\n");
      const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any" });
      const transfers = await explorer.accounts.mrc20Transfers(customer).collect();
      expect(transfers.length).toBeGreaterThan(1);
      const columns = header.split(",");
      const cells = lines.map((line) => line.split(","));
      const column = (name: string) => cells.map((row) => row[columns.indexOf(name)]);
      expect(column("transaction_hash")).toEqual(transfers.map((one) => one.transaction_hash));
      expect(column("value")).toEqual(transfers.map(({ value }) => `${value}`));
      expect(new Set(column("token_symbol"))).toEqual(new Set(["AUR"]));
    },
  );
}

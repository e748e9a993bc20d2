// Tasks of who does something on the page: finds events, verifies, calls, reads storage.
import { expect } from "vitest";
import { patience } from "../../support/page.ts";
import { kiosk, type Task } from "./scene.ts";

export function actTasks(task: Task): void {
  task(
    "approvals to a spender",
    ({ token }) => `#/contract/${token}?list=events`,
    async ({ stage, visit }) => {
      const { page } = visit;
      const option = page.locator("select[name=event] option", { hasText: "Approval(" });
      await option.first().waitFor({ ...patience, state: "attached" });
      await page
        .locator("select[name=event]")
        .selectOption(`${await option.first().getAttribute("value")}`);
      await page.getByLabel("spender (address)").fill(stage.shop);
      await visit.page.keyboard.press("Enter");
      const rows = page.locator("tbody tr");
      await expect.poll(() => rows.count(), patience).toBe(1);
      await rows.locator(`a[title="${stage.approvals.ofCustomer}"]`).waitFor(patience);
      await expect.poll(() => visit.text("thead")).toMatch(/owner spender \w+ Time/i);
      await expect.poll(() => visit.text("tbody td[data-title=value]")).toBe("20 AUR");
      expect(await visit.violations()).toEqual([]);
    },
  );

  task(
    "call a view at an old block",
    ({ stock }) => `#/contract/${stock}?list=functions`,
    async ({ stage, visit }) => {
      const { page } = visit;
      const left = page.getByRole("region", { name: "left()" });
      await expect.poll(() => left.textContent(), patience).toMatch(/left\s*3/);
      await page.getByLabel("At block").fill(`${stage.boughtBlock - 1}`);
      await expect.poll(() => left.textContent(), patience).toMatch(/left\s*5/);
      expect(await visit.violations()).toEqual([]);
    },
  );

  task(
    "send a transaction, and see its page",
    ({ token }) => `#/contract/${token}?list=functions`,
    async ({ stage, visit }) => {
      const approve = visit.page.getByRole("form", { name: "approve(address,uint256)" });
      await approve.getByLabel("spender (address)").fill(stage.other);
      await approve.getByLabel("(uint256)").fill("1_000");
      await visit.page.keyboard.press("Enter");
      await visit.page.locator(".sentence").waitFor(patience);
      await expect
        .poll(() => visit.text(".sentence"))
        .toMatch(/ called approve\(.*\) on (Aurora|Token)/);
    },
  );

  task(
    "verify a project",
    ({ kiosk: address }) => `#/contract/${address}`,
    async ({ visit }) => {
      const { page } = visit;
      const [name, text] = ["input.json", JSON.stringify(kiosk.input)];
      const file = { name, mimeType: "application/json", buffer: Buffer.from(text) };
      await page.locator("input[name=files]").setInputFiles(file);
      await page.getByText("2 files").waitFor(patience);
      expect(await visit.violations()).toEqual([]);
      await expect
        .poll(() => page.locator("select[name=contract]").inputValue())
        .toBe("contracts/Kiosk.sol:Kiosk");
      await page.getByRole("button", { name: "Verify", exact: true }).click();
      await page.locator("main h1", { hasText: "Kiosk" }).waitFor(patience);
      await page
        .locator(".badge.good", { hasText: /^exact$/ })
        .first()
        .waitFor(patience);
    },
  );
}

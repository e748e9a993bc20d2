// Tasks of who does something on the page: finds events, verifies, calls, reads storage.
import { expect } from "vitest";
import { patience } from "../../support/page.ts";
import { kiosk, type Setting, task } from "./scene.ts";

export function actTasks(setting: Setting): void {
  task(
    "approvals to a spender",
    setting,
    ({ token }) => `#/contract/${token}?list=events`,
    async (hand, { stage, visit }) => {
      const { page } = visit;
      const option = page.locator("select[name=event] option", { hasText: "Approval(" });
      await option.first().waitFor({ ...patience, state: "attached" });
      await hand.choose(
        page.locator("select[name=event]"),
        `${await option.first().getAttribute("value")}`,
      );
      await hand.fill(page.getByLabel("spender (address)"), stage.shop);
      await hand.press("Enter");
      const rows = page.locator("tbody tr");
      await expect.poll(() => rows.count(), patience).toBe(1);
      await rows.locator(`a[title="${stage.approvals.ofCustomer}"]`).waitFor(patience);
      await expect.poll(() => visit.text("thead")).toMatch(/owner spender \w+ Time/i);
      await expect.poll(() => visit.text("tbody td[data-title=value]")).toBe("20");
      expect(await visit.violations()).toEqual([]);
    },
  );

  task(
    "call a view at an old block",
    setting,
    ({ stock }) => `#/contract/${stock}?list=functions`,
    async (hand, { stage, visit }) => {
      const { page } = visit;
      const left = page.getByRole("region", { name: "left()" });
      await expect.poll(() => left.textContent(), patience).toMatch(/left\s*3/);
      await hand.fill(page.getByLabel("At block"), `${stage.boughtBlock - 1}`);
      await expect.poll(() => left.textContent(), patience).toMatch(/left\s*5/);
      expect(await visit.violations()).toEqual([]);
    },
  );

  task(
    "read a slot",
    setting,
    ({ kiosk: address }) => `#/contract/${address}?list=functions`,
    async (hand, { visit }) => {
      const { page } = visit;
      await hand.fill(page.getByLabel("Slot"), "0");
      await hand.press("Enter");
      const storage = page.locator(".function", { hasText: "Storage" });
      await expect
        .poll(() => storage.locator("dd").allInnerTexts(), patience)
        .toEqual([`0x${"7".padStart(64, "0")}`, "7"]);
      expect(await visit.violations()).toEqual([]);
    },
  );

  task(
    "send a transaction, and see its page",
    setting,
    ({ token }) => `#/contract/${token}?list=functions`,
    async (hand, { stage, visit }) => {
      const approve = visit.page.getByRole("form", { name: "approve(address,uint256)" });
      await hand.fill(approve.getByLabel("spender (address)"), stage.other);
      await hand.fill(approve.getByLabel("(uint256)"), "1_000");
      await hand.press("Enter");
      await visit.page.locator(".sentence").waitFor(patience);
      await expect
        .poll(() => visit.text(".sentence"))
        .toMatch(/ called approve\(.*\) on (Aurora|Token)/);
    },
  );

  task(
    "verify a project",
    setting,
    ({ kiosk: address }) => `#/contract/${address}`,
    async (hand, { visit }) => {
      const { page } = visit;
      const [name, text] = ["input.json", JSON.stringify(kiosk.input)];
      const file = { name, mimeType: "application/json", buffer: Buffer.from(text) };
      await hand.files(page.locator("input[name=files]"), file);
      await page.getByText("2 files").waitFor(patience);
      expect(await visit.violations()).toEqual([]);
      await expect
        .poll(() => page.locator("select[name=contract]").inputValue())
        .toBe("contracts/Kiosk.sol:Kiosk");
      await hand.click(page.getByRole("button", { name: "Verify", exact: true }));
      await page.locator("main h1", { hasText: "Kiosk" }).waitFor(patience);
      await page
        .locator(".badge.good", { hasText: /^exact$/ })
        .first()
        .waitFor(patience);
    },
  );
}

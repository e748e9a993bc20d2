// Tasks of who does something on the page: finds events, breaks requests and looks into them, verifies, calls, reads storage.
import { expect } from "vitest";
import { patience } from "../../../support/page.ts";
import { kiosk, type Setting, type Stage, task } from "./scene.ts";

/** A request of a program to the explorer. */
const ask = async ({ served }: Stage, path: string): Promise<number> => {
  const response = await fetch(`${served.url}${path}`, { headers: { "api-key": "a-program" } });
  await response.text();
  return response.status;
};

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
    "the next two requests are 503",
    setting,
    () => "#/faults",
    async (hand, { stage, visit }) => {
      await hand.click(visit.page.getByRole("button", { name: "503 twice" }));
      await visit.page.locator("tbody tr", { hasText: "503 twice" }).waitFor(patience);
      const statuses: number[] = [];
      for (let request = 0; request < 3; request++) statuses.push(await ask(stage, "/v1/blocks/1"));
      expect(statuses).toEqual([503, 503, 200]);
      expect(await visit.violations()).toEqual([]);
      stage.served.explorer.faults.clear();
    },
  );

  task(
    "the body of a request, and what a fault changed",
    setting,
    () => "#/requests",
    async (hand, { stage, visit }) => {
      const { page } = visit;
      stage.served.explorer.journal.clear();
      stage.served.explorer.faults.add({
        fault: "field",
        path: "data.*.value",
        value: "7",
        once: true,
      });
      await ask(stage, `/v1/accounts/${stage.customer}/transactions?limit=1`);
      await hand.click(page.getByRole("link", { name: "1", exact: true }));
      const changes = page.getByRole("region", { name: "What faults changed" });
      await changes.locator("tbody tr").first().waitFor(patience);
      await expect
        .poll(() => visit.text("[aria-label='What faults changed'] tbody"))
        .toBe('results.data.0.value "0" "7"');
      const body = page.getByRole("region", { name: "Response body" });
      await body.getByRole("link", { name: stage.failed }).waitFor(patience);
      expect(await visit.violations()).toEqual([]);
      await hand.click(body.getByRole("link", { name: stage.failed }));
      await page.getByRole("region", { name: "Requests that returned this" }).waitFor(patience);
    },
  );

  task(
    "call a view at an old block",
    setting,
    ({ stock }) => `#/contract/${stock}?list=functions`,
    async (hand, { stage, visit }) => {
      const { page } = visit;
      const left = page.getByRole("form", { name: "left()" });
      await hand.fill(page.getByLabel("At block"), `${stage.boughtBlock - 1}`);
      await hand.click(left.getByRole("button", { name: "Call" }));
      await expect.poll(() => left.locator("dd").allInnerTexts(), patience).toEqual(["5"]);
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
      const storage = page.getByRole("form", { name: "Storage" });
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
    "read a proxy by the functions of what it forwards to",
    setting,
    ({ proxy }) => `#/contract/${proxy}?list=functions`,
    async (hand, { stage, visit }) => {
      const { page } = visit;
      const forwards = page.getByText("A proxy: forwards calls to");
      await forwards.locator(`a[href="#/account/${stage.token}"]`).waitFor(patience);
      const decimals = page.getByRole("form", { name: "decimals()" });
      await hand.click(decimals.getByRole("button", { name: "Call" }));
      await expect.poll(() => decimals.locator("dd").allInnerTexts(), patience).toEqual(["6"]);
      expect(await visit.violations()).toEqual([]);
    },
  );

  task(
    "send a proxy a transaction by those functions, and see its event",
    setting,
    ({ proxy }) => `#/contract/${proxy}?list=functions`,
    async (hand, { stage, visit }) => {
      const approve = visit.page.getByRole("form", { name: "approve(address,uint256)" });
      await hand.fill(approve.getByLabel("spender (address)"), stage.other);
      await hand.fill(approve.getByLabel("(uint256)"), "5");
      await hand.press("Enter");
      await visit.page.locator(".sentence").waitFor(patience);
      await expect.poll(() => visit.text(".sentence")).toMatch(/ called approve\(.*, .*5\) on /);
      await visit.open(`#/contract/${stage.proxy}?list=events`);
      await visit.page.locator(`tbody a[title="${stage.other}"]`).waitFor(patience);
    },
  );

  task(
    "bad arguments say what was expected",
    setting,
    ({ token }) => `#/contract/${token}?list=functions`,
    async (hand, { visit }) => {
      const balance = visit.page.getByRole("form", { name: "balanceOf(address)" });
      await hand.fill(balance.getByLabel("(address)"), "0x12");
      await hand.press("Enter");
      await balance
        .getByText('expected an address (0x and 40 hexadecimal digits), received "0x12"')
        .waitFor(patience);
      expect(await visit.violations()).toEqual([]);
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
        .poll(() => page.locator("select[name=contract_name]").inputValue())
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

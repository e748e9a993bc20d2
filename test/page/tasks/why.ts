// Tasks of who wants to know what a transaction did, and why it failed.
import { expect } from "vitest";
import { exactAmount } from "../../../mocks/page/format/values.ts";
import { patience } from "../../support/page.ts";
import { kiosk, SHOP_FILE, shopSource, type Task } from "./scene.ts";

export function whyTasks(task: Task): void {
  task(
    "at which line it failed",
    ({ failed }) => `#/tx/${failed}`,
    async ({ visit }) => {
      const line = shopSource.split("\n").findIndex((text) => text.includes("fails: buy")) + 1;
      await visit.page.locator(".source-line").waitFor(patience);
      await expect
        .poll(() => visit.text(".source-line"))
        .toContain(`at line ${line} of ${SHOP_FILE}`);
      await expect
        .poll(() => visit.text(".source-line mark"))
        .toContain("revert SoldOut(left, count)");
      // The lines around it are no errors.
      const colorOf = (selector: string) =>
        visit.page.locator(selector).evaluate((one) => getComputedStyle(one).color);
      expect(await colorOf(".source-line pre:not(.quiet)")).toBe(await colorOf("body"));

      await visit.page.getByRole("link", { name: "Open the file" }).click();
      const mark = visit.page.locator("main .card:not(.head) mark");
      await mark.waitFor(patience);
      await expect
        .poll(() => visit.text("main .card:not(.head) mark"))
        .toBe(shopSource.split("\n")[line - 1]?.trim());
      await expect
        .poll(() => visit.text("main .card:not(.head) .numbered"))
        .toContain("contract Token {");
      await expect
        .poll(() => mark.evaluate((one) => one.getBoundingClientRect().top), patience)
        .toBeLessThan(900);
      expect(await visit.violations()).toEqual([]);
      await visit.page.emulateMedia({ colorScheme: "dark" });
      expect(await visit.violations(["color-contrast"])).toEqual([]);
      await visit.page.emulateMedia({ colorScheme: null });
    },
  );

  task(
    "which code a contract without a source has, and who created it",
    ({ kiosk }) => `#/account/${kiosk}`,
    async ({ visit, stage }) => {
      await expect.poll(() => visit.text("main h1")).toContain("not verified");
      await visit.page.locator(`main a[title="${stage.keeper}"]`).first().waitFor(patience);
      await visit.page.getByRole("link", { name: "Code", exact: true }).click();
      const code = await visit.page.locator(".code pre").first().textContent();
      // The creation code ends with it.
      expect(kiosk.code("Kiosk")).toContain(code?.trim().slice(2));
      expect(code?.length).toBeGreaterThan(200);
    },
  );

  task(
    "balances before and after",
    ({ bought }) => `#/tx/${bought}`,
    async ({ visit, stage }) => {
      await visit.page.getByRole("link", { name: "Changes", exact: true }).click();
      const rows = visit.page.getByRole("table", { name: "Balances before and after" });
      await rows.waitFor(patience);
      const cellsOf = async (wanted: string) => {
        const cells = await rows
          .locator("tbody tr")
          .evaluateAll((all) =>
            all.map((row) => Array.from(row.children, (cell) => cell.textContent.trim())),
          );
        return cells.filter(([, unit]) => unit === wanted).map(([, , ...rest]) => rest);
      };
      await expect.poll(() => cellsOf("AUR")).toContainEqual(["50", "46", "-4"]);
      await expect.poll(() => cellsOf("AUR")).toContainEqual(["0", "4", "+4"]);
      const balance = async (block: number) => {
        const at = `0x${block.toString(16)}`;
        return BigInt(String(await stage.node.ask("eth_getBalance", stage.customer, at)));
      };
      const ends = [
        await balance(stage.boughtBlock - 1),
        await balance(stage.boughtBlock),
      ] as const;
      await expect
        .poll(() => cellsOf("coins"))
        .toContainEqual([...ends, ends[1] - ends[0]].map((one) => exactAmount(one, 18)));
    },
  );

  task(
    "a slot by the name of its variable, or why no storage is known",
    ({ bought }) => `#/tx/${bought}`,
    async ({ visit }) => {
      const { page } = visit;
      await page.getByRole("link", { name: "Changes", exact: true }).click();
      const cells = () =>
        visit.texts("table:has(caption:text-is('Changes of the state')) tbody tr");
      await expect.poll(cells, patience).toContainEqual("Stock left uint256, slot 0x0 5 3");
      // The slots are hashes of the holders, whom the event names.
      for (const pattern of [
        /^Aurora balanceOf\[0x\S+\] uint256, slot 0x\S+ 50,000,000 46,000,000$/,
        /^Aurora balanceOf\[Shop\] uint256, slot 0x\S+ 0 4,000,000$/,
      ])
        expect(await cells()).toContainEqual(expect.stringMatching(pattern));
      expect(await visit.violations()).toEqual([]);
    },
  );

  task(
    "who called whom with which arguments",
    ({ bought }) => `#/tx/${bought}`,
    async ({ visit }) => {
      await visit.page.getByRole("link", { name: /^Calls/ }).click();
      const patterns = [
        `^transaction .* → Shop buy\\(2\\) with 1 coin returned 4,000,000 [\\d,]+ gas$`,
        "^call Stock take\\(2\\) [\\d,]+ gas$",
        `^call Aurora transferFrom\\(.*, Shop, 4\\) returned true [\\d,]+ gas$`,
        "^call 0x\\S+ with 1 coin 0 gas$",
      ].map((pattern) => expect.stringMatching(new RegExp(pattern)));
      await expect.poll(() => visit.texts(".calls li")).toEqual(patterns);
      expect(await visit.violations()).toEqual([]);
    },
  );
}

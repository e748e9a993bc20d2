// Tasks of who wants to know what a transaction did, and why it failed.
import { expect } from "vitest";
import { patience } from "../../support/page.ts";
import { type Setting, SHOP_FILE, shopSource, task } from "./scene.ts";

export function whyTasks(setting: Setting): void {
  task(
    "why a transaction failed, and where that began",
    setting,
    ({ failed }) => `#/tx/${failed}`,
    async (_, { visit }) => {
      expect(await visit.text(".sentence")).toMatch(
        / called buy\(9\) on Shop: failed, SoldOut\(left: 3, wanted: 9\)$/,
      );
      expect(await visit.text(".reason")).toMatch(
        /began at Stock in take\(9\) passed on by Shop in buy\(9\)/,
      );
    },
  );

  task(
    "at which line it failed",
    setting,
    ({ failed }) => `#/tx/${failed}`,
    async (_, { visit }) => {
      const line = shopSource.split("\n").findIndex((text) => text.includes("fails: buy")) + 1;
      await visit.page.locator(".source-line").waitFor(patience);
      expect(await visit.text(".source-line")).toContain(`at line ${line} of ${SHOP_FILE}`);
      expect(await visit.text(".source-line mark")).toContain("revert SoldOut(left, count)");
    },
  );

  task(
    "who called whom with which arguments",
    setting,
    ({ bought }) => `#/tx/${bought}`,
    async (hand, { visit }) => {
      await hand.click(visit.page.getByRole("link", { name: /^Calls/ }));
      const calls = visit.page.locator(".calls li");
      await calls.first().waitFor(patience);
      const texts = (await calls.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
      expect(texts).toEqual([
        expect.stringMatching(/^transaction .* → Shop buy\(2\) 1 [\d,]+ gas$/),
        expect.stringMatching(/^call Shop → Stock take\(2\) [\d,]+ gas$/),
        expect.stringMatching(/^call Shop → Aurora transferFrom\(.*, Shop, 4\) [\d,]+ gas$/),
        expect.stringMatching(/^call Shop → 0x\S+ 1 0 gas$/),
      ]);
    },
  );
}

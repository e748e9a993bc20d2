// Every view of the page by the rules of axe, and by its geometry, on the demo chain in a real browser.
import { describe, expect, test } from "vitest";
import { createExplorer } from "../../mocks/index.ts";
import { loadDemo, serveExplorer } from "../../mocks/node.ts";
import type { PageView } from "../../mocks/page/app.tsx";
import { hasChromium } from "../support/chromium.ts";
import { type Visit, visitOnce } from "../support/page.ts";

const account = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const collection = "0x71c95911e9a5d330f4d621842ec243ee1343292e";
/** A transaction with a few calls and logs. */
const few = "0x84877b7f5df92ea3f7c10615945037b6ed3dc4cba2a44acb7c0ee65a48decc87";

const mock = createExplorer({ chain: await loadDemo({ verified: true }) });
const served = await serveExplorer(mock, { admin: true });
let visit: Visit;

/** Where to see each view: a view without an address does not compile. */
const addresses: Readonly<Record<PageView, readonly [string, ...string[]]>> = {
  "": ["#/"],
  search: ["#/search/aurora"],
  account: [`#/account/${account}`, `#/account/${token}?list=logs`],
  tx: [`#/tx/${few}?list=logs`, `#/tx/${few}?list=calls`, `#/tx/${few}?list=changes`],
  block: ["#/block/92"],
  blocks: ["#/blocks"],
  transactions: ["#/transactions?page=3"],
  logs: ["#/logs?event=Approval"],
  accounts: ["#/accounts"],
  tokens: ["#/tokens"],
  contracts: ["#/contracts"],
  token: [`#/token/${token}?list=holders&min_amount=1`, `#/token/${collection}?list=inventory`],
  contract: [
    `#/contract/${token}`,
    `#/contract/${collection}`,
    `#/contract/${token}?list=events`,
    `#/contract/${token}?list=functions`,
  ],
  requests: ["#/requests/1", "#/requests"],
  faults: ["#/faults"],
  api: ["#/api"],
};

mock.faults.add({ fault: "field", path: "data.*.value", value: "7", once: true });
await mock.fetch(`${mock.baseUrl}/v1/accounts/${account}/transactions?limit=3&offset=0`, {
  headers: { "api-key": "k" },
});

visitOnce(served, (opened) => {
  visit = opened;
});

describe.skipIf(!hasChromium)("the page", () => {
  test.each(Object.values(addresses).flat())(
    "has no violation that axe finds, light and dark: %s",
    async (view) => {
      await visit.page.emulateMedia({ colorScheme: "light" });
      await visit.open(view);
      expect(await visit.violations()).toEqual([]);
      await visit.page.emulateMedia({ colorScheme: "dark" });
      expect(await visit.violations(["color-contrast"])).toEqual([]);
    },
  );

  test.each(Object.values(addresses).flat())(
    "cuts no cell or column of a table and is no wider than the screen: %s",
    async (view) => {
      for (const width of [390, 620, 760, 1000, 1110, 1440]) {
        await visit.page.setViewportSize({ width, height: 900 });
        await visit.open(view);
        expect(await visit.wider(), `${view} at ${width}`).toBeLessThanOrEqual(0);
        const hidden = await visit.page
          .locator(".rows")
          .evaluateAll((all) => all.map((box) => box.scrollWidth - box.clientWidth));
        expect(Math.max(0, ...hidden), `${view} at ${width}`).toBe(0);
        for (const colorScheme of ["light", "dark"] as const) {
          await visit.page.emulateMedia({ colorScheme });
          const cut = await visit.page.locator("main td").evaluateAll((cells) =>
            cells
              .filter(
                ({ clientWidth, clientHeight, scrollWidth }) =>
                  clientHeight > 0 &&
                  // A column that is too narrow breaks its words letter by letter.
                  (scrollWidth > clientWidth + 1 || clientHeight > 3 * clientWidth),
              )
              .map((cell) => `${cell.getAttribute("data-title")}: ${cell.textContent}`),
          );
          expect(cut, `${view} at ${width}, ${colorScheme}`).toEqual([]);
        }
      }
    },
  );
});

// A page tested with Playwright: `npx playwright test playwright.spec.ts`. The double is on a port, and the page asks it.
import {
  buildChain,
  coins,
  createExplorer,
  type ServedExplorer,
  serveExplorer,
} from "mrc-explorer/mocks/node";
import { expect, test } from "playwright/test"; // in a project with Playwright Test: "@playwright/test"

test.use({
  launchOptions: {
    ...(process.env.CHROMIUM_PATH === undefined
      ? {}
      : { executablePath: process.env.CHROMIUM_PATH }),
    args: ["--no-sandbox"],
  },
});

const story = buildChain();
const alice = story.account({ name: "alice", balance: coins(10) });
const bob = story.account({ name: "bob" });

let served: ServedExplorer;
test.beforeAll(async () => {
  served = await serveExplorer(createExplorer({ chain: story }));
});
test.afterEach(() => served.explorer.reset());
test.afterAll(() => served.close());

/** Your page, told where the explorer is. Any page will do: here it is a line of HTML. */
const page = (explorerUrl: string, account: string) => `
  <h1>Loading…</h1>
  <script type="module">
    const answer = await fetch("${explorerUrl}/v1/accounts/balance", {
      method: "POST",
      headers: { "api-key": "any", "content-type": "application/json" },
      body: JSON.stringify({ addresses: ["${account}"] }),
    });
    const { results, message } = await answer.json();
    document.querySelector("h1").textContent = answer.ok ? results.data[0].balance : message;
  </script>`;

test("the page shows what an account has", async ({ page: tab }) => {
  story.transfer(alice, bob, 7n);
  story.mine();
  await tab.setContent(page(served.url, bob));
  await expect(tab.locator("h1")).toHaveText("7");
});

test("the page says that the explorer is busy", async ({ page: tab }) => {
  served.explorer.faults.add({ fault: "status", status: 503, message: "busy" });
  await tab.setContent(page(served.url, bob));
  await expect(tab.locator("h1")).toHaveText("busy");
});

// Tests with Playwright: `npx playwright test playwright.spec.mts`. The page calls a mock server on
// a port.
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

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
const bob = builder.account({ name: "bob" });

let served: ServedExplorer;
test.beforeAll(async () => {
  served = await serveExplorer(createExplorer({ chain: builder }));
});
test.afterEach(() => served.explorer.reset());
test.afterAll(() => served.close());

/** Your page, configured with the address of the mock server. */
const page = (explorerUrl: string, account: string) => `
  <h1>Loading…</h1>
  <script type="module">
    const response = await fetch("${explorerUrl}/v1/accounts/balance", {
      method: "POST",
      headers: { "api-key": "any", "content-type": "application/json" },
      body: JSON.stringify({ addresses: ["${account}"] }),
    });
    const { results, message } = await response.json();
    document.querySelector("h1").textContent = response.ok ? results.data[0].balance : message;
  </script>`;

test("shows the balance of an account", async ({ page: tab }) => {
  builder.transfer(alice, bob, 7n);
  builder.mine();
  await tab.setContent(page(served.url, bob));
  await expect(tab.locator("h1")).toHaveText("7");
});

test("shows that the explorer is busy", async ({ page: tab }) => {
  served.explorer.faults.add({ fault: "status", status: 503, message: "busy" });
  await tab.setContent(page(served.url, bob));
  await expect(tab.locator("h1")).toHaveText("busy");
});

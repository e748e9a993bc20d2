// Takes the pictures in docs: the built page with the demo chain, in Chromium. Run `npm run build`
// first.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright";
import { continueChain, createExplorer } from "../mocks/index.ts";
import { loadDemo, serveExplorer } from "../mocks/node.ts";
import { ExplorerClient } from "../src/index.ts";
import { startChromium } from "../test/support/chromium.ts";

const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
/** It calls the token 51 times. */
const transaction = "0x2fac47fdcd21943d55c8ef8e1b3cd7e1f02e11e2302caa687200ee7449e88c37";

const chain = await loadDemo();
continueChain(chain).verify(token, {
  contractName: "AuroraToken",
  source: "contract AuroraToken {}",
  abi: [
    {
      type: "event",
      name: "Transfer",
      inputs: [
        { name: "from", type: "address", indexed: true },
        { name: "to", type: "address", indexed: true },
        { name: "value", type: "uint256", indexed: false },
      ],
    },
  ],
});
/** A little after the last block, so that every run writes the same times. */
const now = chain.head.timestamp * 1000 + 20_000;
const mock = createExplorer({ chain, now: () => now });
const served = await serveExplorer(mock, { admin: true });

/** Requests for the journal, some of which fail. */
async function ask(): Promise<void> {
  const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any", retry: 0 });
  mock.faults.add({ fault: "status", status: 503, operation: "A4", once: true });
  await explorer.accounts.transactions(account, { limit: 3 });
  await explorer.accounts.balances([account, token]);
  await explorer.accounts.mrc20Transfers(account).catch(() => {});
  await explorer.accounts.mrc20Transfers(account, { limit: 10 });
  await explorer.blocks.get(90n);
  const headers = { "api-key": "any" };
  await fetch(`${served.url}/v1/accounts/${account}/transactions?limt=5`, { headers });
  await fetch(`${served.url}/v1/acounts/${account}/transactions`, { headers });
  await explorer.tokens.holderCount(token);
}

interface Shot {
  readonly name: string;
  readonly view: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: "light" | "dark";
}

const shots: readonly Shot[] = [
  { name: "page", view: "#/", width: 1280, height: 860, colorScheme: "light" },
  {
    name: "page-transaction",
    view: `#/tx/${transaction}?list=logs`,
    width: 1280,
    height: 800,
    colorScheme: "dark",
  },
  { name: "page-requests", view: "#/requests", width: 1280, height: 640, colorScheme: "light" },
  {
    name: "page-phone",
    view: `#/account/${account}`,
    width: 390,
    height: 780,
    colorScheme: "light",
  },
];

/** Waits until nothing on the page is on its way. */
async function settle(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector(".skeleton") === null);
  await page.waitForLoadState("networkidle").catch(() => {});
}

async function take(browser: Browser, { name, view, width, height, colorScheme }: Shot) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.clock.setFixedTime(now);
  await page.addInitScript(
    (token) => sessionStorage.setItem("explorer-admin-token", token),
    served.admin.token,
  );
  await page.goto(`${served.url}/${view}`);
  await settle(page);
  const path = fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url));
  await page.screenshot({ path });
  await page.close();
  console.log(`docs/${name}.png`);
}

/** Takes the picture that other sites show for a link: the mark, the name, and the page. */
async function takeCard(browser: Browser) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  const [mark, picture] = ["mark.svg", "page.png"].map((name) =>
    readFileSync(new URL(`../docs/${name}`, import.meta.url)).toString("base64"),
  );
  await page.setContent(`<style>
      body { margin: 0; padding: 64px; background: #f6f7f8; font: 32px system-ui, sans-serif; color: #1b1f23; }
      h1 { display: flex; align-items: center; gap: 24px; margin: 0 0 16px; font-size: 64px; }
      p { margin: 0 0 48px; max-width: 900px; }
      .picture { width: 1072px; border: 1px solid #e3e6e8; border-radius: 16px; }
    </style>
    <h1><img width="80" src="data:image/svg+xml;base64,${mark}">mrc-explorer</h1>
    <p>A typed client for MRC block explorers, and a mock explorer for your tests</p>
    <img class="picture" src="data:image/png;base64,${picture}">`);
  await page.screenshot({ path: fileURLToPath(new URL("../docs/card.png", import.meta.url)) });
  await page.close();
  console.log("docs/card.png");
}

await ask();
const browser = await startChromium();
for (const shot of shots) await take(browser, shot);
await takeCard(browser);
await browser.close();
await served.close({ graceMs: 0 });

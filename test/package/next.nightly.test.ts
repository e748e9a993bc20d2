// The recipes for Next in a real app with the packed package: built with Next's own settings,
// started, and read over HTTP and in Chromium.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { serveExplorer } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { environmentFolder, isInstalled } from "../support/environments.ts";
import { freePort } from "../support/free-port.ts";
import { dependenciesOf, userEnv } from "./consumer.ts";
import { packed } from "./packed.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const app = environmentFolder("next");
const next = `${app}node_modules/next/dist/bin/next`;

/** Puts the package as published into the app, with the dependencies that it declares. */
function installPackage(): void {
  const folder = `${app}node_modules/mrc-explorer`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  execFileSync("tar", ["-xzf", packed(), "-C", folder, "--strip-components=1"]);
  const queries = ["@tanstack/react-query", "@tanstack/query-core"];
  for (const name of [...dependenciesOf(folder), ...queries])
    cpSync(`${root}node_modules/${name}`, `${app}node_modules/${name}`, { recursive: true });
}

test.skipIf(!isInstalled(app))(
  "a Next app builds with the package, shows an account, and is a proxy for pages",
  async () => {
    installPackage();
    const recipes = {
      "account-page.tsx": "accounts/[address]/page.tsx",
      "account-live.tsx": "accounts/[address]/live.tsx",
      "history.tsx": "accounts/[address]/history.tsx",
      "watch.tsx": "accounts/[address]/watch.tsx",
      "proxy-next.ts": "api/explorer/[...path]/route.ts",
      "account-prefetch.tsx": "prefetched/[address]/page.tsx",
      "account-overview.tsx": "prefetched/[address]/overview.tsx",
      "account-cached.tsx": "cached/[address]/page.tsx",
      "account-revalidate.ts": "cached/[address]/revalidate/route.ts",
    };
    for (const [recipe, place] of Object.entries(recipes))
      cpSync(`${root}examples/recipes/${recipe}`, `${app}app/${place}`);
    // Next writes one that is not strict, as for most apps.
    rmSync(`${app}tsconfig.json`, { force: true });
    const env = { ...userEnv, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
    execFileSync(process.execPath, [next, "build"], { cwd: app, env });

    const builder = buildChain();
    const bob = builder.account({ name: "bob" });
    // Enough for a transfer in each look at the page, until the page has begun to watch.
    const alice = builder.account({ name: "alice", balance: coins(1_000_000) });
    builder.transfer(alice, bob, coins(33) / 2n);
    const carol = builder.account({ name: "carol" });
    for (let count = 0; count < 30; count++) builder.transfer(alice, carol, coins(1));
    builder.mine();
    const mock = createExplorer({ chain: builder });
    const served = await serveExplorer(mock);
    onTestFinished(() => served.close());
    const port = String(await freePort());
    const server = spawn(process.execPath, [next, "start", "-p", port, "-H", "127.0.0.1"], {
      cwd: app,
      env: { ...env, EXPLORER_BASE_URL: served.url, EXPLORER_API_KEY: "sk-server-0123456789" },
      stdio: "ignore",
    });
    onTestFinished(() => void server.kill());
    const shown = await vi.waitFor(
      async () => (await fetch(`http://127.0.0.1:${port}/accounts/${bob}`)).text(),
      { timeout: 300_000, interval: 200 },
    );
    expect(shown.replaceAll("<!-- -->", "")).toContain("<p>16.5 coins</p>");
    expect(shown).not.toContain("sk-server");

    const read = async (path: string, method = "GET") => {
      const answer = await fetch(`http://127.0.0.1:${port}/${path}`, { method });
      return (await answer.text()).replaceAll("<!-- -->", "");
    };
    const prefetched = await read(`prefetched/${carol}`);
    expect(prefetched).toContain("<p>30 coins</p>");
    expect(prefetched.match(/<li>/g)).toHaveLength(25);
    expect(prefetched).toContain('"mainnet\\"');
    expect(prefetched).not.toContain(new URL(served.url).host);

    // The cached page asks once, until its tag is revalidated.
    mock.journal.clear();
    for (let visit = 0; visit < 3; visit++)
      expect(await read(`cached/${carol}`)).toContain("<p>30 coins</p>");
    expect(mock.journal.count("accounts.balance")).toBe(1);
    builder.transfer(alice, carol, coins(1));
    builder.mine();
    await read(`cached/${carol}/revalidate`, "POST");
    expect(await read(`cached/${carol}`)).toContain("<p>31 coins</p>");

    // One client for all requests of the edge runtime.
    const edge = Array.from({ length: 40 }, () => read(`api/edge?address=${carol}`));
    expect(new Set(await Promise.all(edge))).toEqual(new Set(["31000000000000000000"]));

    // The proxy in the same app, whose build has no key either.
    const received: string[] = [];
    const explorer = new ExplorerClient({
      baseUrl: `http://127.0.0.1:${port}/api/explorer`,
      apiKey: "added-by-the-proxy",
      async fetch(url, init) {
        const answer = await fetch(url, init);
        received.push(await answer.clone().text(), JSON.stringify([...answer.headers]));
        return answer;
      },
    });
    expect(await explorer.accounts.balance(bob)).toBe(coins(33) / 2n);
    expect(await explorer.accounts.transactions(bob).collect()).toHaveLength(1);
    expect(received).not.toHaveLength(0);
    expect(received.join()).not.toContain("sk-server");

    if (!hasChromium) return;
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    const broken: string[] = [];
    tab.on("pageerror", ({ message }) => broken.push(message));
    const requested: string[] = [];
    tab.on("request", (request) => {
      if (request.url().includes("/api/explorer")) requested.push(request.url());
    });
    await tab.goto(`http://127.0.0.1:${port}/prefetched/${carol}`);
    await tab.getByText("31 coins").waitFor();
    // The first request of the browser is for the second page, which begins at the last record shown.
    await tab.getByText("More").click();
    await expect.poll(() => tab.locator("li").count()).toBe(31);
    expect(requested).toEqual([expect.stringContaining("offset=24")]);
    await tab.goto(`http://127.0.0.1:${port}/live/${bob}`);
    await tab.getByText("16.5").waitFor();
    // A transfer before the first poll belongs to the history, so this sends one for each look.
    await expect
      .poll(() => {
        builder.transfer(alice, bob, coins(2));
        builder.mine();
        return tab.locator("li").count();
      })
      .toBeGreaterThan(1);
    expect(broken).toEqual([]);
  },
);

// The client in a page: with a service worker behind `fetch`, with a fetch of its own, and with servers on other origins.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { commands } from "vitest/browser";
import { createExplorer, setupExplorerWorker } from "../../mocks/browser.ts";
import { ExplorerClient, RedirectError } from "../../src/index.ts";
import { buildSampleChain } from "../support/sample-chain.ts";

const { builder, alice, bob, gold } = buildSampleChain();
const baseUrl = "https://explorer.example";
const mock = createExplorer({ chain: builder, baseUrl, apiKeys: ["secret-key"] });
const explorer = new ExplorerClient({
  baseUrl,
  apiKey: "secret-key",
  retry: { limit: 2, delay: () => 1 },
});

describe("with a service worker", () => {
  const { start, stop } = setupExplorerWorker(mock);
  beforeAll(() => start());
  afterEach(() => mock.reset());
  afterAll(() => stop());

  test("the page is under the worker's control", () => {
    expect(navigator.serviceWorker.controller?.scriptURL).toContain("mockServiceWorker");
  });

  test("the page sees what happened on the chain", async () => {
    expect(await explorer.accounts.balance(alice)).toBe(mock.chain.balance(alice));
    expect(await explorer.tokens.balance(gold.address, bob)).toBe(
      mock.chain.tokenBalance(gold.address, bob),
    );
    const hashes = await Array.fromAsync(
      explorer.accounts.transactions(bob, { limit: 20 }),
      (transaction) => transaction.transaction_hash,
    );
    const { count } = mock.chain.transactions(bob, "all", {});
    expect(new Set(hashes).size).toBe(count);
    expect(hashes).toHaveLength(count);
  });

  test("an abort stops a call with the signal's own reason", async () => {
    mock.faults.add({ fault: "never" });
    const controller = new AbortController();
    const asked = explorer.accounts.balance(alice, { signal: controller.signal });
    controller.abort(new Error("the page was left"));
    await expect(asked).rejects.toThrow("the page was left");
  });
});

describe("with servers on other origins", () => {
  afterAll(() => commands.stopServers());

  test("an explorer on a port answers a page from elsewhere", async () => {
    const client = new ExplorerClient({ baseUrl: await commands.startServed(), apiKey: "any" });
    expect(await client.accounts.balance(bob)).toBe(buildSampleChain().chain.balance(bob));
    const { data, count } = await client.accounts.mrc20Transfers(bob, { limit: 3 });
    expect([data.length, count]).toEqual([3, 30]);
  });

  test("a redirect is not followed: the key goes nowhere else", async () => {
    const moved = await commands.startMoved();
    for (const way of ["away", "within"]) {
      const client = new ExplorerClient({ baseUrl: `${moved}/${way}`, apiKey: "secret-key" });
      const error = await client.tokens.totalSupply(gold.address).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(RedirectError);
    }
    // The way there is open: it is the client that does not go.
    await fetch(`${moved}/away/open`);
    expect((await commands.heardElsewhere()).map(({ url }) => url)).toEqual(["/away/open"]);
  });
});

// The recipe for React in a real browser: loads as the reader scrolls, shows every record once, and leaves retries to the client.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { History } from "../../examples/recipes/history.tsx";
import { NewTransactions } from "../../examples/recipes/watch.tsx";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";

let unmount = () => {};
beforeEach(() => {
  // Rows so high that a page of them does not fit the window.
  document.head.innerHTML = "<style>li { height: 90px }</style>";
  // The next test's rows would otherwise appear scrolled to their end, and load the page after.
  window.scrollTo(0, 0);
});
afterEach(() => unmount());

function show(isWatched = false) {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(100) });
  const bob = builder.account({ name: "bob" });
  const pay = (count: number) => {
    for (let paid = 0; paid < count; paid++) {
      builder.transfer(alice, bob, coins(1));
      builder.mine();
    }
  };
  pay(60);
  const mock = createExplorer({ chain: builder });
  const signals: AbortSignal[] = [];
  const explorer = new ExplorerClient({
    baseUrl: mock.baseUrl,
    apiKey: "any",
    retry: { limit: 2, delay: () => 1 },
    fetch: (url, init) => {
      signals.push(init.signal);
      return mock.fetch(url, init);
    },
  });
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  const defaultOptions = { queries: { refetchOnWindowFocus: false } };
  root.render(
    createElement(
      QueryClientProvider,
      { client: new QueryClient({ defaultOptions }) },
      createElement(History, { explorer, account: bob }),
      isWatched && createElement(NewTransactions, { explorer, account: bob, pollInterval: 50 }),
    ),
  );
  unmount = () => {
    root.unmount();
    container.remove();
  };
  const rows = () => [...container.querySelectorAll("li")].map(({ dataset }) => dataset.key);
  const scroll = () => window.scrollTo(0, document.body.scrollHeight);
  const requests = () => mock.journal.count("accounts.transactions");
  return { builder, bob, mock, pay, container, rows, scroll, requests, signals };
}

describe("the history of an account", () => {
  test("loads a page, and the next ones when the reader comes to the end", async () => {
    const { builder, bob, pay, rows, scroll, requests } = show();
    await expect.poll(() => rows().length).toBe(25);
    const first = builder.chain.transactions(bob, "all", {}).count;
    expect(requests()).toBe(1);

    // What arrives meanwhile moves nothing and is not shown twice.
    pay(3);
    scroll();
    // Three have moved the last record read, and still the next page has 25 new ones.
    await expect.poll(() => rows().length).toBe(50);
    await expect
      .poll(() => {
        scroll();
        return rows().length;
      })
      .toBe(first);
    expect(new Set(rows()).size).toBe(first);
  });

  test("says what is wrong after the client's own retries, and goes on when asked to", async () => {
    const { mock, container, rows, scroll, requests } = show();
    await expect.poll(() => rows().length).toBe(25);
    mock.faults.add({ fault: "status", status: 503, operation: "accounts.transactions" });
    scroll();
    await expect
      .poll(() => container.querySelector("[role=alert]")?.textContent)
      .toMatch(/503|failed|unavailable/i);
    // One attempt and two retries: nobody has retried besides the client.
    expect(requests()).toBe(1 + 3);
    mock.faults.clear();
    container.querySelector("button")?.click();
    await expect.poll(() => rows().length).toBeGreaterThan(25);
    expect(container.querySelector("[role=alert]")).toBeNull();
  });
});

/** Shows or hides the tab, as switching to another one does. */
function setHidden(isHidden: boolean): void {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}

describe("new transactions", () => {
  afterEach(() => setHidden(false));

  test("are added to the top of the history once each, through an outage", async () => {
    const { builder, bob, mock, pay, container, rows, scroll, requests } = show(true);
    await expect.poll(() => rows().length).toBe(25);
    const outage = mock.faults.add({ fault: "status", status: 503 });
    await expect
      .poll(() => container.querySelector("[role=status]")?.textContent)
      .toMatch(/trying again/);
    pay(2);
    outage.remove();
    await expect.poll(() => rows().length).toBe(27);
    pay(1);
    await expect.poll(() => rows().length).toBe(28);
    expect(container.querySelector("[role=status]")).toBeNull();
    // Older transactions still follow.
    const all = builder.chain.transactions(bob, "all", {});
    await expect
      .poll(() => {
        scroll();
        return rows().length;
      })
      .toBe(all.count);
    const hashes = all.slice(0, all.count).map(({ hash }) => hash);
    expect(rows()).toEqual(hashes.toReversed());
    const before = requests();
    await expect.poll(requests).toBeGreaterThan(before + 2);
    expect(rows()).toHaveLength(all.count);
  });

  test("are not requested while the tab is hidden, and found when it is shown", async () => {
    const { pay, rows, requests } = show(true);
    await expect.poll(() => rows().length).toBe(25);
    const polls = requests();
    await expect.poll(requests).toBeGreaterThan(polls + 2);
    setHidden(true);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = requests();
    pay(2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(requests()).toBe(before);
    expect(rows()).toHaveLength(25);
    setHidden(false);
    await expect.poll(() => rows().length).toBe(27);
  });

  test("that a reorganisation removes leave the history", async () => {
    const { builder, pay, rows } = show(true);
    await expect.poll(() => rows().length).toBe(25);
    pay(2);
    await expect.poll(() => rows().length).toBe(27);
    const [newest] = rows();
    builder.reorg(1, { drop: "all" });
    await expect.poll(() => rows().includes(newest)).toBe(false);
  });
});

// Every view of the page in a real browser, on the demo chain.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { items } from "../../mocks/chain/listing.ts";
import { continueChain, createExplorer } from "../../mocks/index.ts";
import { loadDemo, serveExplorer } from "../../mocks/node.ts";
import { exactAmount, shortAmount } from "../../mocks/page/format/values.ts";
import { ExplorerClient, operations } from "../../src/index.ts";
import { hasChromium } from "../support/chromium.ts";
import { patience, startFront, type Visit, visitOnce } from "../support/page.ts";
import { rawAdmin } from "../support/raw-admin.ts";

const chain = await loadDemo();
const account = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const collection = "0x71c95911e9a5d330f4d621842ec243ee1343292e";
/** Its pictures are in its URIs. */
const mosaic = "0x7c4673477ea55eaa5b7c9fd55d4858444c74d25a";
/** One transaction that calls the token 51 times. */
const calls = "0x2fac47fdcd21943d55c8ef8e1b3cd7e1f02e11e2302caa687200ee7449e88c37";

const address = (name: string, indexed = false) => ({ name, type: "address", indexed });
const value = { name: "value", type: "uint256", indexed: false };
continueChain(chain).verify(token, {
  contractName: "AuroraToken",
  level: "partial",
  uncovered: ["metadata hash", "ABI", "creation code", "immutables"],
  swarmSource: "ipfs://QmAurora",
  source: '// A token.\ncontract AuroraToken { string name = "<b>Aurora</b>"; }',
  abi: [
    {
      type: "function",
      name: "transfer",
      inputs: [
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
      ],
      outputs: [{ name: "", type: "bool" }],
      stateMutability: "nonpayable",
    },
    {
      type: "event",
      name: "Transfer",
      inputs: [address("from", true), address("to", true), value],
    },
  ],
});

const mock = createExplorer({ chain });
const served = await serveExplorer(mock, { admin: true });
let visit: Visit;

const text = (selector: string) => visit.text(selector);
const rows = () => visit.page.locator("tbody tr");
const button = (name: string) => visit.page.getByRole("button", { name, exact: true });

visitOnce(
  served,
  (opened) => {
    visit = opened;
  },
  { acceptDownloads: true },
);

describe.skipIf(!hasChromium)("the page", () => {
  test("shows the pictures of a collection, which need no other machine", async () => {
    await visit.open(`#/token/${mosaic}?list=inventory`);
    const pictures = visit.page.locator("main img");
    await expect.poll(() => pictures.count(), patience).toBe(12);
    const widths = () =>
      pictures.evaluateAll((all) =>
        all.map((one) => (one instanceof HTMLImageElement && one.complete ? one.naturalWidth : 0)),
      );
    await pictures.last().scrollIntoViewIfNeeded();
    await expect.poll(async () => Math.min(...(await widths())), patience).toBeGreaterThan(0);
  });

  test("shows the chain at first, and new blocks as they arrive", async () => {
    await visit.open("#/");
    await visit.page.locator(".figures").waitFor(patience);
    await expect
      .poll(() => text(".figures"))
      .toMatch(/Head 92 .* Transactions 756 in 93 blocks Chain id 1717/);
    await rawAdmin(served).call("POST snapshot");
    await rawAdmin(served).call("POST mine", { blocks: 1 });
    await visit.page.locator(".figures a", { hasText: "93" }).waitFor(patience);
    await visit.page.locator("tbody a", { hasText: /^93$/ }).first().waitFor(patience);
    await rawAdmin(served).call("POST restore", { snapshot: "1" });
    await visit.page.locator(".figures a", { hasText: "92" }).waitFor(patience);
  });

  test("finds by number, hash, address and name, and says what it tried", async () => {
    await visit.open("#/");
    await visit.page.keyboard.press("/");
    await visit.page.keyboard.type("Aurora");
    await visit.page.keyboard.press("Enter");
    await visit.page.locator(".found a").first().waitFor(patience);
    await visit.page.locator(".found a").first().focus();
    await visit.page.keyboard.press("ArrowDown");
    await expect
      .poll(() => visit.page.locator(":focus").textContent(), patience)
      .toContain("Aurora");
    for (const [wanted, view] of [
      ["5", "#/block/5"],
      [calls, `#/tx/${calls}`],
      [account, `#/account/${account}`],
    ] as const) {
      await visit.page.getByRole("combobox", { name: "Search" }).fill(wanted);
      await visit.page.keyboard.press("Enter");
      await expect.poll(() => new URL(visit.page.url()).hash, patience).toBe(view);
    }
    await visit.open("#/search/no%20such%20thing");
    await expect.poll(() => text("main")).toMatch(/Nothing found.*was tried.*token/);
  });

  test("shows an account: its balance, its lists page by page, and all of a list as CSV", async () => {
    await visit.open(`#/account/${account}`);
    const balance = chain.balance(account);
    await expect.poll(() => text(".figures dd")).toBe(`${shortAmount(balance, 18)} coins`);
    await visit.page.locator(".more summary").click();
    await expect.poll(() => text(".more")).toContain(exactAmount(balance, 18));
    const { count } = chain.transactions(account, "all", {});
    await expect.poll(() => text(".tabs [aria-current]")).toBe(`Transactions ${count}`);
    expect(count).toBeGreaterThan(50);
    await visit.rows(50);
    const links = () =>
      visit.page
        .locator("tbody [data-row]")
        .evaluateAll((all) => all.map((link) => link.getAttribute("title")));
    const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any" });
    const all = await explorer.accounts.transactions(account).collect();
    const hashes = all.map(({ transaction_hash }) => transaction_hash);
    await expect.poll(links).toEqual(hashes.slice(0, 50));
    await visit.page.getByRole("link", { name: "Next" }).click();
    await expect.poll(links, patience).toEqual(hashes.slice(50, 100));

    const [download] = await Promise.all([
      visit.page.waitForEvent("download"),
      button("CSV").click(),
    ]);
    const lines = readFileSync((await download.path()) ?? "", "utf8").split("\r\n");
    expect(lines[0]).toMatch(/^transaction_hash,block_number,timestamp,/);
    expect(lines).toHaveLength(count + 2);
    expect(lines[1]).toContain(all[0]?.transaction_hash);
  });

  test("shows a transaction: its calls as a tree, its transfers, its decoded logs and input", async () => {
    await visit.open(`#/tx/${calls}`);
    await expect.poll(() => text("main h1")).toBe("Transaction success");
    await expect.poll(() => rows().count(), patience).toBe(51);
    await visit.page.locator(".more summary").click();
    await expect
      .poll(() => text("main .facts"))
      .toMatch(/Exact fee 0\.\d+ coins · burnt 0\.\d+ coins .* Gas [\d,]+ of [\d,]+ /);
    await visit.open(`#/tx/${calls}?list=calls`);
    await expect.poll(() => visit.page.locator(".calls li").count(), patience).toBe(52);
    await visit.open(`#/tx/${calls}?list=logs`);
    await visit.page.locator(".logs .signature").first().waitFor(patience);
    await expect.poll(() => text(".logs .signature")).toBe("Transfer(address,address,uint256)");
    const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any" });
    const sent = await explorer.accounts
      .transactions(token, { condition: "to", input: true })
      .collect();
    const transfer = sent.find(({ input }) => input?.startsWith("0xa9059cbb"));
    await visit.open(`#/tx/${transfer?.transaction_hash}?list=input`);
    await visit.page.locator(".signature").waitFor(patience);
    await expect.poll(() => text(".signature")).toBe("transfer(address,uint256)");
  });

  test("shows how the gas of a transaction is shared out among its calls", async () => {
    await visit.open(`#/tx/${calls}?list=calls`);
    const bars = visit.page.locator(".flame > div");
    await expect.poll(() => bars.count(), patience).toBe(52);
    const widths = await bars.evaluateAll((all) => all.map((bar) => bar.clientWidth));
    const [whole = 0, ...inner] = widths;
    const sum = inner.reduce((total, width) => total + width, 0);
    expect(sum).toBeGreaterThan(whole / 4);
    expect(sum).toBeLessThanOrEqual(whole);
  });

  test("leads from the number of failed transactions to their list", async () => {
    await visit.open("#/");
    const failed = items(chain.allTransactions({})).filter(({ succeeded }) => succeeded === false);
    await visit.page.getByRole("link", { name: `${failed.length} failed` }).click();
    await expect
      .poll(() => text(".list-bar [role=status]"), patience)
      .toBe(`${failed.length} in all`);
    await expect.poll(() => rows().locator(".badge.bad").count(), patience).toBe(failed.length);
  });

  test("shows blocks, tokens with their holders, and verified contracts", async () => {
    await visit.open("#/block/92");
    await expect.poll(() => text("main h1")).toContain("Block 92");
    await expect.poll(() => visit.page.title()).toBe("Block 92 · mrc-explorer");
    await expect.poll(() => rows().count(), patience).toBe(12);
    await visit.open(`#/token/${token}`);
    await expect.poll(() => text("main h1")).toBe("Aurora Token AUR token AuroraToken · verified");
    await expect.poll(() => text(".figures")).toMatch(/^Supply 1,000,035\.\S+ Holders 68 /);
    const method = visit.page.locator("tbody td[data-title=Method]");
    await method.filter({ hasText: "0xa1ac727f" }).first().waitFor(patience);
    await visit.open(`#/account/${account}?list=mrc20`);
    await method.filter({ hasText: "transferFrom" }).first().waitFor(patience);
    await visit.open(`#/token/${token}?list=holders`);
    await expect.poll(() => text(".list-bar")).toContain("68 in all");
    await visit.open(`#/contract/${token}`);
    await expect.poll(() => text(".tabs [aria-current]")).toBe("Source");
    await expect.poll(() => text(".code .comment")).toBe("// A token.");
    await expect.poll(() => text(".code .string")).toBe('"<b>Aurora</b>"');
    await expect
      .poll(() => text(".card:not(.head) .facts"))
      .toContain("Not proven metadata hash, ABI, creation code, immutables");
    await visit.open(`#/contract/${token}?list=events`);
    const amount = rows().first().locator("td[data-title=value] data");
    const digits = await amount.getAttribute("value", patience);
    await expect.poll(() => amount.textContent()).toBe(shortAmount(BigInt(digits ?? ""), 18));
    // The first event is chosen, though the address names none.
    await visit.open(`#/contract/${collection}?list=events`);
    const event = visit.page.locator("select[name=event]");
    await event.waitFor(patience);
    expect(await event.inputValue()).toMatch(/^0xddf252ad/);
    await visit.open(`#/contract/${collection}`);
    await expect.poll(() => text("main h1")).toMatch(/collection not verified$/);
    // Wallets link to contracts and accounts alike.
    await visit.open(`#/contract/${account}`);
    await expect.poll(() => text("main h1")).toBe("Account");
  });

  test("takes the token of the address that it is opened with, and shows it no longer", async () => {
    const other = await visit.page.context().newPage();
    await other.goto(served.pageUrl ?? "");
    await other.locator(".figures").waitFor(patience);
    expect(other.url()).toBe(`${served.url}/#/`);
    await other.goto(`${served.url}/#/faults`);
    await other.getByText("No fault is on").waitFor(patience);
    // Where it is wrong, another one may be given.
    await other.goto(`${served.url}/#token=wrong`);
    await other.reload();
    // The page has started once it shows the chain, and has then taken the token.
    await other.locator(".figures").waitFor(patience);
    await other.goto(`${served.url}/#/faults`);
    await other.getByRole("button", { name: "Give another token" }).first().click(patience);
    await other.getByLabel("Admin token").waitFor(patience);
    await other.close();
  });

  test("shows requests as they arrive, with near misses and faults, to copy", async () => {
    mock.journal.clear();
    await visit.open("#/requests");
    await expect.poll(() => text("main")).toContain("No request yet");
    mock.faults.add({ fault: "status", status: 503, operation: "blocks.get", once: true });
    const ask = (path: string) => fetch(`${served.url}${path}`, { headers: { "api-key": "k" } });
    await ask("/v1/blocks/7");
    await ask(`/v1/accounts/${account}/transactions?limit=3&ofset=1`);
    await ask(`/v1/contracts/${account}/abi`);
    await rows().nth(2).waitFor(patience);
    await expect.poll(() => text("tbody tr:nth-child(3)")).toMatch(/blocks\.get B1 .* 503 ?status/);
    await expect.poll(() => text("tbody tr:nth-child(2)")).toContain("offset");
    // A refusal with the status 200 is not shown as a success, and its reason is.
    await expect.poll(() => text("tbody tr:nth-child(1)")).toContain("not yet verified 200");
    expect(await visit.page.locator("tbody .badge.good").allTextContents()).toEqual(["200"]);
    await visit.page.getByText("Near misses").click();
    await expect.poll(() => rows().count(), patience).toBe(1);

    await visit.open("#/requests/1");
    await expect.poll(() => text(".facts")).toMatch(/Faults \[\{"fault":"status","status":503/);
    await visit.open("#/requests/2");
    await visit.page
      .locator("[aria-label='Response body'] a", { hasText: account })
      .first()
      .click();
    await visit.settled();
    await expect.poll(() => text("h1")).toContain("Account");
    // Looking on changes no journal.
    await visit.open(`#/account/${account}`);
    expect(mock.journal.count()).toBe(3);
  });

  test("says how much of a body is not kept", async () => {
    const body = JSON.stringify(["x".repeat(70_000)]);
    const headers = { "api-key": "any", "content-type": "application/json" };
    await fetch(`${served.url}/v1/accounts/balance`, { method: "POST", headers, body });
    await visit.open(`#/requests/${mock.journal.entries.at(-1)?.number}`);
    await visit.page.getByText("4,468 more characters are missing").waitFor(patience);
    expect(await button("Copy as curl").count()).toBe(0);
  });

  test("arranges faults and switches them off, and has the chain mine, set back and reset", async () => {
    mock.faults.clear();
    await visit.open("#/faults");
    await button("indexer 10 blocks behind").click();
    await rows().getByText("indexer 10 blocks behind").waitFor(patience);
    expect(mock.faults.list.map(({ fault }) => fault)).toEqual([{ fault: "stale", blocks: 10 }]);
    await button("Switch off stale").click();
    await visit.page.getByText("No fault is on").waitFor(patience);
    await visit.page.getByLabel("What happens").selectOption("status");
    await visit.page.getByRole("textbox", { name: "Status" }).fill("429");
    await visit.page.getByText("Only some requests").click();
    await visit.page.getByLabel("Operations").selectOption(["A2", "B1"]);
    await button("Add the fault").click();
    await rows().getByText("Operations: accounts.transactions, blocks.get").waitFor(patience);
    expect(mock.faults.list.map(({ fault }) => fault)).toEqual([
      { fault: "status", status: 429, operation: ["A2", "B1"] },
    ]);
    await button("Switch off status").click();
    await visit.page.getByText("No fault is on").waitFor(patience);
    await visit.page.getByRole("textbox", { name: /^Probability/ }).fill("2");
    await button("Add the fault").click();
    await visit.page.getByText("a number from 0 to 1").waitFor(patience);

    mock.faults.add({ fault: "status", status: 503, operation: "B1", times: 2 });
    mock.faults.add({ fault: "status", status: 418, operation: "B1", nth: [1, 3] });
    const struck = async () =>
      (await fetch(`${served.url}/v1/blocks/7`, { headers: { "api-key": "k" } })).status;
    await visit.page.getByText("2 on", { exact: true }).waitFor(patience);
    for (const status of [503, 503, 418, 200, 418]) expect(await struck()).toBe(status);
    await visit.page.getByText("0 on, 2 used up").waitFor(patience);
    // They are off.
    await expect.poll(() => visit.texts("tbody button")).toEqual(["Remove", "Remove"]);
    await button("Remove status").first().click();
    await visit.page.getByText("0 on, 1 used up").waitFor(patience);
    await button("Remove all").click();
    await visit.page.getByText("No fault is on").waitFor(patience);
    expect(mock.faults.list).toEqual([]);

    await button("Take a snapshot").click();
    await visit.page.getByText("is saved").waitFor(patience);
    await button("Mine").click();
    await visit.page.getByText("The head is now 93.").waitFor(patience);
    const { hash } = chain.head;
    await button("Reorganise").click();
    await button("Yes").click();
    await expect.poll(() => chain.head.hash, patience).not.toBe(hash);
    await visit.page
      .getByRole("button", { name: /^Restore/ })
      .first()
      .click();
    await button("Yes").click();
    await visit.page.getByText("is restored").waitFor(patience);
    expect(chain.head.number).toBe(92);
  });

  test("asks any operation, and shows the response as received and decoded", async () => {
    await visit.open("#/api");
    const all = Object.keys(operations).length;
    await expect.poll(() => visit.page.locator(".operation").count(), patience).toBe(all);
    await visit.page.locator("summary", { hasText: "accounts.balance" }).first().click();
    await visit.page.locator("textarea").fill(account);
    await button("Send").click();
    const codes = visit.page.locator(".answer .code");
    await codes.nth(1).waitFor(patience);
    const balance = chain.balance(account);
    await expect
      .poll(() => codes.nth(0).textContent(), patience)
      .toContain(`"balance":"${balance}"`);
    await expect.poll(() => codes.nth(1).textContent(), patience).toContain(`balance: ${balance}n`);
  });

  test("shows twenty rows on a laptop", async () => {
    await visit.page.setViewportSize({ width: 1366, height: 768 });
    await visit.open("#/transactions");
    await rows().nth(24).waitFor(patience);
    const whole = () =>
      rows().evaluateAll(
        (all) => all.filter((row) => row.getBoundingClientRect().bottom <= 768).length,
      );
    await expect.poll(whole).toBeGreaterThanOrEqual(20);
  });

  test("sends one file of each kind for all views of the chain, compressed, in at most 56 kB", async () => {
    const front = await startFront(visit.folder, served.url);
    // Of the visit's own context every file would come from the test.
    const page = await visit.page.context().browser()?.newPage();
    if (!page) throw new Error("no browser");
    const sent: { readonly kind: string; readonly bytes: number }[] = [];
    page.on("requestfinished", async (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/inspect/")) return;
      const { responseBodySize: bytes } = await request.sizes();
      const coding = (await request.response())?.headers()["content-encoding"];
      sent.push({ kind: `${pathname.split(".")[1] ?? "html"} ${coding}`, bytes });
    });
    await page.goto(front.url);
    await page.locator("tbody a").first().waitFor(patience);
    // The icon is sent for the tab and for the header.
    const kinds = () => sent.map(({ kind }) => kind).sort();
    await expect.poll(kinds, patience).toEqual(["css br", "html br", "js br", "svg br", "svg br"]);
    expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(56_000);
    await page.locator("tbody a").first().click();
    await page.locator("h1", { hasText: "Block 92" }).waitFor(patience);
    expect(kinds().filter((kind) => kind === "js br")).toHaveLength(1);
    await page.close();
    await front.close();
  });

  test("has caused no error, and no request has left the machine", () => {
    expect(visit.problems).toEqual([]);
  });
});

// The page of a transaction in a real browser: what happened in one sentence, why it failed, who called whom.
import { encodeErrorResult, encodeFunctionData, parseAbi } from "viem";
import { describe, expect, test } from "vitest";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { serveExplorer } from "../../mocks/node.ts";
import { hasChromium } from "../support/chromium.ts";
import { patience, type Visit, visitOnce } from "../support/page.ts";

const abi = parseAbi([
  "function withdraw(uint256 shares)",
  "function say(string text)",
  "error NotEnoughShares(uint256 has)",
  "function transfer(address to, uint256 value)",
  "function order((address buyer, uint256[] amounts, (string note, bool isGift) wish) order)",
]);

const builder = buildChain({ freeGas: true });
const alice = builder.account({ name: "alice", balance: coins(100) });
const [vault, bank] = [builder.deploy(alice).address, builder.deploy(alice).address];
const token = builder.deployMRC20(alice, { name: "Aurora", symbol: "AUR", decimals: 6 });
builder.mine();
builder.verify(vault, { contractName: "Vault", abi, source: "contract Vault {}" });
builder.verify(bank, { contractName: "Bank", abi, source: "contract Bank {}" });
const withdraw = encodeFunctionData({ abi, functionName: "withdraw", args: [999n] });
const fails = encodeErrorResult({ abi, errorName: "NotEnoughShares", args: [100n] });
const failed = builder.call(alice, {
  ...{ to: vault, input: withdraw, value: coins(2), fails },
  does: (frame) => frame.call({ to: bank, input: withdraw, fails }),
});
const say = encodeFunctionData({ abi, functionName: "say", args: ["hello"] });
builder.call(alice, { to: bank, input: say, fails: "no" });
const wish = { note: "red", isGift: true };
const order = builder.call(alice, {
  to: bank,
  input: encodeFunctionData({
    abi,
    functionName: "order",
    args: [{ buyer: alice, amounts: [1_000n, 7n], wish }],
  }),
});
const input = encodeFunctionData({ abi, functionName: "transfer", args: [bank, 1_500_000n] });
const poor = encodeErrorResult({
  abi: parseAbi([
    "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  ]),
  args: [bank, 250_000n, 1_500_000n],
});
const short = builder.call(alice, { to: token.address, input, fails: poor });
const hidden = builder.call(alice, {
  ...{ to: bank, input: withdraw, fails: "0x08c379a0" },
  does: (frame) => frame.call({ to: token.address, input, fails: poor }),
});
const through = builder.call(alice, {
  to: vault,
  does: (frame) =>
    frame.delegatecall({ to: token.address, does: (inner) => inner.call({ to: alice }) }),
});
let made: string | null = null;
builder.call(alice, {
  to: vault,
  does(frame) {
    made = frame.create();
  },
});
const moved = builder.call(alice, { to: token.address, input });
const minted = token.mint(alice, 1_500_000n);
builder.mine();

const served = await serveExplorer(createExplorer({ chain: builder }));
let visit: Visit;

visitOnce(
  served,
  (opened) => {
    visit = opened;
  },
  { timezoneId: "Asia/Kolkata" },
);

describe.skipIf(!hasChromium)("the page of a transaction", () => {
  test("says in a sentence what happened, why it failed, and where that began", async () => {
    await visit.open(`#/tx/${failed.hash}`);
    await expect
      .poll(() => visit.text(".sentence"))
      .toMatch(/^0x\w{4,8}…\w{4,8} called withdraw\(999\) on Vault with 2 coins$/);
    await expect
      .poll(() => visit.text(".reason"))
      .toMatch(
        /^Why it failed NotEnoughShares\(has: 100\) began at Bank in withdraw\(999\) passed on by Vault in withdraw\(999\) What it returned/,
      );
    expect(await visit.violations()).toEqual([]);
  });

  test("shows who called whom with which arguments, and which calls failed", async () => {
    await visit.open(`#/tx/${failed.hash}?list=calls`);
    await expect
      .poll(() => visit.texts(".calls li"))
      .toEqual([
        expect.stringMatching(
          /^transaction .* → Vault withdraw\(999\) with 2 coins failed NotEnoughShares/,
        ),
        expect.stringMatching(/^call Bank withdraw\(999\) failed NotEnoughShares/),
      ]);
    expect(await visit.violations()).toEqual([]);
    // The code of Aurora runs as Vault, so Vault calls.
    await visit.open(`#/tx/${through.hash}?list=calls`);
    await expect
      .poll(async () => (await visit.texts(".calls li")).slice(1))
      .toEqual([
        expect.stringMatching(/^delegatecall Aurora/),
        expect.stringMatching(/^call Vault → 0x/),
      ]);
  });

  test("shows amounts of a token in its decimals", async () => {
    await visit.open(`#/tx/${moved.hash}`);
    await expect
      .poll(() => visit.text(".sentence"))
      .toMatch(/ called transfer\(Bank, 1\.5\) on Aurora$/);
    await visit.open(`#/tx/${short.hash}`);
    const reason = "ERC20InsufficientBalance(sender: Bank, balance: 0.25, needed: 1.5)";
    // The names of arguments come after the rest.
    await expect.poll(() => visit.text(".reason"), patience).toContain(`Why it failed ${reason}`);
    expect((await visit.text("main .head")).split("ERC20InsufficientBalance")).toHaveLength(2);
    await visit.open(`#/tx/${hidden.hash}?list=calls`);
    const after = `after Aurora in transfer(Bank, 1.5) failed with ${reason}`;
    await expect.poll(() => visit.text(".failed-path"), patience).toContain(after);
    await expect
      .poll(() => visit.text(".calls li:nth-child(2)"), patience)
      .toContain(`call Aurora transfer(Bank, 1.5) failed ${reason}`);
  });

  test("shows tuples and lists as a tree, with links and units, and copies them as JSON", async () => {
    await visit.open(`#/tx/${order.hash}?list=input`);
    const tree = visit.page.locator(".tree").first();
    await tree.locator(`a[title="${alice}"]`).waitFor(patience);
    await expect
      .poll(() => visit.text(".tree"))
      .toMatch(/^buyer 0x\S+ amounts 0 1,000 1 7 wish note red isGift true$/);
    await visit.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await visit.page.getByRole("button", { name: "Copy as JSON" }).first().click();
    const copied = await visit.page.evaluate(() => navigator.clipboard.readText());
    expect(JSON.parse(copied)).toEqual({ buyer: alice, amounts: ["1000", "7"], wish });
    // The words of the call are on lines of their own.
    await expect.poll(() => visit.text(".code")).toMatch(/^0x[0-9a-f]{8} [0-9a-f]{64} /);
    expect(await visit.violations()).toEqual([]);
  });

  test("shows the logs with the units of their amounts", async () => {
    await visit.open(`#/tx/${minted.hash}?list=logs`);
    await expect
      .poll(() => visit.text(".logs li"), patience)
      .toMatch(/^\d+ Aurora Transfer\(address,address,uint256\).* value uint256 1\.5 AUR/);
    await visit.page.getByText("Topics and data").click();
    await expect
      .poll(() => visit.text(".logs .facts:not(.arguments)"))
      .toMatch(/^Topic 0 0xddf252ad.* Data 0x0/);
    expect(await visit.violations()).toEqual([]);
  });

  test("shows times in UTC and where the reader is, in facts and lists", async () => {
    const { timestamp } = builder.chain.head;
    const at = (offset: number) =>
      new Date((timestamp + offset) * 1000).toISOString().slice(0, 19).replace("T", " ");
    const [utc, local] = [`${at(0)} UTC`, `${at(19_800)} GMT+0530`];
    await visit.open(`#/tx/${failed.hash}`);
    await visit.page.locator(".more summary").click();
    await expect.poll(() => visit.text(".more time")).toContain(`${utc} · ${local}`);
    const clock = visit.page.getByRole("button", { name: /^Times/ });
    await visit.open("#/transactions");
    const shown = () => visit.text("tbody time");
    await expect
      .poll(() => visit.page.locator("tbody time").first().getAttribute("title"))
      .toContain(`${utc} · ${local}`);
    for (const form of [utc, local]) {
      await clock.click();
      await expect.poll(shown, patience).toBe(form);
    }
    await clock.click();
    await expect.poll(shown, patience).toMatch(/ago|now/);
  });

  test("names methods in lists, and strikes no fee through that was paid", async () => {
    await visit.open("#/transactions");
    await expect
      .poll(() => visit.texts("tbody td[data-title=Method]"))
      .toEqual(expect.arrayContaining(["withdraw", "say"]));
    await visit.open(`#/account/${alice}`);
    // The API has no names: they come after the rows.
    for (const name of ["withdraw", "say", "transfer"])
      await visit.page
        .locator("tbody td[data-title=Method]", { hasText: name })
        .first()
        .waitFor(patience);
    await visit.open(`#/account/${bank}?list=internal`);
    const called = () => visit.texts("tbody td[data-title=Method]");
    await expect
      .poll(async () => (await called()).toSorted(), patience)
      .toEqual(["transfer", "withdraw"]);
    await visit.open(`#/account/${vault}?list=internal`);
    const creation = visit.page.locator("tr", { hasText: "create" });
    const created = creation.locator("td[data-title='From / to'] a");
    await expect.poll(() => created.getAttribute("href"), patience).toBe(`#/account/${made}`);
    const colorOf = (selector: string) =>
      visit.page
        .locator(selector)
        .first()
        .evaluate((one) => getComputedStyle(one).color);
    expect(await colorOf("tr:not(.failed) td .amount data[value='0']")).toBe(
      await colorOf("td time"),
    );
    await visit.open(`#/account/${alice}`);
    const lineOf = (title: string) =>
      visit.page
        .locator(`tr.failed td[data-title=${title}] data`)
        .first()
        .evaluate((data) => getComputedStyle(data).textDecorationLine);
    expect([await lineOf("Value"), await lineOf("Fee")]).toEqual(["line-through", "none"]);
    expect(visit.problems).toEqual([]);
  });
});

// What a chain and a service may do to the page: hostile names, URIs and sources, and every fault.
import { describe, expect, test } from "vitest";
import type { FaultName } from "../../mocks/faults/fault.ts";
import { buildChain, coins, createExplorer, type Fault } from "../../mocks/index.ts";
import { serveExplorer } from "../../mocks/node.ts";
import { hasChromium } from "../support/chromium.ts";
import { patience, type Visit, visitOnce } from "../support/page.ts";

const markup = '<img src="https://evil.example/x.png" onerror="alert(1)"><script>alert(2)</script>';
const turned = "\u202egnp.exe\u0000\u001b[31m";
const endless = "Endless ".repeat(1250);

const svg =
  "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(3)'><rect width='9' height='9'/></svg>";
/** URIs of which nothing may come, and of one an image. */
const uris = [
  "https://evil.example/token.png",
  "//evil.example/token.png",
  "javascript:alert(4)",
  "data:text/html,<script>alert(5)</script>",
  `data:application/json,${encodeURIComponent('{"image":"https://evil.example/y.png"}')}`,
  "data:application/json;base64,%%%",
  "/v1/accounts/balance",
  "/\\evil.example/z.png",
  `data:image/svg+xml,${encodeURIComponent(svg)}`,
];

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(100) });
const names = [markup, turned, endless];
const tokens = names.map((name) =>
  builder.deployMRC20(alice, { name, symbol: name, decimals: 77, supply: 2n ** 255n }),
);
const art = builder.deployMRC721(alice, { name: markup, symbol: turned });
const shop = builder.deploy(alice).address;
builder.mine();
for (const [index, uri] of uris.entries()) art.mint(alice, BigInt(index), { uri });
const failed = builder.transfer(alice, shop, coins(1), { fails: markup });
for (const token of tokens) token.transfer(alice, shop, 1n);
builder.mine();
builder.verify(shop, {
  contractName: markup.slice(0, 200),
  abi: [
    {
      type: "event",
      name: "Paid",
      inputs: [
        { name: markup, type: "uint256" },
        { name: endless, type: "address", indexed: true },
      ],
    },
    { type: "event", name: markup, inputs: [{ name: turned, type: markup }] },
  ],
  source: `/* ${markup} */ contract Shop {}\n// ${turned}`,
});

const mock = createExplorer({ chain: builder });
const served = await serveExplorer(mock, { admin: true });
let visit: Visit;

/** Requests that are no less hostile, and whose answer is changed to something that is. */
mock.faults.add({ fault: "field", path: "data.miner", value: `${markup}${turned}`, once: true });
for (const target of ["/v1/blocks/1", `/v1/blocks/${encodeURIComponent(markup)}`])
  await mock.fetch(`${mock.baseUrl}${target}`, { headers: { "api-key": "k", "x-note": "<b>" } });
await mock.fetch(`${mock.baseUrl}/v1/accounts/balance`, { method: "POST", body: endless });

visitOnce(served, (opened) => {
  visit = opened;
});

describe.skipIf(!hasChromium)("the page", () => {
  const views = [
    "#/",
    "#/tokens",
    "#/contracts",
    `#/account/${alice}`,
    `#/account/${alice}?list=mrc20`,
    `#/account/${alice}?list=tokens`,
    `#/account/${alice}?list=collectibles`,
    `#/token/${art.address}?list=inventory`,
    ...tokens.map(({ address }) => `#/token/${address}`),
    `#/tx/${failed.hash}`,
    `#/contract/${shop}`,
    `#/contract/${shop}?list=events`,
    `#/contract/${shop}?list=functions`,
    "#/requests",
    "#/requests/1",
    "#/requests/2",
    "#/requests/3",
    `#/search/${encodeURIComponent(markup)}`,
    `#/block/${encodeURIComponent(markup)}`,
    `#/${encodeURIComponent(markup)}/${encodeURIComponent(turned)}`,
  ];

  test("shows hostile names, URIs and sources as text, and requests nothing they name", async () => {
    for (const view of views) {
      await visit.open(view);
      const made = await visit.page
        .locator("main [onerror], main script, main [src^='https:'], main [href^='javascript:']")
        .count();
      expect(made, view).toBe(0);
      await expect.poll(() => visit.wider(), { message: view }).toBeLessThanOrEqual(0);
    }
    await visit.open(`#/tx/${failed.hash}`);
    await expect.poll(() => visit.text(".reason")).toContain("<script>alert(2)</script>");
    expect(visit.problems).toEqual([]);
  });

  /** Every fault: a missing one does not compile. */
  const faults: { readonly [Name in FaultName]: Fault & { readonly fault: Name } } = {
    latency: { fault: "latency", ms: 300 },
    status: { fault: "status", status: 503 },
    failure: { fault: "failure", message: "not today" },
    "rate-limit": { fault: "rate-limit", retryAfter: 60 },
    "token-bucket": { fault: "token-bucket", requests: 1, perMs: 60_000 },
    response: { fault: "response", body: { data: 1 }, checked: false },
    "malformed-json": { fault: "malformed-json" },
    truncated: { fault: "truncated" },
    "content-type": { fault: "content-type", type: "text/html" },
    html: { fault: "html" },
    empty: { fault: "empty" },
    drip: { fault: "drip", bytes: 64, everyMs: 1 },
    reset: { fault: "reset" },
    never: { fault: "never" },
    field: { fault: "field", path: "data.miner", value: "nobody", operation: "B1" },
    stale: { fault: "stale", blocks: 1 },
    "pending-traces": { fault: "pending-traces", blocks: 1 },
  };

  test("stays usable with every fault on, and says what an operation that it asks runs into", async () => {
    const requested = mock.journal.count();
    for (const fault of Object.values(faults)) {
      mock.faults.clear();
      mock.faults.add(fault);
      const what = fault.fault;
      await visit.open("#/");
      await expect.poll(() => visit.text(".figures"), { message: what }).toMatch(/Head\s+2/);
      await visit.open(`#/account/${alice}`);
      await expect
        .poll(() => visit.page.locator("tbody tr").count(), { message: what })
        .toBeGreaterThan(0);
      await expect
        .poll(() => visit.page.locator(".failure, .state").count(), { message: what })
        .toBe(0);
    }
    // Looking on is no request of the test.
    expect(mock.journal.count()).toBe(requested);
    await visit.open("#/api");
    await visit.page.locator("summary", { hasText: "blocks.get" }).click();
    const form = visit.page.locator(".operation[open]");
    await form.locator("input").fill("1");
    for (const [fault, said] of [
      [{ fault: "status", status: 503 }, "503"],
      [{ fault: "failure", message: "not today" }, "not today"],
      [{ fault: "malformed-json" }, "JSON"],
      [{ fault: "reset" }, "no response"],
      [{ fault: "field", path: "data.miner", value: "nobody" }, "data.miner"],
      [{ fault: "latency", ms: 1 }, "reward"],
    ] as const) {
      mock.faults.clear();
      mock.faults.add(fault);
      await form.getByRole("button", { name: "Send" }).click();
      await expect
        .poll(async () => (await form.locator(".answer").allInnerTexts()).join(), patience)
        .toContain(said);
    }
    mock.faults.clear();
    expect(visit.problems.filter((problem) => !/ERR_/.test(problem))).toEqual([]);
  });
});

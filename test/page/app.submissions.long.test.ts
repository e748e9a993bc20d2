// What people submit on the page, in a real browser: a source to verify, and the key of a tenant.
import { describe, expect, onTestFinished, test } from "vitest";
import { buildChain, coins } from "../../mocks/index.ts";
import { createExplorer, createVerifier } from "../../mocks/node.ts";
import { hasChromium } from "../support/chromium.ts";
import { pageOpener, patience } from "../support/page.ts";
import { rawAdmin } from "../support/raw-admin.ts";
import { compile } from "../verify/support.ts";

describe.skipIf(!hasChromium)("the page", () => {
  const open = pageOpener();

  test("verifies a source, and says why another is refused", async () => {
    const source =
      "contract Till { uint256 public total; constructor(uint256 first) { total = first; } function add(uint256 by) public { total += by; } }";
    const version = "0.8.20";
    const { creation, runtime } = compile({ version, source, name: "Till" });
    const chain = buildChain();
    const owner = chain.account({ balance: coins(1) });
    const first = "7".padStart(64, "0");
    const { address } = chain.deploy(owner, { code: runtime, initCode: `${creation}${first}` });
    chain.mine();
    const verifier = createVerifier();
    onTestFinished(() => verifier.close());
    const { visit } = await open(createExplorer({ chain, verifier }));
    const { page } = visit;
    await visit.open(`#/contract/${address}`);
    // The code names its compiler.
    await expect
      .poll(() => page.getByLabel("Compiler").inputValue(), patience)
      .toMatch(/^v?0\.8\.20/);
    await page.getByLabel("The optimizer was on").check();
    const verify = page.getByRole("button", { name: "Verify", exact: true });
    const submit = async (text: string) => {
      await page.locator("textarea").fill(text);
      await verify.click();
    };

    await submit(source.replace("+=", "-="));
    await page.locator(".failure", { hasText: "Runtime code differs" }).waitFor(patience);
    await page.getByRole("button", { name: "Try again" }).click();
    await submit(source);
    await page.locator("main h1", { hasText: "Till" }).waitFor(patience);
    // The source is shown, not the form again.
    await expect.poll(() => visit.text(".tabs [aria-current]"), patience).toBe("Source");
    await expect.poll(() => visit.text(".numbered")).toContain("contract Till");
    expect(visit.problems).toEqual([]);
  });

  test("reads and filters a proxy by the ABI of the contract that it forwards to", async () => {
    const chain = buildChain();
    const owner = chain.account({ balance: coins(1) });
    const { address: target } = chain.deploy(owner, { code: "0x6001" });
    const forward =
      `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3` as const;
    const { address: proxy } = chain.deploy(owner, { code: forward });
    chain.mine();
    const inputs = [{ name: "by", type: "uint256", indexed: false }];
    const abi = [
      { type: "event", name: "Added", inputs },
      { type: "function", name: "add", inputs, outputs: [], stateMutability: "nonpayable" },
    ];
    chain.verify(target, { contractName: "Till", abi });
    const { visit } = await open(createExplorer({ chain }));
    const { page } = visit;
    await visit.open(`#/contract/${proxy}`);
    const forwards = page.getByText("A proxy: forwards calls to");
    await forwards.getByRole("link", { name: "Till" }).waitFor(patience);
    const tabs = page.getByRole("navigation", { name: "Parts of the address" });
    const current = tabs.locator("[aria-current]");
    await expect.poll(() => current.textContent(), patience).toBe("Functions");
    await tabs.getByRole("link", { name: "Events", exact: true }).click();
    const events = page.locator("select[name=event] option");
    await expect.poll(() => events.allTextContents(), patience).toEqual(["Added(uint256)"]);
    expect(await visit.violations()).toEqual([]);
    expect(visit.problems).toEqual([]);
  });

  test("shows the chain of the tenant whose key is entered", async () => {
    const mock = createExplorer({ chain: buildChain(), tenant: "api-key" });
    const { served, visit } = await open(mock, { admin: true });
    await rawAdmin(served).call("POST mine", { blocks: 5 }, { apiKey: "team-a" });
    await visit.open("#/");
    await expect.poll(() => visit.text(".figures dd")).toMatch(/^0\b/);
    await visit.page.getByRole("button", { name: "Key", exact: true }).click();
    await visit.page.getByLabel("api-key").fill("team-a");
    await visit.page.getByRole("button", { name: "Use this key" }).click();
    await expect.poll(() => visit.text(".figures dd"), patience).toMatch(/^5\b/);
    expect(visit.problems).toEqual([]);
  });
});

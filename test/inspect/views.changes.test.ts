// The views of a chain that changes: reorganisations, tenants, a node that does not respond, many records.
import { describe, expect, test } from "vitest";
import { generateChain } from "../../mocks/builder/generator.ts";
import {
  buildChain,
  type CallFrame,
  coins,
  continueChain,
  eventTopic,
  word,
} from "../../mocks/builder/index.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { Address, Hex } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { startFollowing } from "../../mocks/follow/follow-node.ts";
import { loadChain } from "../../mocks/ingest/load-chain.ts";
import { addressOf } from "../http/server.ts";
import { DEMO } from "../support/chains.ts";
import { FakeNode } from "../support/fake-node.ts";
import { askable, knownIn, requestOf } from "../support/requests.ts";
import { buildSampleChain } from "../support/sample-chain.ts";
import { allPages, createInspector, lookEachTest } from "./served.ts";

const look = lookEachTest();

describe("a reorganisation", () => {
  test("between two pages leaves out no block and no transaction", async () => {
    const { builder, chain } = buildSampleChain();
    const { ask } = await look({ chain: builder });
    const first = await ask("transactions", { limit: 10 });
    const before = await ask("head", {});
    builder.reorg(3);
    builder.mine(2);
    const after = await ask("head", {});
    expect(after.rewinds).toBeGreaterThan(before.rewinds);
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(after.head?.block_hash).toBe(chain.head.hash);
    const second = await ask("transactions", { from: `${first.next}`, limit: 10 });
    // A place counts records, so the next page continues in the new branch.
    const older = items(chain.allTransactions({})).slice(0, Number(first.next)).reverse();
    expect(second.transactions.map((one) => one.transaction_hash)).toEqual(
      older.slice(0, 10).map(({ hash }) => hash),
    );
    expect(second.head.block_hash).toBe(chain.head.hash);
  });

  test("takes dropped transactions from the account, its balances and the busiest accounts", async () => {
    const builder = buildChain({ freeGas: true });
    const alice = builder.account({ name: "alice", balance: coins(10) });
    const bob = builder.account({ name: "bob" });
    for (let block = 0; block < 3; block++) {
      builder.transfer(alice, bob, coins(1));
      builder.mine();
    }
    const { ask } = await look({ chain: builder });
    const ofBob = async () => ({
      transactions: (await ask("account", { address: bob })).transaction_count,
      balance: (await ask("account", { address: bob })).balance,
      rank: (await ask("accounts", {})).accounts.find(({ address }) => address === bob)
        ?.transaction_count,
    });
    expect(await ofBob()).toEqual({
      transactions: 3,
      balance: coins(3),
      rank: 3,
    });
    builder.reorg(2, { drop: "all" });
    expect(await ofBob()).toEqual({ transactions: 1, balance: coins(1), rank: 1 });
    builder.reorg(3, { drop: "all" });
    expect(await ofBob()).toEqual({ transactions: 0, balance: 0n, rank: undefined });
  });
});

test("a verified source changes the revision and the list of contracts, not the head", async () => {
  const { builder, gold } = buildSampleChain();
  const { ask } = await look({ chain: builder });
  const [before, { contract_count }] = [await ask("head", {}), await ask("overview", {})];
  builder.verify(gold.address, { contractName: "Gold", abi: [] });
  const after = await ask("head", {});
  expect(after.head).toEqual(before.head);
  expect(after.revision).toBeGreaterThan(before.revision);
  expect((await ask("overview", {})).contract_count).toBe(contract_count + 1);
});

test("the source of a chain is known of folders, generated and built ones, and their forks", async () => {
  const sourceOf = async (chain: ChainWriter) =>
    (await (await look({ chain })).ask("head", {})).source;
  expect(await sourceOf(generateChain({ blocks: 1 }))).toEqual({ kind: "generated", name: null });
  expect(await sourceOf(buildChain().chain)).toEqual({ kind: "built", name: null });
  expect(await sourceOf(await loadChain(DEMO))).toEqual({ kind: "folder", name: "demo" });
  expect(await sourceOf(generateChain({ blocks: 1 }).fork())).toMatchObject({ kind: "generated" });
});

describe("tenants", () => {
  test("see their own chains, and viewing changes no journal and no faults", async () => {
    const { builder, alice, bob } = buildSampleChain();
    const { mock, served, ask } = await look({ chain: builder, tenant: "api-key" }, {}, "one");
    const other = createInspector(served.url, "two");
    const { number } = builder.chain.head;
    continueChain(mock.tenant("one").chain).mine(2);
    expect((await ask("head", {})).blocks).toBe(number + 3);
    expect((await other("head", {})).blocks).toBe(number + 1);
    expect((await other("access", {})).tenants).toBe(true);

    const one = mock.tenant("one");
    one.faults.add({ fault: "status", status: 503, times: 2 });
    const watched = await fetch(`${served.url}/inspect/v1/accounts/${alice}/transactions`, {
      headers: { "api-key": "one" },
    });
    expect(watched.status).toBe(200);
    await ask("account", { address: bob });
    expect(one.journal.count()).toBe(0);
    expect(one.faults.list.map(({ matched }) => matched)).toEqual([0]);
    const applied = await fetch(`${served.url}/v1/accounts/${alice}/transactions`, {
      headers: { "api-key": "one" },
    });
    expect(applied.status).toBe(503);
    expect(one.journal.count()).toBe(1);
  });

  test("need a key that /v1 accepts", async () => {
    const { served, get } = await look({ apiKeys: ["right"] }, {}, "right");
    expect((await get("/inspect/head")).status).toBe(200);
    const statusWith = async (headers: Record<string, string>) =>
      (await fetch(`${served.url}/inspect/overview`, { headers })).status;
    expect([
      await statusWith({}),
      await statusWith({ "api-key": "" }),
      await statusWith({ "api-key": "wrong" }),
    ]).toEqual([401, 401, 401]);
    const access = await fetch(`${served.url}/inspect/access`);
    expect(await access.json()).toMatchObject({
      results: { keys_listed: true, tenants: false, admin: false, verifier: false, coin: null },
    });
  });
});

test("the name of the coin must be short and one line", async () => {
  const { get } = await look({ coin: "MRC" });
  expect((await get("/inspect/access")).body).toMatchObject({ results: { coin: "MRC" } });
  for (const coin of ["", " ", "a b ", "x".repeat(13), "\u202eMRC", "M\nRC"])
    expect(() => createExplorer({ coin })).toThrow(/coin: expected 1 to 12 characters/);
  for (const coin of ["x", "A coin", "₿", "x".repeat(12)]) createExplorer({ coin });
});

test("the operations below /inspect/v1 answer as below /v1, and refuse submissions", async () => {
  const { builder, alice, gold } = buildSampleChain();
  const { get, mock } = await look({ chain: builder });
  for (const target of [
    "/v1/blocks/7",
    `/v1/accounts/${alice}/transactions?limit=3`,
    "/v1/blocks/4711",
    "/v1/nothing",
  ])
    expect(await get(`/inspect${target}`)).toEqual(await get(target));
  const json = { "content-type": "application/json" };
  const balances = { method: "POST", headers: json, body: JSON.stringify({ addresses: [alice] }) };
  const a1 = await get("/inspect/v1/accounts/balance", balances);
  expect(a1).toEqual(await get("/v1/accounts/balance", balances));
  const source = askable(knownIn(mock.chain)).C3;
  const { target, ...init } = requestOf("C3", { ...source, contract_hash: gold.address });
  const submitted = await get(`/inspect${target}`, init);
  expect(submitted.status).toBe(405);
  expect(mock.chain.verified(gold.address)).toBeUndefined();
});

test("the head shows the progress of a chain behind its node; other views answer 503", async () => {
  const node = new FakeNode();
  node.head = 40;
  let isDown = true;
  node.faults.post = () => {
    if (isDown) throw new Error("connection refused");
    return undefined;
  };
  const follower = startFollowing(node.url, {
    fetch: node.fetch,
    interval: 1,
    retries: 0,
    onError: () => {},
  });
  try {
    const { ask, get } = await look({ chain: follower });
    await expect
      .poll(async () => (await ask("head", {})).node?.last_error?.message)
      .toContain("connection refused");
    const waiting = await ask("head", {});
    expect(waiting).toMatchObject({
      source: { kind: "node", name: "node.test" },
      head: null,
      first_block: null,
      blocks: 0,
      unavailable: expect.stringContaining("waiting for the node"),
      node: { state: "connecting", node_head: null, lag: null },
    });
    for (const view of ["overview", "blocks", "transactions", "accounts", "search?q=1"])
      expect(await get(`/inspect/${view}`)).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining("waiting for the node") },
      });
    expect((await get("/inspect/access")).status).toBe(200);
    isDown = false;
    await follower.ready;
    expect(await ask("head", {})).toMatchObject({
      head: { block_number: 40 },
      unavailable: null,
      node: { state: "following", node_head: 40, lag: 0 },
    });
    expect((await ask("overview", {})).latest_blocks[0]?.block_number).toBe(40);
  } finally {
    await follower.close();
  }
});

test("a transaction of many logs shows the first, and a token of many holders the largest", async () => {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ balance: coins(1) });
  const gold = builder.deployMRC20(alice, { name: "Gold", symbol: "GLD", supply: 10n ** 9n });
  builder.mine();
  const holders = Array.from({ length: 9000 }, (_, index) => ({
    address: addressOf(index + 1),
    balance: BigInt(1 + ((index * 7) % 9000)),
  }));
  const transfer = eventTopic("Transfer(address,address,uint256)");
  const { hash } = builder.call(alice, {
    to: gold.address,
    does(frame) {
      for (const { address, balance } of holders)
        frame.emit([transfer, alice, address], word(balance));
    },
  });
  builder.mine();
  const { ask } = await look({ chain: builder });
  const { logs, log_count, transfers } = await ask("transaction", { hash });
  expect([logs.length, log_count, transfers.length]).toEqual([500, 9000, 500]);
  const address = gold.address;
  const found = await allPages(
    (from) => ask("token", { address, from, limit: 100 }),
    (page) => page.holders,
  );
  const rest = 10n ** 9n - holders.reduce((sum, { balance }) => sum + balance, 0n);
  const largest = holders.sort((one, other) => Number(other.balance - one.balance)).slice(0, 999);
  const expected = [{ address: alice, balance: rest }, ...largest];
  expect(found.map(({ address, balance }) => ({ address, balance }))).toEqual(expected);
});

test("an account names its creation and the target of its calls", async () => {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ balance: coins(10) });
  const factory = builder.deploy(alice, { code: "0x6001" }).address;
  builder.mine();
  const code: Hex = `0x363d3d373d3d3d363d73${factory.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  let address: Address = factory;
  const does = (frame: CallFrame) => {
    address = frame.create({ code }) ?? factory;
  };
  builder.call(alice, { to: factory, does, fails: "no" });
  const { hash } = builder.call(alice, { to: factory, does });
  builder.mine();
  const { chain } = builder;
  const { ask } = await look({ chain: builder });
  const created = { transaction_hash: hash, creator: factory, block_number: chain.head.number };
  expect(await ask("account", { address })).toMatchObject({ target: factory, creation: created });
  const { creation, target } = await ask("account", { address: factory });
  expect([creation?.creator, target]).toEqual([alice, null]);
});

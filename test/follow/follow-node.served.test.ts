// A live node behind the service: what is mined on the node, the client reads a moment later.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExplorer, serveExplorer, startFollowing } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { serving } from "../cli/serve-demo.ts";
import { type Anvil, startAnvil } from "../support/anvil.ts";
import { FakeNode } from "../support/fake-node.ts";
import { rawAdmin } from "../support/raw-admin.ts";

const BOB = "0x00000000000000000000000000000000000b0b00";

let node: Anvil;
beforeAll(async () => {
  node = await startAnvil();
});
afterAll(() => node.stop());

test("serve --rpc answers from a node's chain and follows it", async () => {
  await serving(`--rpc ${node.url}`, {}, async (baseUrl) => {
    const explorer = new ExplorerClient({ baseUrl, apiKey: "any" });
    expect(await explorer.accounts.balance(BOB)).toBe(0n);

    const [from] = (await node.ask("eth_accounts")) as string[];
    const hash = await node.ask("eth_sendTransaction", { from, to: BOB, value: "0x5" });
    // anvil has the new balance a moment before it has the block.
    await expect
      .poll(() => explorer.accounts.transactions(BOB).collect())
      .toMatchObject([{ transaction_hash: hash, sender: from, value: 5n }]);
    expect(await explorer.accounts.balance(BOB)).toBe(5n);
  });
});

describe("a port in front of a follower", () => {
  const serve = async (faked: FakeNode, options = {}) => {
    const follower = startFollowing(faked.url, {
      fetch: faked.fetch,
      interval: 1,
      retries: 0,
      onError: () => {},
      ...options,
    });
    const mock = createExplorer({ chain: follower, tenant: "api-key" });
    const served = await serveExplorer(mock, { admin: true });
    const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any", retry: 0 });
    const health = async () => {
      const response = await fetch(`${served.url}/health`);
      return { status: response.status, body: await response.json() };
    };
    const close = async () => {
      await served.close();
      await follower.close();
    };
    return { follower, served, mock, explorer, health, close };
  };

  test("responds 503 and says how far it is until the chain is there", async () => {
    const faked = new FakeNode();
    let down = true;
    faked.faults.post = () => {
      if (down) throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
      return undefined;
    };
    const { follower, explorer, health, close } = await serve(faked);
    await expect.poll(async () => (await health()).body.status).toMatch(/ECONNREFUSED/);
    expect(await health()).toMatchObject({
      status: 503,
      body: { head: null, node: { state: "connecting", nodeHead: null, lag: null } },
    });
    await expect(explorer.transactions.status(`0x${"1".repeat(64)}`)).rejects.toMatchObject({
      httpStatus: 503,
      message: expect.stringMatching(/waiting for the node/),
    });
    down = false;
    await follower.ready;
    expect(await health()).toMatchObject({
      status: 200,
      body: { status: "ok", head: "92", node: { state: "following", nodeHead: 92, lag: 0 } },
    });
    await close();
  });

  test("reset and tenants leave the chain as the node has it, and nothing is mined beside it", async () => {
    const { follower, mock, served, close } = await serve(new FakeNode());
    await follower.ready;
    expect(mock.tenant("another").chain).toBe(follower.chain);
    mock.tenant("another").faults.add({ fault: "status", status: 500 });
    expect(mock.tenant("any").faults.size).toBe(0);
    mock.reset();
    expect(follower.chain.head.number).toBe(92);
    await expect(rawAdmin(served).call("POST mine", {})).rejects.toThrow(/mine on the node/);
    await close();
  });

  test.each([
    ["if traces are not wanted", undefined, { traces: "none" }],
    ["of Hardhat 2, which has no tracer", "HardhatNetwork/2.22.1/@nomicfoundation", {}],
  ])("says that internal transactions were not traced %s", async (_, version, options) => {
    const faked = new FakeNode();
    faked.version = version;
    const { follower, served, health, close } = await serve(faked, options);
    await follower.ready;
    expect(follower.chain.transactionCount).toBeGreaterThan(700);
    expect([...faked.asked.keys()].filter((method) => /trace/.test(method))).toEqual([]);
    const ask = (path: string) =>
      fetch(`${served.url}/v1/${path}`, { headers: { "api-key": "any" } });
    const lists = await Promise.all(
      [
        `accounts/${BOB}/internal-transactions`,
        `transactions/${follower.chain.blockInput(2)?.executions[0]?.transaction.hash}/internal-transactions`,
        `accounts/${BOB}/transactions`,
      ].map(ask),
    );
    expect(lists.map(({ headers }) => headers.get("internal-transactions"))).toEqual([
      ...["not traced", "not traced"],
      null,
    ]);
    expect((await health()).body.node.traces).toBe("none");
    await close();
  });

  test("responds from the first blocks on, if that is wanted", async () => {
    const faked = new FakeNode();
    const heads = new Set<unknown>();
    let ask = async () => {};
    faked.faults.post = async () => {
      await ask();
      return undefined;
    };
    const { follower, health, close } = await serve(faked, { servePartial: true });
    ask = async () => {
      const { status, body } = await health();
      if (status === 200) heads.add(body.head);
    };
    await follower.ready;
    ask = async () => {};
    expect([...heads].some((head) => head !== "92")).toBe(true);
    await close();
  });
});

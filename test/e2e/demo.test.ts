// The demo chain through the client over HTTP, compared with what its node returned by other methods: runs on any clone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExplorer, loadDemo, type ServedExplorer, serveExplorer } from "../../mocks/node.ts";
import { type Address, ExplorerClient } from "../../src/index.ts";
import { readDemoOracle } from "../support/demo-oracle.ts";

describe("the demo chain, over HTTP through the client", () => {
  const oracle = readDemoOracle();
  let served: ServedExplorer;
  let explorer: ExplorerClient;

  beforeAll(async () => {
    served = await serveExplorer(createExplorer({ chain: await loadDemo() }));
    explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "test" });
  });
  afterAll(() => served.close());

  test("has every native balance", async () => {
    const accounts = Object.keys(oracle.nativeBalances) as Address[];
    const balances = await explorer.accounts.balances(accounts);
    expect(balances.map(({ balance }) => `${balance}`)).toEqual(
      Object.values(oracle.nativeBalances),
    );
  });

  test("has every transaction of every sender, newest first", async () => {
    const senders = [...new Set(oracle.transactions.map(({ from }) => from))];
    for (const sender of senders) {
      const query = { condition: "from", prefetch: 4, limit: 50 } as const;
      const listed = await explorer.accounts.transactions(sender, query).collect();
      const sent = oracle.transactions.filter(({ from }) => from === sender).toReversed();
      expect(listed.map((one) => [one.transaction_hash, one.receiver, one.tx_status])).toEqual(
        sent.map(({ hash, to, status }) => [hash, to, `${Number(status)}`]),
      );
    }
  });

  test("has the miner of every block", async () => {
    const miners = await Promise.all(
      oracle.miners.map(async (_, number) => (await explorer.blocks.get(number)).miner),
    );
    expect(miners).toEqual(oracle.miners);
  });

  test("has as many logs of every contract", async () => {
    for (const [address, { all }] of Object.entries(oracle.logs)) {
      const logs = await explorer.eventLogs.list({ address: address as Address }).collect();
      expect([address, logs.length]).toEqual([address, all.length]);
    }
  });
});

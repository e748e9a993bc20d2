// Following Hardhat 2 and Hardhat 3: the same transactions give the same chain, whatever the node tells of them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { createExplorer, followNode, loadChain } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { startAnvil } from "../support/anvil.ts";
import { DEMO } from "../support/chains.ts";
import { describeWithNode, type RealNode, startRealNode } from "../support/real-nodes.ts";
import { replayDemo } from "./replay.ts";

const BOB = "0x00000000000000000000000000000000000b0b00";

/** Up to this block the demo chain is replayed: some 45 transactions, of which contracts are created, called, and fail. */
const LAST = 10;

/** What happened in a block, without hashes of blocks and the wording of errors, in which nodes differ. */
const executionsIn = (chain: ChainWriter, number: number, isTraced: boolean) =>
  (chain.blockInput(number)?.executions ?? []).map(({ transaction, frames, logs }) => {
    const { hash, from, to, created, succeeded, gasUsed, cumulativeGasUsed } = transaction;
    return {
      ...{ hash, from, to, succeeded, gasUsed, cumulativeGasUsed },
      // Some nodes leave out where a failed creation would have been.
      created: succeeded ? created : null,
      logs: logs.map(({ index, address, topics, data }) => ({ index, address, topics, data })),
      frames: frames.flatMap(({ transaction: _, error, ...frame }) =>
        isTraced ? [{ ...frame, error: error?.split(":")[0] }] : [],
      ),
    };
  });

describe.each(["hardhat-2", "hardhat-3"] as const)("%s", (name) => {
  describeWithNode(name, `following ${name}`, () => {
    let node: RealNode;
    beforeAll(async () => {
      node = await startRealNode(name, { REPLAY: "1" });
      await replayDemo(node, 1, LAST);
    });
    afterAll(() => node.stop());

    // Hardhat 2 has no tracer.
    const isTraced = name === "hardhat-3";

    test("gives the demo chain's transactions and logs, and its frames if it has a tracer", async () => {
      const demo = await loadChain(DEMO);
      const follower = await followNode(node.url);
      const accounts = (await node.ask("eth_accounts")) as Address[];
      const { baseUrl, fetch } = createExplorer({ chain: follower });
      const client = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
      const balances = await client.accounts.balances(accounts);
      await follower.close();
      const { chain } = follower;
      expect(follower.status()).toMatchObject({ head: LAST, state: "following", missing: [] });
      for (let number = 1; number <= LAST; number += 1)
        expect([number, executionsIn(chain, number, isTraced)]).toEqual([
          number,
          executionsIn(demo, number, isTraced),
        ]);
      expect(follower.untraced).toBe(!isTraced);

      for (const { address, balance } of balances)
        expect(balance).toBe(BigInt(String(await node.ask("eth_getBalance", address, "latest"))));
    });
  });

  describeWithNode(name, `following a fork by ${name}`, () => {
    test("begins at the block it was forked from, and is quiet on its terminal", async () => {
      const origin = await startAnvil(["--chain-id", "1717"]);
      await origin.ask("anvil_mine", "0x14");
      const node = await startRealNode(name, { FORK: origin.url });
      try {
        const [from] = (await node.ask("eth_accounts")) as Address[];
        const hash = await node.ask("eth_sendTransaction", { from, to: BOB, value: "0x5" });
        // The node says that it has a transaction before it has mined it.
        await expect.poll(() => node.ask("eth_getTransactionReceipt", hash)).not.toBeNull();
        const { chain, status, close } = await followNode(node.url);
        await close();
        const head = Number(await node.ask("eth_blockNumber"));
        expect(chain.head.number).toBe(head);
        expect(chain.balance(BOB)).toBe(5n);
        expect(chain.head.number - chain.length + 1).toBeGreaterThanOrEqual(10);
        expect(status().blocks).toBeLessThan(head);
        expect(node.output()).not.toMatch(/not supported/i);
      } finally {
        await node.stop();
        await origin.stop();
      }
    });
  });
});

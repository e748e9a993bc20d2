// Following Hardhat 2 and Hardhat 3: the same transactions give the same chain, whatever the node tells of them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address, Hash } from "../../../mocks/double/chain/records.ts";
import type { ChainWriter } from "../../../mocks/double/chain/writer.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import { followNode } from "../../../mocks/workbench/follow/follow-node.ts";
import { readState } from "../../support/account-state.ts";
import { startAnvil } from "../../support/anvil.ts";
import { DEMO } from "../../support/chains.ts";
import { executionsOf } from "../../support/executions.ts";
import { describeWithNode, type RealNode, startRealNode } from "../../support/real-nodes.ts";
import { replayDemo } from "../../support/replay.ts";
import type { TestNode } from "../../support/test-node.ts";
import { without } from "../../support/without.ts";

const BOB = "0x00000000000000000000000000000000000b0b00";

/** Up to this block the demo chain is replayed: some 45 transactions, of which contracts are created, called, and fail. */
const LAST = 10;

/** The block of the demo chain with its transactions as another node mined them: in blocks with other hashes. */
const executionsIn = (chain: ChainWriter, number: number) =>
  executionsOf(chain, number).map(({ transaction, ...rest }) => {
    const { hash, from, to, created, succeeded, gasUsed, cumulativeGasUsed } = transaction;
    // Some nodes leave out where a failed creation would have been.
    const address = succeeded ? created : null;
    return { hash, from, to, address, succeeded, gasUsed, cumulativeGasUsed, ...rest };
  });

describe.each(["hardhat-2", "hardhat-3"] as const)("%s", (name) => {
  describeWithNode(name, `following ${name}`, () => {
    let node: RealNode;
    beforeAll(async () => {
      node = await startRealNode(name, { REPLAY: "1" });
      await replayDemo(node, 1, LAST, "other");
    });
    afterAll(() => node.stop());

    test("gives the demo chain's transactions, frames and logs", async () => {
      const demo = await loadChain(DEMO);
      const follower = await followNode(node.url);
      const accounts = (await node.ask("eth_accounts")) as Address[];
      await readState(follower, accounts);
      await follower.close();
      const { chain } = follower;
      expect(follower.status()).toMatchObject({ head: LAST, state: "following", missing: [] });
      for (let number = 1; number <= LAST; number += 1)
        expect([number, executionsIn(chain, number)]).toEqual([number, executionsIn(demo, number)]);
      for (const account of accounts)
        expect(chain.balance(account)).toBe(
          BigInt(String(await node.ask("eth_getBalance", account, "latest"))),
        );
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

async function lastTransaction(node: TestNode): Promise<unknown> {
  const block = await node.ask("eth_getBlockByNumber", "latest", false);
  return (block as { transactions: string[] }).transactions.at(-1);
}

/** Transactions that call, create, fail and end a contract; the node mines each at once. Returns their hashes. */
async function playScenario(node: TestNode): Promise<Hash[]> {
  const [from] = (await node.ask("eth_accounts")) as Address[];
  const hashes: Hash[] = [];
  const send = async (fields: object) => {
    // A node that tells of a failure has mined it all the same.
    const hash = await node
      .ask("eth_sendTransaction", { from, gas: "0x80000", ...fields })
      .catch(() => lastTransaction(node));
    hashes.push(String(hash) as Hash);
    await expect.poll(() => node.ask("eth_getTransactionReceipt", hash)).not.toBeNull();
    return (await node.ask("eth_getTransactionReceipt", hash)) as { contractAddress: Address };
  };
  /** A creation of this code. */
  const creating = (code: string) => {
    const size = (code.length / 2).toString(16).padStart(2, "0");
    return `0x60${size}600c60003960${size}6000f3${code}`;
  };
  const word = (address: Address) => address.slice(2).padStart(64, "0");
  // Calls the address in its data with the coins it received, and passes 32 zero bytes.
  const caller = await send({ data: creating("6000600060206020346000355af15000") });
  // Ends for the address in its data.
  const ender = await send({ data: creating("600035ff"), value: "0x9" });
  const reverter = await send({ data: creating("60006000fd") });
  // Reverts with its data.
  const echo = await send({ data: creating("366000600037366000fd") });
  const invalid = await send({ data: creating("fe") });
  // Creates an account without code, with the coins it received.
  const creator = await send({ data: creating("6000600034f05000") });
  await send({ to: caller.contractAddress, value: "0x7", data: `0x${word(BOB)}` });
  await send({ to: caller.contractAddress, data: `0x${word(reverter.contractAddress)}` });
  await send({ to: caller.contractAddress, data: `0x${word(invalid.contractAddress)}` });
  await send({ to: creator.contractAddress, value: "0x3" });
  await send({ to: reverter.contractAddress });
  await send({ to: echo.contractAddress, data: "0xcafe" });
  await send({ to: caller.contractAddress, data: `0x${word(echo.contractAddress)}` });
  // A creation that reverts with one byte.
  await send({ data: "0x60fe60005360016000fd" });
  await send({ to: ender.contractAddress, value: "0x2", data: `0x${word(BOB)}` });
  return hashes;
}

describe.each(["hardhat-2", "hardhat-3"] as const)("%s", (name) => {
  describeWithNode(name, `what ${name} tells of calls`, () => {
    test("is what anvil tells of the same transactions", async () => {
      const flags = ["--chain-id", "1717", "--hardfork", "prague"];
      const nodes = [await startAnvil(flags), await startRealNode(name)] as const;
      try {
        const played = [];
        for (const node of nodes) {
          const hashes = await playScenario(node);
          // trace_block has other words for errors.
          const { chain, close } = await followNode(node.url, { fetch: without("trace_block") });
          await close();
          played.push(
            hashes.map((hash) => {
              const found = chain.transaction(hash);
              const [execution] = executionsOf(chain, found?.block.number ?? -1);
              const frames = execution?.frames ?? [];
              const { created, succeeded, gasUsed, output } = found ?? {};
              return { created, succeeded, gasUsed, output, frames };
            }),
          );
        }
        expect(played[1]).toEqual(played[0]);
        expect(played[0]?.map(({ output }) => output).filter(Boolean)).toEqual(["0xcafe", "0xfe"]);
        const frames = played[0]?.flatMap((transaction) => transaction.frames);
        expect(frames).toContainEqual(expect.objectContaining({ type: "create", value: 3n }));
        expect(frames).toContainEqual(expect.objectContaining({ error: "execution reverted" }));
        expect(frames).toContainEqual(expect.objectContaining({ error: "invalid opcode" }));
        expect(frames).toContainEqual(
          expect.objectContaining({ type: "selfdestruct", value: 11n, to: BOB }),
        );
      } finally {
        for (const node of nodes) await node.stop();
      }
    });
  });
});

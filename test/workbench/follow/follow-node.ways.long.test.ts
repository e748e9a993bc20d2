// Following a node that replays the demo chain, in each way that nodes offer: by the traces of blocks, of transactions, or their steps.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Address } from "../../../mocks/double/chain/records.ts";
import type { ChainWriter } from "../../../mocks/double/chain/writer.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import {
  type Follower,
  type FollowOptions,
  followNode,
} from "../../../mocks/workbench/follow/follow-node.ts";
import { accountState, readState } from "../../support/account-state.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";
import { DEMO } from "../../support/chains.ts";
import { readDemoOracle } from "../../support/demo-oracle.ts";
import { executionsOf } from "../../support/executions.ts";
import { DEMO_FLAGS, replayDemo } from "../../support/replay.ts";
import { onlySteps, without } from "../../support/without.ts";

let node: Anvil;
let demo: ChainWriter;
const addresses = Object.keys(readDemoOracle().nativeBalances) as Address[];
const followers: Follower[] = [];
const follow = async (options: FollowOptions = {}) => {
  const follower = await followNode(node.url, { interval: 60_000, ...options });
  followers.push(follower);
  return follower;
};
/** The recording did not ask for the accounts that calls and constructors name alone. */
const completeBy = async (chain: ChainWriter) => {
  for (const token of demo.knownTokens()) {
    const recorded = new Set(demo.knownHolders(token));
    for (const holder of chain.knownHolders(token)) {
      if (recorded.has(holder)) continue;
      const data = `0x70a08231${holder.slice(2).padStart(64, "0")}`;
      const balance = await node.ask("eth_call", { to: token, data }, "latest");
      demo.applyHeadState({ tokenBalances: [[token, holder, BigInt(String(balance))]] });
    }
  }
};
beforeAll(async () => {
  demo = await loadChain(DEMO);
  node = await startAnvil([...DEMO_FLAGS, "--no-mining", "--steps-tracing"]);
  await replayDemo(node, 1, 40);
});
afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.close();
});
afterAll(() => node.stop());

test("gives the demo chain, whatever way the node offers", async () => {
  const early = await follow();
  expect(early.chain.head.number).toBe(40);
  await replayDemo(node, 41, 92);
  await early.update();

  const followed = [
    early,
    await follow({ fetch: without("trace_block"), batch: 7, concurrency: 1 }),
    await follow({
      fetch: without("trace_block", "debug_traceBlockByNumber", "eth_getBlockReceipts"),
    }),
    await follow({ fetch: onlySteps }),
  ];
  for (const follower of followed) {
    const { chain } = follower;
    await readState(follower, addresses);
    if (follower === early) await completeBy(chain);
    expect(chain.head).toEqual(demo.head);
    expect(chain.transactionCount).toBe(demo.transactionCount);
    for (const address of addresses) {
      expect([address, accountState(chain, address)]).toEqual([
        address,
        accountState(demo, address),
      ]);
    }
    // trace_block has other gas and other words for errors.
    if (follower === early) continue;
    for (let number = 0; number <= 92; number += 1)
      expect([number, executionsOf(chain, number)]).toEqual([number, executionsOf(demo, number)]);
  }
});

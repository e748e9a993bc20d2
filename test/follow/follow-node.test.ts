// Following a real node that goes back and takes another branch.
import { expect, onTestFinished, test } from "vitest";
import type { Address, Hash } from "../../mocks/chain/records.ts";
import { followNode } from "../../mocks/follow/follow-node.ts";
import { startAnvil } from "../support/anvil.ts";
import { readState } from "./account-state.ts";

const [ALICE, BOB]: [Address, Address] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
];

test("a chain goes back with its node, and takes the other branch", async () => {
  const node = await startAnvil();
  onTestFinished(() => node.stop());
  const send = async (value: number) => {
    const transaction = { from: ALICE, to: BOB, value: `0x${value.toString(16)}` };
    const hash = await node.ask("eth_sendTransaction", transaction);
    // The node says that it has a transaction before it has mined it.
    await expect.poll(() => node.ask("eth_getTransactionReceipt", hash)).not.toBeNull();
    return hash as Hash;
  };
  await send(1);
  const follower = await followNode(node.url, { interval: 60_000 });
  onTestFinished(() => follower.close());
  const { chain, update } = follower;
  /** Head and balances are the node's. */
  const expectSame = async () => {
    await readState(follower, [ALICE, BOB]);
    const head = await node.ask("eth_getBlockByNumber", "latest", false);
    expect(chain.head.hash).toBe((head as { hash: string }).hash);
    for (const account of [ALICE, BOB])
      expect(chain.balance(account)).toBe(
        BigInt(String(await node.ask("eth_getBalance", account, "latest"))),
      );
  };
  await expectSame();
  const snapshot = await node.ask("evm_snapshot");
  const undone = await send(2);
  await send(3);
  await update();
  expect(chain.transaction(undone)).toBeDefined();

  await node.ask("evm_revert", snapshot);
  await update();
  expect(chain.transaction(undone)).toBeUndefined();
  await expectSame();

  const kept = [await send(4), await send(5), await send(6)];
  await update();
  expect(kept.map((hash) => chain.transaction(hash)?.succeeded)).toEqual([true, true, true]);
  await expectSame();
});

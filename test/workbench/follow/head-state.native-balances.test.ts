// Coins that come without a transaction: accounts that exist from the start, balances that a test sets, withdrawals.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "../../../mocks/double/chain/records.ts";
import { createExplorer, type Follower, followNode } from "../../../mocks/node.ts";
import { ExplorerClient } from "../../../src/index.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";
import { FakeNode } from "../../support/fake-node.ts";

const BOB: Address = "0x00000000000000000000000000000000000b0b00";

let node: Anvil;
let follower: Follower;
let explorer: ExplorerClient;
const explorerOf = (chain: Follower) => {
  const { baseUrl, fetch } = createExplorer({ chain });
  return new ExplorerClient({ baseUrl, apiKey: "any", fetch });
};
beforeAll(async () => {
  node = await startAnvil([
    "--mnemonic",
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
  ]);
  // As on a node that does not tell its accounts.
  follower = await followNode(node.url, {
    interval: 60_000,
    fetch: async (url, init) =>
      String(init?.body).includes("eth_accounts")
        ? Response.json({ id: 1, error: { code: -32601, message: "method not found" } })
        : fetch(url, init),
  });
  explorer = explorerOf(follower);
});
afterAll(async () => {
  await follower.close();
  await node.stop();
});

test("accounts of any mnemonic have their coins, though no block gave them any", async () => {
  const accounts = (await node.ask("eth_accounts")) as Address[];
  expect(follower.chain.balance(accounts[3] as Address)).toBe(0n);
  expect(await explorer.accounts.balances(accounts)).toEqual(
    accounts.map((address) => ({ address, balance: 10_000n * 10n ** 18n })),
  );
});

test("a balance that is set is there at once, without a block", async () => {
  expect(await explorer.accounts.balance(BOB)).toBe(0n);
  await node.ask("anvil_setBalance", BOB, "0x5");
  expect(await explorer.accounts.balance(BOB)).toBe(5n);
  await node.ask("anvil_setBalance", BOB, "0x0");
  expect(await explorer.accounts.balance(BOB)).toBe(0n);
});

test("a revert takes a balance back", async () => {
  const snapshot = await node.ask("evm_snapshot");
  await node.ask("anvil_setBalance", BOB, "0x7");
  await node.ask("evm_mine");
  await follower.update();
  expect(await explorer.accounts.balance(BOB)).toBe(7n);
  await node.ask("evm_revert", snapshot);
  // The explorer notices by itself that its head is gone.
  expect(await explorer.accounts.balance(BOB)).toBe(0n);
  expect(follower.chain.head.number).toBe(0);
});

test("withdrawals (EIP-4895) are credited, and the node has the last word", async () => {
  const faked = new FakeNode();
  faked.version = "anvil/v1.7.1";
  faked.head = 91;
  let told = "0x77359400";
  faked.faults.call = (call) => {
    const [subject] = call.params;
    if (call.method === "eth_getBalance" && subject === BOB) return { result: told };
    if (call.method !== "eth_getBlockByNumber" || Number(subject) !== 91) return undefined;
    const { result } = faked.answer(call) as { result: object };
    const withdrawals = [{ index: "0x0", validatorIndex: "0x1", address: BOB, amount: "0x2" }];
    return { result: { ...result, withdrawals } };
  };
  const followed = await followNode(faked.url, { fetch: faked.fetch, interval: 60_000 });
  const client = explorerOf(followed);
  expect(followed.chain.balance(BOB)).toBe(2_000_000_000n);
  expect(await client.accounts.balance(BOB)).toBe(2_000_000_000n);
  told = "0x1";
  faked.head = 90;
  await followed.update();
  expect(await client.accounts.balance(BOB)).toBe(1n);
  await followed.close();
});

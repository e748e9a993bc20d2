// Following an anvil that forks another anvil: from the block it was forked from, with the node's balances.
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Address, Hash } from "../../mocks/chain/records.ts";
import { createExplorer, type Follower, followNode, serveExplorer } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { type Anvil, startAnvil } from "../support/anvil.ts";

const ALICE = "0x00000000000000000000000000000000000a11ce";
const BOB = "0x00000000000000000000000000000000000b0b00";

let origin: Anvil;
let fork: Anvil | undefined;
let follower: Follower | undefined;
/** A transaction before the fork. */
let old: Hash;
const asked: string[] = [];

/** Notes what the node is asked. */
const noting: typeof fetch = (input, init) => {
  asked.push(String(init?.body));
  return fetch(input, init);
};

const send = async (node: Anvil, to: Address, value: string) => {
  const [from] = (await node.ask("eth_accounts")) as Address[];
  const hash = String(await node.ask("eth_sendTransaction", { from, to, value })) as Hash;
  // A fork asks its origin while it mines.
  const receipt = () => node.ask("eth_getTransactionReceipt", hash);
  await vi.waitFor(async () => expect(await receipt(), hash).not.toBeNull(), 30_000);
  return hash;
};
const balanceOn = async (node: Anvil, account: Address) =>
  BigInt(String(await node.ask("eth_getBalance", account, "latest")));

/** Forks the origin, sends a transaction on the fork, and follows it. */
const followFork = async (flags: readonly string[] = []) => {
  fork = await startAnvil(["--fork-url", origin.url, ...flags]);
  const sent = await send(fork, BOB, "0x5");
  asked.length = 0;
  follower = await followNode(fork.url, { fetch: noting });
  return { fork, follower, sent };
};

beforeAll(async () => {
  origin = await startAnvil(["--chain-id", "1717"]);
  old = await send(origin, ALICE, "0x7");
  await send(origin, BOB, "0x3");
  await origin.ask("anvil_mine", "0x12");
});
afterEach(async () => {
  await follower?.close();
  await fork?.stop();
  follower = undefined;
  fork = undefined;
});
afterAll(() => origin.stop());

test("a fork is followed from the block it was forked from, with the node's balances and a first block in /health", async () => {
  const at = 11;
  const { fork, follower, sent } = await followFork(["--fork-block-number", `${at}`]);
  const { chain, status } = follower;
  expect(status()).toMatchObject({ state: "following", blocks: 2, head: at + 1, missing: [] });
  expect(chain.block(at - 1)).toBeUndefined();
  expect(chain.transaction(sent)).toMatchObject({
    to: BOB,
    value: 5n,
    block: { number: at + 1 },
  });
  expect(chain.transaction(old)).toBeUndefined();
  expect(asked.join()).not.toContain(old);
  expect(asked.join()).not.toMatch(/"eth_getBlockBy[A-Za-z]+","params":\["0x[0-9]"/);

  // It tells the node's balances, also of accounts that only the origin touched.
  const { baseUrl, fetch: ask } = createExplorer({ chain: follower });
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch: ask });
  const accounts = (await fork.ask("eth_accounts")) as Address[];
  for (const account of [...accounts, ALICE, BOB] as const)
    expect(await explorer.accounts.balance(account)).toBe(await balanceOn(fork, account));
  for (const account of [...accounts, BOB] as const)
    expect(follower.chain.balance(account)).toBe(await balanceOn(fork, account));
  expect(await balanceOn(fork, ALICE)).toBe(7n);
  expect(await balanceOn(fork, BOB)).toBe(8n);

  const served = await serveExplorer(createExplorer({ chain: follower }));
  try {
    const response = await fetch(`${served.url}/health`);
    expect(await response.json()).toMatchObject({
      head: String(at + 1),
      node: { first: at, blocks: 2, state: "following" },
    });
  } finally {
    await served.close();
  }
});

test("a fork at a block with transactions is followed: that block has no internal transactions", async () => {
  const { follower, sent } = await followFork(["--fork-block-number", "1"]);
  const { chain, status } = follower;
  expect(status()).toMatchObject({ state: "following", first: 1, head: 2, missing: [] });
  expect(chain.transaction(old)).toMatchObject({ to: ALICE, value: 7n, succeeded: true });
  expect(chain.transaction(sent)?.block.number).toBe(2);
  expect(asked.join()).not.toMatch(/"trace_block","params":\["0x1"\]/);
});

test("a fork that is set back to another block of its origin is followed from there", async () => {
  const { fork, follower } = await followFork();
  const { chain, status, update } = follower;
  await fork.ask("anvil_reset", { forking: { jsonRpcUrl: origin.url, blockNumber: 12 } });
  const sent = await send(fork, BOB, "0x1");
  await update();
  expect(status()).toMatchObject({ state: "following", first: 12, head: 13, blocks: 2 });
  expect(chain.transaction(sent)?.block.number).toBe(13);
});

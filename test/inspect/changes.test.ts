// The changes of balances and state by a transaction, with and without a node.
import { beforeAll, describe, expect, test } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { visitCoinMoves } from "../../mocks/chain/block-effects.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { NodeAnswer, NodeCall } from "../../mocks/chain/live-chain.ts";
import type { Hash } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { changesBy } from "../../mocks/inspect/changes.ts";
import { loadDemo } from "../../mocks/node.ts";
import { lookEachTest } from "./served.ts";

type TransactionChanges = NonNullable<Awaited<ReturnType<typeof changesBy>>>;

const look = lookEachTest();

let demo: ChainWriter;
beforeAll(async () => {
  demo = await loadDemo();
});

/** Computes the coins of an account after a block by undoing later blocks. */
function coinsAt(chain: ChainWriter, account: string, number: number): bigint {
  let balance = chain.balance(account as Hash);
  for (let block = chain.head.number; block > number; block -= 1) {
    const input = chain.blockInput(block);
    if (input)
      visitCoinMoves(input, (from, to, value) => {
        if (from === account) balance += value;
        if (to === account) balance -= value;
      });
  }
  return balance;
}

/** Fakes a node with the chain's blocks. `answer` may answer a call differently. */
const nodeOf = (
  chain: ChainWriter,
  answer: (call: NodeCall) => NodeAnswer | undefined = () => undefined,
) => ({
  ask: async (calls: readonly NodeCall[]): Promise<readonly NodeAnswer[]> =>
    calls.map((call) => {
      const given = answer(call);
      if (given) return given;
      const [subject, at] = call.params;
      if (call.method === "eth_getBlockByNumber")
        return { result: { hash: chain.block(Number(subject))?.hash } };
      if (call.method === "eth_getBalance")
        return { result: `0x${coinsAt(chain, String(subject), Number(at)).toString(16)}` };
      return { error: { message: `no ${call.method}` } };
    }),
});

const known = ({ balances }: TransactionChanges) =>
  balances.filter(({ before }) => before !== null);

describe("balances before and after a transaction", () => {
  test("come from the node, minus the moves of the block's other transactions", async () => {
    const busiest = Array.from({ length: demo.length }, (_, number) => number).sort(
      (one, other) =>
        (demo.block(other)?.transactionCount ?? 0) - (demo.block(one)?.transactionCount ?? 0),
    )[0];
    const range = { startBlock: busiest, endBlock: busiest };
    const inBlock = items(demo.allTransactions(range));
    expect(inBlock.length).toBeGreaterThan(5);
    for (const { hash } of inBlock.slice(2, 6)) {
      const coinsOf = (changes: TransactionChanges | undefined) =>
        changes?.balances.filter(({ token }) => token === null);
      const byNode = coinsOf(await changesBy(demo, hash, nodeOf(demo))) ?? [];
      const byMoves = coinsOf(await changesBy(demo, hash, undefined)) ?? [];
      expect(byNode.length).toBeGreaterThan(0);
      // Without a node, only the differences are known.
      expect(byMoves.every(({ before, after }) => before === null && after === null)).toBe(true);
      const miner = demo.transaction(hash)?.block.miner;
      for (const [index, { address, before, after, change }] of byNode.entries()) {
        expect(BigInt(`${after}`) - BigInt(`${before}`)).toBe(BigInt(change));
        if (address !== miner) expect(byMoves[index]?.change).toBe(change);
      }
    }
  });

  test("show a fee that a token took without an event", async () => {
    const { builder, hash, alice, token } = scene();
    const answers = ["0x64", "0x59"].values();
    const node = nodeOf(builder.chain, ({ method, params: [call] }) =>
      method === "eth_call" && Object(call).data.endsWith(alice.slice(2))
        ? { result: answers.next().value?.replace("0x", `0x${"0".repeat(62)}`) }
        : undefined,
    );
    const changes = await changesBy(builder.chain, hash, node);
    expect(changes?.balances.filter((one) => one.token)).toEqual([
      expect.objectContaining({ address: alice, before: "100", after: "89", change: "-11" }),
      // The node does not return this balance, so only the transfer is known.
      expect.objectContaining({ before: null, after: null, change: "10" }),
    ]);
    expect(changes?.balances.at(-1)?.token?.token_address).toBe(token.address);
  });

  test("are unknown if the node has another block, or no longer has the state", async () => {
    const { builder, hash } = scene();
    for (const [method, result] of [
      ["eth_getBlockByNumber", { hash: `0x${"00".repeat(32)}` }],
      ["eth_getBlockByNumber", null],
      ["eth_getBalance", "missing trie node"],
    ]) {
      const node = nodeOf(builder.chain, (call) =>
        call.method === method ? { result } : undefined,
      );
      const changes = await changesBy(builder.chain, hash, node);
      expect(known(changes as TransactionChanges)).toEqual([]);
      expect(changes?.balances[0]?.change).toMatch(/^-\d+$/);
    }
  });

  test("include the caller of a token, even if the call failed", async () => {
    const { builder, alice, token } = scene();
    const failed = token.transfer(alice, token.address, 10n ** 9n, { fails: "too much" });
    builder.mine();
    const changes = await changesBy(builder.chain, failed.hash, undefined);
    expect(changes?.balances.at(-1)).toMatchObject({
      ...{ address: alice, before: null, after: null, change: "0" },
      token: { token_symbol: "AUR", token_decimals: "6" },
    });
  });
});

function scene() {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  const token = builder.deployMRC20(alice, { name: "Aurora", symbol: "AUR", decimals: 6 });
  token.mint(alice, 100n);
  builder.mine();
  const { hash } = token.transfer(alice, bob, 10n);
  builder.mine();
  return { builder, alice, bob, token, hash };
}

describe("changes of the state", () => {
  const one = `0x${"0".repeat(63)}1` as const;
  const two = `0x${"0".repeat(63)}2` as const;
  const none = `0x${"0".repeat(64)}` as const;

  test("are the slots, nonces and codes of a prestate tracer", async () => {
    const { builder, hash, alice, bob, token } = scene();
    const gone = `0x${"0d".repeat(20)}`;
    const pre = {
      [alice]: { balance: "0x5", nonce: 2 },
      [token.address.toUpperCase().replace("0X", "0x")]: {
        ...{ balance: "0x0", code: "0x60", nonce: 1 },
        storage: { [one]: two, [two]: one },
      },
      [gone]: { balance: "0x1", code: "0xfe", nonce: 1 },
    };
    const post = {
      [alice]: { balance: "0x4", nonce: 3 },
      [token.address]: { storage: { [one]: one, "0x3": "0x2" } },
      [bob]: { code: "0x6001", nonce: 1 },
    };
    const node = nodeOf(builder.chain, ({ method, params }) => {
      if (method !== "debug_traceTransaction") return undefined;
      expect(params).toMatchObject([
        hash,
        { tracer: "prestateTracer", tracerConfig: { diffMode: true } },
      ]);
      return { result: { pre, post } };
    });
    const changes = await changesBy(builder.chain, hash, node);
    const three = `0x${"0".repeat(63)}3`;
    expect(
      changes?.state?.map(({ what, slot, variables: _, ...rest }) => [
        ...Object.values(rest),
        what,
        slot,
      ]),
    ).toEqual([
      [alice, "2", "3", "nonce", null],
      [token.address, two, one, "storage", one],
      [token.address, one, none, "storage", two],
      [token.address, none, two, "storage", three],
      [gone, "1", "0", "nonce", null],
      [gone, "0xfe", "0x", "code", null],
      [bob, "0", "1", "nonce", null],
      [bob, "0x", "0x6001", "code", null],
    ]);
    expect(changes).toMatchObject({ state_count: "8", state_message: null });
  });

  test("are explained if they are unknown", async () => {
    const { builder, hash } = scene();
    const messageWith = async (answer: NodeAnswer) => {
      const node = nodeOf(builder.chain, ({ method }) =>
        method === "debug_traceTransaction" ? answer : undefined,
      );
      const changes = await changesBy(builder.chain, hash, node);
      return [changes?.state, changes?.state_message];
    };
    expect(await messageWith({ error: { message: "only the default tracer" } })).toEqual([
      null,
      "The node has no prestate tracer, which tells the changed storage: only the default tracer",
    ]);
    expect(await messageWith({ result: { structLogs: [] } })).toEqual([
      null,
      "The node has no prestate tracer, which tells the changed storage",
    ]);
    const away = { ask: () => Promise.reject(new Error("connection refused")) };
    expect(await changesBy(builder.chain, hash, away)).toMatchObject({
      ...{ state: null, state_message: "The node did not respond" },
    });
    const { ask, get } = await look({ chain: builder });
    expect(await ask("changes", { hash })).toMatchObject({
      ...{ state: null, count: 5 },
      state_message: "Only a followed node can tell which storage it changed",
    });
    expect(await get(`/inspect/transaction/${one}/changes`)).toMatchObject({ status: 404 });
  });
});

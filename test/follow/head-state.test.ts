// What is read of the head is asked for when it is read: of one block, within a budget, and never silently old.
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import {
  createExplorer,
  type Follower,
  type FollowOptions,
  followNode,
  loadDemo,
} from "../../mocks/node.ts";
import type { OperationId } from "../../src/contract/index.ts";
import { type Call, FakeNode, type RpcAnswer } from "../support/fake-node.ts";
import { type Raw, requestOf } from "../support/requests.ts";

const STRANGER: Address = "0x00000000000000000000000000000000deadbee5";
const BALANCE_OF = "0x70a08231";

const demo = await loadDemo();
const coin = [...demo.knownTokens()].find(
  (token) => demo.token(token)?.standard === "mrc20" && demo.token(token)?.name,
) as Address;
const holder = [...demo.knownHolders(coin)].find(
  (one) => demo.tokenBalance(coin, one) > 0n,
) as Address;

const followers: Follower[] = [];
afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.close();
});

async function following(node: FakeNode, options: FollowOptions = {}) {
  const follower = await followNode(node.url, {
    fetch: node.fetch,
    interval: 60_000,
    retries: 1,
    retryDelay: 0,
    ...options,
  });
  followers.push(follower);
  const mock = createExplorer({ chain: follower });
  const get = async (operation: OperationId, raw: Raw) => {
    const { target, method, headers, body } = requestOf(operation, raw);
    const response = await mock.fetch(`${mock.baseUrl}${target}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      state: response.headers.get("head-state"),
      body: await response.json(),
    };
  };
  return { follower, get };
}

const word = (value: bigint): RpcAnswer => ({
  result: `0x${value.toString(16).padStart(64, "0")}`,
});

/** The data of a call of a contract. */
const dataOf = ({ method, params: [subject] }: Call): string =>
  method === "eth_call" ? (subject as { data: string }).data : "";

const isBalanceOf = (call: Call, of: Address): boolean =>
  dataOf(call) === `${BALANCE_OF}${of.slice(2).padStart(64, "0")}`;

const t2 = { contract_hash: coin, address_hash: holder };

describe("a balance", () => {
  test("is the node's own, and asked for once per block", async () => {
    const node = new FakeNode();
    node.head = 90;
    const { follower, get } = await following(node);
    let asked = 0;
    let balance = 7n;
    node.faults.call = (call) => {
      if (!isBalanceOf(call, holder)) return undefined;
      asked += 1;
      return word(balance);
    };
    const read = async () => (await get("T2", t2)).body.results.data.balance;
    expect(await Promise.all([read(), read(), read()])).toEqual(["7", "7", "7"]);
    expect(asked).toBe(1);

    balance = 9n;
    node.head = 91;
    await follower.update();
    asked = 0;
    expect([await read(), await read()]).toEqual(["9", "9"]);
    expect(asked).toBe(1);
  });

  test("of an account that no block names is the node's, and leaves nothing behind where there is none", async () => {
    const node = new FakeNode();
    const { follower, get } = await following(node);
    const known = () => [...follower.chain.knownHolders(coin)].length;
    const before = known();
    node.faults.call = ({ method, params: [subject] }) =>
      method === "eth_getBalance" && subject === STRANGER ? { result: "0x2a" } : undefined;
    const read = async () => (await get("A1", { addresses: [STRANGER] })).body.results.data;
    expect(await read()).toEqual([{ address: STRANGER, balance: "42" }]);
    expect((await get("T2", { ...t2, address_hash: STRANGER })).body.results.data.balance).toBe(
      "0",
    );
    expect(known()).toBe(before);
  });

  test("belongs to the chain's head: what the node says of another block is asked again", async () => {
    const node = new FakeNode();
    node.version = "anvil/v1.7.1";
    node.head = 90;
    const { follower, get } = await following(node);
    node.faults.call = (call) => {
      if (!isBalanceOf(call, holder)) return undefined;
      // The node replaces its chain while it is asked.
      const at = Number(call.params[1]);
      node.head = 88;
      return word(BigInt(at));
    };
    const { body } = await get("T2", t2);
    expect(follower.chain.head.number).toBe(88);
    expect(body.results.data.balance).toBe("88");
  });

  test("is not served where the node has another block at that height meanwhile: 503, until it has ours", async () => {
    const node = new FakeNode();
    node.head = 90;
    const { follower, get } = await following(node);
    const before = follower.chain.tokenBalance(coin, holder);
    let isOther = false;
    node.faults.call = (call) => {
      if (isBalanceOf(call, holder)) {
        isOther = true;
        return word(before + 1n);
      }
      if (!isOther || call.method !== "eth_getBlockByNumber") return undefined;
      isOther = false;
      return {
        result: { ...Object(Object(node.answer(call)).result), hash: `0x${"7".repeat(64)}` },
      };
    };
    expect((await get("T2", t2)).status).toBe(503);
    expect(follower.chain.tokenBalance(coin, holder)).toBe(before);
    node.faults = {};
    expect((await get("T2", t2)).body.results.data.balance).toBe(`${before}`);
  });

  test("is asked again where the chain grew meanwhile: an answer counts for its own head", async () => {
    const node = new FakeNode();
    node.head = 90;
    const { follower, get } = await following(node);
    const asked: number[] = [];
    /** What the chain had when it asked. */
    const before: bigint[] = [];
    node.faults.post = async (calls) => {
      if (node.head > 90 || !calls.some((call) => isBalanceOf(call, holder))) return undefined;
      node.head = 91;
      await follower.update();
      return undefined;
    };
    node.faults.call = (call) => {
      if (!isBalanceOf(call, holder)) return undefined;
      const at = Number(call.params[1]);
      asked.push(at);
      before.push(follower.chain.tokenBalance(coin, holder));
      return word(BigInt(at));
    };
    const { body } = await get("T2", t2);
    expect(asked).toEqual([90, 91]);
    expect(before).not.toContain(90n);
    expect(body.results.data.balance).toBe("91");
    expect(follower.chain.tokenBalance(coin, holder)).toBe(91n);
  });
});

test("each thing that a token says of itself may change alone", async () => {
  const node = new FakeNode();
  const { follower, get } = await following(node);
  const textOf = (text: string) =>
    `0x${[32n, BigInt(text.length)].map((one) => one.toString(16).padStart(64, "0")).join("")}${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
  const { name, symbol, decimals, totalSupply } = follower.chain.token(coin) ?? {};
  const known = { name, symbol, decimals, totalSupply };
  const changes = [
    ["0x06fdde03", "name", { result: textOf("Other") }, "Other"],
    ["0x95d89b41", "symbol", { result: textOf("OTH") }, "OTH"],
    ["0x313ce567", "decimals", word(3n), 3],
    ["0x18160ddd", "totalSupply", word(5n), 5n],
  ] as const;
  const changed = new Map<string, RpcAnswer>();
  node.faults.call = (call) => changed.get(dataOf(call));
  const expected: Record<string, unknown> = { ...known };
  for (const [selector, field, answer, value] of changes) {
    changed.set(selector, answer);
    expected[field] = value;
    node.head -= 1;
    node.version = "anvil/v1.7.1";
    await follower.update();
    await get("T2", t2);
    expect(follower.chain.token(coin)).toMatchObject(expected);
  }
});

describe("a node that does not tell", () => {
  test("because a server that lags responds makes a 503 that says so; what was served stays", async () => {
    const node = new FakeNode();
    const { follower, get } = await following(node);
    node.head = 90;
    const failed = await get("T2", t2);
    expect(failed).toMatchObject({ status: 503, retryAfter: "1" });
    expect(failed.body.message).toMatch(/at block 92: it does not have block 92 for now: it lags/);
    expect(follower.chain.head.number).toBe(92);
    node.head = 92;
    expect((await get("T2", t2)).status).toBe(200);
  });

  test("makes a 503 with Retry-After, never an old balance; lists of blocks are answered", async () => {
    const node = new FakeNode();
    node.version = "anvil/v1.7.1";
    const { get } = await following(node);
    expect((await get("T2", t2)).status).toBe(200);
    node.head = 91;
    await followers[0]?.update();
    node.faults.post = () => {
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    };
    const failed = await get("T2", t2);
    expect(failed).toMatchObject({ status: 503, retryAfter: "1" });
    expect(failed.body.message).toMatch(
      /the node did not return the state at block 91: .*ECONNREFUSED/,
    );
    expect((await get("A1", { addresses: [holder] })).status).toBe(503);
    expect((await get("A2", { address_hash: holder })).status).toBe(200);
    node.faults = {};
    expect((await get("T2", t2)).status).toBe(200);
  });

  test("does not matter once the follower is closed: the chain stays as it is", async () => {
    const node = new FakeNode();
    const { follower, get } = await following(node);
    await follower.close();
    node.faults.post = () => {
      throw new TypeError("fetch failed");
    };
    const { body, state } = await get("T2", t2);
    expect(body.results.data.balance).toBe(String(demo.tokenBalance(coin, holder)));
    expect(state).toBeNull();
  });

  test("because it fails makes a 503, unless the request can do without", async () => {
    const node = new FakeNode();
    const { get } = await following(node);
    node.faults.call = (call) =>
      isBalanceOf(call, holder) ? { error: { code: -32603, message: "out of order" } } : undefined;
    const failed = await get("T2", t2);
    expect(failed.status).toBe(503);
    expect(failed.body.message).toContain("out of order");
    // Whether receivers have code by now decides a field or two.
    const payer = Array.from({ length: demo.head.number + 1 }, (_, at) => demo.blockInput(at))
      .flatMap((input) => input?.executions ?? [])
      .flatMap(({ frames }) => frames)
      .find(({ to }) => to !== null && demo.code(to) === "0x")?.from;
    node.faults = {
      post: () => {
        throw new TypeError("fetch failed");
      },
    };
    const read = () => get("A3", { address_hash: payer });
    expect(await read()).toMatchObject({ status: 200, state: "incomplete" });
    node.faults = {};
    expect(await read()).toMatchObject({ status: 200, state: null });
  });

  test("answers from blocks, and says so, where it no longer has the state", async () => {
    const node = new FakeNode();
    const { get } = await following(node);
    node.faults.call = ({ method }) =>
      method === "eth_call" ? { error: { code: -32000, message: "missing trie node" } } : undefined;
    expect(await get("T2", t2)).toMatchObject({ status: 200, state: "incomplete" });
  });
});

describe("the budget of calls", () => {
  test.each([
    [10, null],
    [0, "incomplete"],
  ])(
    "of %i limits what a request costs, and the answer says that it is incomplete",
    async (callBudget, state) => {
      const node = new FakeNode();
      const { get } = await following(node, { callBudget });
      let calls = 0;
      node.faults.call = ({ method }) => {
        if (method === "eth_call") calls += 1;
        return undefined;
      };
      expect(await get("T4", { contract_hash: coin })).toMatchObject({
        status: 200,
        state: "incomplete",
      });
      expect(calls > 0).toBe(callBudget > 0);
      expect(calls).toBeLessThanOrEqual(callBudget);
      expect(await get("T2", t2)).toMatchObject({ status: 200, state });
    },
  );

  test("is not exceeded by as many calls, nor by the same call twice", async () => {
    const node = new FakeNode();
    const { get } = await following(node, { callBudget: 2 });
    const [one, two, three] = [1, 2, 3].map((digit) => `0x${`${digit}`.repeat(40)}`);
    const stateOf = async (...addresses: unknown[]) => (await get("A1", { addresses })).state;
    expect(await stateOf(one, two)).toBeNull();
    expect(await stateOf(one, one, two)).toBeNull();
    expect(await stateOf(one, two, three)).toBe("incomplete");
  });
});

describe("requests at the same time", () => {
  /** How often the balance is asked, if another request begins while the first one is answered. */
  const askedFor = async (version: string | undefined) => {
    const node = new FakeNode();
    node.version = version;
    const { get } = await following(node);
    // So that the kind of the node is known.
    await get("A1", { addresses: [STRANGER] });
    let asked = 0;
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    node.faults.post = async (calls) => {
      if (!calls.some((call) => isBalanceOf(call, holder))) return undefined;
      asked += 1;
      await gate;
      return undefined;
    };
    const posts = node.posts;
    const first = get("T2", t2);
    await vi.waitFor(() => expect(asked).toBe(1));
    const second = get("T2", t2);
    await setTimeout(5);
    open();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    return { asked, posts: node.posts - posts };
  };

  test("share what is in flight", async () => {
    // The state, and whether the head is still the same.
    expect(await askedFor(undefined)).toEqual({ asked: 1, posts: 2 });
  });

  test("do not share it on a development node, whose state may change without a block", async () => {
    expect(await askedFor("anvil/v1.7.1")).toEqual({ asked: 2, posts: 4 });
  });
});

test("a token that fails does not take the lists of all accounts with it", async () => {
  const node = new FakeNode();
  const { get } = await following(node);
  node.faults.call = (call) =>
    isBalanceOf(call, STRANGER) && (call.params[0] as { to: string }).to === coin
      ? { error: { code: -32603, message: "internal" } }
      : undefined;
  expect(await get("A6", { address_hash: STRANGER })).toMatchObject({
    status: 200,
    state: "incomplete",
  });
});

describe("an answer that cannot be read concerns its contract alone", () => {
  const A6 = { address_hash: holder };
  const unreadable: readonly (readonly [method: string, result: unknown])[] = [
    ...[null, "0x123", "zz", 7, {}, [], true].map((result) => ["eth_call", result] as const),
    ...[null, "0x1", "code", 1, {}].map((result) => ["eth_getCode", result] as const),
    ...[null, "", "0xzz", "1.5", -1, {}, `0x1${"0".repeat(64)}`].map(
      (result) => ["eth_getBalance", result] as const,
    ),
  ];

  test.each(unreadable)("%s: %j", async (method, result) => {
    const node = new FakeNode();
    const { follower, get } = await following(node);
    const isOdd = ({ params: [subject] }: Call) =>
      [coin, STRANGER].includes((Object(subject).to ?? subject) as Address);
    node.faults.call = (call) => (call.method === method && isOdd(call) ? { result } : undefined);
    expect((await get("A1", { addresses: [STRANGER, holder] })).status).toBe(200);
    expect((await get("T1", { contract_hash: coin })).status).toBe(200);
    expect(await get("A6", A6)).toMatchObject({ status: 200 });
    // An account that answers well has its own balance.
    const { body } = await get("A1", { addresses: [holder] });
    expect(body.results.data[0].balance).toBe(`${demo.balance(holder)}`);
    if (method === "eth_getBalance" || method === "eth_call")
      expect(follower.status().missing).toEqual(
        expect.arrayContaining([expect.stringMatching(new RegExp(`^${method} .*: expected `))]),
      );
  });

  test.each(["0x", "0x0", ""])("%j of every function is what no token returns", async (result) => {
    const node = new FakeNode();
    const { follower, get } = await following(node);
    node.faults.call = ({ method, params: [subject] }) =>
      method === "eth_call" && Object(subject).to === coin ? { result } : undefined;
    expect((await get("T1", { contract_hash: coin })).status).toBe(404);
    expect(follower.status().missing).toEqual([]);
  });

  test("a refusal for good of one balance derives it, and says that the answer is incomplete", async () => {
    const node = new FakeNode();
    const { get } = await following(node);
    node.faults.call = ({ method, params: [subject] }) =>
      method === "eth_getBalance" && subject === STRANGER
        ? { error: { code: -32601, message: "no such method" } }
        : undefined;
    expect(await get("A1", { addresses: [STRANGER] })).toMatchObject({
      status: 200,
      state: "incomplete",
    });
  });
});

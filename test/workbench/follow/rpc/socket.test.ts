// Following a node through its websocket: announced heads, lost connections, and what is said of the URL.
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type Follower,
  followNode,
  startFollowing,
} from "../../../../mocks/workbench/follow/follow-node.ts";
import { type Anvil, startAnvil } from "../../../support/anvil.ts";
import { type CuttableWay, cuttableWay } from "../../../support/cuttable.ts";

const BOB = "0x00000000000000000000000000000000000b0b00";
/** So long that no test waits for a poll. */
const NEVER = 3_600_000;

let node: Anvil;
let way: CuttableWay;
let follower: Follower | undefined;
beforeAll(async () => {
  node = await startAnvil();
  way = await cuttableWay(node.url);
});
afterEach(async () => {
  await follower?.close();
  way.mend();
});
afterAll(async () => {
  await way.close();
  await node.stop();
});

const send = async () => {
  const [from] = (await node.ask("eth_accounts")) as string[];
  const hash = await node.ask("eth_sendTransaction", { from, to: BOB, value: "0x1" });
  // The node says that it has a transaction before it has mined it.
  await expect.poll(() => node.ask("eth_getTransactionReceipt", hash)).not.toBeNull();
};
const balance = async () => BigInt(String(await node.ask("eth_getBalance", BOB, "latest")));
const follow = async (options = {}) => {
  follower = await followNode(`ws://${way.host}`, { interval: NEVER, ...options });
  return follower;
};

describe("a websocket", () => {
  test("announces new heads: nothing is polled for", async () => {
    const { chain } = await follow();
    await send();
    await expect.poll(() => chain.balance(BOB)).toBe(await balance());
    await send();
    await expect.poll(() => chain.balance(BOB)).toBe(await balance());
  });

  test("that is lost is opened again, and what was mined meanwhile is there", async () => {
    const { chain } = await follow({ interval: 50, retryDelay: 10, retries: 2, onError: () => {} });
    const before = way.connections;
    way.cut();
    await send();
    way.mend();
    await expect.poll(() => chain.balance(BOB)).toBe(await balance());
    expect(way.connections).toBeGreaterThan(before);
  });

  test("that is lost is polled for as often as HTTP, and failures are told", async () => {
    const errors: string[] = [];
    const { status } = await follow({
      ...{ interval: 20, retries: 0 },
      onError: (error: unknown) => errors.push(String(error)),
    });
    way.cut();
    await expect.poll(() => errors.length).toBeGreaterThan(2);
    expect(status().state).toBe("failing");
    expect(errors[0]).toMatch(/cannot reach the node at ws:\/\/127\.0\.0\.1:\d+: /);
    way.mend();
    await expect.poll(() => status().state).toBe("following");
  });

  test.each([
    ["alice", "s3cret", "alice", "s3cret"],
    ["al%20ice", "50%", "al ice", "50%"],
    ["käthe", "geheim%C3%9F", "käthe", "geheimß"],
  ])(
    "at %s:%s@ is opened with them as Authorization, and they are shown nowhere",
    async (...given) => {
      const [user, password, name, secret] = given;
      const errors: string[] = [];
      const { chain, status } = await followNode(`ws://${user}:${password}@${way.host}`, {
        ...{ interval: 20, retries: 0 },
        onError: (error: unknown) => errors.push(inspect(error)),
      }).then((followed) => {
        follower = followed;
        return followed;
      });
      const expected = Buffer.from(`${name}:${secret}`).toString("base64");
      expect(way.lastRequest).toMatch(new RegExp(`^authorization: Basic ${expected}\\r$`, "im"));
      way.cut();
      await expect.poll(() => errors.length).toBeGreaterThan(0);
      const shown = [inspect(status()), inspect(chain.origin), ...errors].join("\n");
      for (const one of [password, secret, expected]) expect(shown).not.toContain(one);
    },
  );

  test("is closed with its follower", async () => {
    const { close } = await follow();
    await close();
    await send();
    const { connections } = way;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(way.connections).toBe(connections);
  });
});

describe("the options of following", () => {
  test.each([
    ["ftp://127.0.0.1", {}, /expected the URL of a node, such as http:.* or ws:/],
    ["http://key:secret@", {}, /^TypeError: Cannot follow a node: expected the URL of a node[^e]/],
    ["http://127.0.0.1", { interval: 0 }, /interval: expected an integer of 1 or more, received 0/],
    ["http://127.0.0.1", { fromBlock: "first" }, /fromBlock: expected "latest" or the number of a/],
    ["http://127.0.0.1", { traces: "all" }, /traces: expected .*auto.*none/],
    ["http://127.0.0.1", { concurency: 7 }, /concurency/],
    ["http://127.0.0.1", { onError: "log" }, /onError: expected a function/],
    ["http://127.0.0.1", { headers: { key: 7 } }, /headers\.key: expected/],
  ])("%s with %o is refused", (url, options, message) => {
    let refusal: unknown;
    try {
      startFollowing(url, options as object);
    } catch (error) {
      refusal = error;
    }
    expect(String(refusal)).toMatch(message);
    expect(String(refusal)).not.toMatch(/secret/);
  });
});

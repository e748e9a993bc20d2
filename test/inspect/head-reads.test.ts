// The page shows the node's own state at the head. If the node is silent, it shows what is known.
import { afterEach, describe, expect, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import { type Follower, followNode, loadDemo } from "../../mocks/node.ts";
import { type Call, FakeNode, type RpcAnswer } from "../support/fake-node.ts";
import { lookEachTest } from "./served.ts";

const look = lookEachTest();
const demo = await loadDemo();
const [coin] = [...demo.knownTokens()].filter(
  (token) => demo.token(token)?.standard === "mrc20",
) as [Address];
const STRANGER: Address = "0x00000000000000000000000000000000deadbee5";

let follower: Follower | undefined;
afterEach(() => follower?.close());

/** Fakes a development node, whose state changes without a block. */
function developmentNode(respond: (call: Call) => RpcAnswer | undefined = () => undefined) {
  const node = new FakeNode();
  node.faults.call = (call) =>
    call.method === "web3_clientVersion" ? { result: "anvil/v1.7.1" } : respond(call);
  return node;
}

async function lookAt(node: FakeNode) {
  follower = await followNode(node.url, { fetch: node.fetch, interval: 3_600_000, retries: 0 });
  const looked = await look({ chain: follower });
  const state = async (target: string) => {
    const headers = { "api-key": "k" };
    const response = await fetch(`${looked.served.url}${target}`, { headers });
    await response.body?.cancel();
    return [response.status, response.headers.get("head-state")];
  };
  return { ...looked, follower, state };
}

const TOTAL_SUPPLY = "0x18160ddd";

test("a node whose state changes without a transaction is asked for balances and supplies when the page reads them", async () => {
  let isChanged = false;
  const node = developmentNode(({ method, params: [subject] }) => {
    if (!isChanged) return undefined;
    if (method === "eth_getBalance" && subject === STRANGER) return { result: "0x7" };
    const isSupply = method === "eth_call" && JSON.stringify(subject).includes(`"${TOTAL_SUPPLY}"`);
    return isSupply ? { result: `0x${"7".padStart(64, "0")}` } : undefined;
  });
  const { ask } = await lookAt(node);
  expect((await ask("account", { address: STRANGER })).balance).toBe(0n);
  isChanged = true;
  expect((await ask("account", { address: STRANGER })).balance).toBe(7n);
  expect((await ask("token", { address: coin })).token.total_supply).toBe(7n);
  const { tokens } = await ask("overview", {});
  expect(tokens.length).toBeGreaterThan(1);
  expect(new Set(tokens.map(({ total_supply }) => total_supply))).toEqual(new Set([7n]));
});

describe("a node that does not tell the state", () => {
  const account = `/inspect/account/${STRANGER}`;

  test("leaves the known state, with a header that says it may be older", async () => {
    const refused: RpcAnswer = { error: { code: -32603, message: "Internal error" } };
    let isSilent = false;
    const node = developmentNode(({ method }) =>
      isSilent && method === "eth_getBalance" ? refused : undefined,
    );
    const { state } = await lookAt(node);
    expect(await state(account)).toEqual([200, null]);
    isSilent = true;
    expect(await state(account)).toEqual([200, "incomplete"]);
    expect(await state("/inspect/blocks")).toEqual([200, null]);
    isSilent = false;
    expect(await state(account)).toEqual([200, null]);
  });
});

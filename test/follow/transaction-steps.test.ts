// The steps of a trace, read from its text.
import { expect, test } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { RpcNode } from "../../mocks/follow/rpc/node.ts";
import { readTrace, transactionSteps } from "../../mocks/follow/transaction-steps.ts";

const wrapped = (result: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, result });

test("the steps of each node are read, whatever else they have, and in which order", async () => {
  const error = 'a quoted "pc":9 and "depth":9';
  for (const structLogs of [
    [
      { depth: 1, gas: 5, op: "PUSH1", pc: 0, storage: {} },
      { depth: 2, gas: 4, op: "STOP", pc: 17, storage: {} },
    ],
    [
      { pc: 0, op: "PUSH1", gas: "0x5", depth: 1, refund: 0, error },
      { pc: 17, op: "STOP", gas: "0x4", depth: 2, memory: ["00"], stack: ["0x1"] },
    ],
  ])
    for (const returnValue of ["0x08c379a0", "08c379a0"])
      expect(await readTrace(wrapped({ gas: 3, failed: true, returnValue, structLogs }))).toEqual({
        ...{ positions: [0, 17], depths: [1, 2] },
        returned: returnValue,
      });
});

test("a response without steps has none", async () => {
  const none = { positions: [], depths: [], returned: "" };
  const noMethod = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}';
  for (const text of ["", "<html>", noMethod, wrapped({ structLogs: [] })])
    expect(await readTrace(text)).toEqual(none);
});

test.each([
  ["0x08c379a0", { positions: [7], depths: [1] }],
  ["0x08c379a1", undefined],
])(
  "a node without steps has those of the same call before the block, if it returns %s",
  async (returnValue, expected) => {
    const story = buildChain();
    const alice = story.account({ balance: coins(1) });
    const to = story.deploy(alice).address;
    story.mine();
    const { hash } = story.call(alice, { to, fails: "0x08c379a0" });
    story.mine();
    const answer: typeof fetch = async (_, init) => {
      const { method, params } = JSON.parse(`${init?.body}`);
      const structLogs = params[1] === "0x1" ? [{ pc: 7, depth: 1 }] : [];
      return new Response(method === "debug_traceCall" ? wrapped({ returnValue, structLogs }) : "");
    };
    const steps = transactionSteps(
      new RpcNode("http://node.test", { fetch: answer }),
      story.chain,
      hash,
    );
    const { returned: _, ...found } = Object((await steps) ?? {});
    expect(found).toEqual(expected ?? {});
  },
);

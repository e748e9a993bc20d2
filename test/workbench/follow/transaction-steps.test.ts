// The steps of a trace, read from its text.
import { expect, test } from "vitest";
import { readTrace } from "../../../mocks/workbench/follow/transaction-steps.ts";

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

test("a long trace is read in pieces, between which others run", async () => {
  const step = { pc: 1000, op: "PUSH1", gas: 1_000_000, gasCost: 3, depth: 1 };
  const text = wrapped({ structLogs: Array.from({ length: 300_000 }, () => step) });
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const { positions } = await readTrace(text);
  clearInterval(timer);
  expect(positions).toHaveLength(300_000);
  expect(turns).toBeGreaterThan(0);
});

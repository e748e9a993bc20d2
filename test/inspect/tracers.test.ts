// Return values of calls by the call tracer of a followed node.
import { encodeAbiParameters, encodeFunctionData, parseAbi } from "viem";
import { expect, test, vi } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import type { NodeAnswer, NodeCall } from "../../mocks/chain/live-chain.ts";
import { callRecords } from "../../mocks/inspect/calls.ts";
import { Decoder } from "../../mocks/inspect/decode.ts";
import { outputsOf, traceBy } from "../../mocks/inspect/tracers.ts";

const abi = parseAbi([
  "function split(uint256 amount) returns (uint256 half, string note)",
  "function balanceOf(address account) returns (uint256)",
  "function close()",
]);
const hash = `0x${"ab".repeat(32)}` as const;

function nodeWith(answer: NodeAnswer) {
  const asked: NodeCall[] = [];
  const ask = async (calls: readonly NodeCall[]) => {
    asked.push(...calls);
    return [answer];
  };
  return { ask, asked };
}

test("outputs come in the order of the calls", async () => {
  const calls = [{ output: "0x01", calls: [{ output: "0x02" }, {}] }, { output: "0x03" }];
  const node = nodeWith({ result: { gasUsed: "0x1", output: "0x", calls } });
  expect(await outputsOf(node, hash)).toEqual(["0x", "0x01", "0x02", undefined, "0x03"]);
  expect(node.asked).toMatchObject([
    { method: "debug_traceTransaction", params: [hash, { tracer: "callTracer" }] },
  ]);
});

test("outputs are empty if the node is away, refuses, or takes long", async () => {
  const slow = { ask: () => new Promise<never>(() => {}) };
  const away = { ask: () => Promise.reject(new Error("connection refused")) };
  vi.useFakeTimers();
  for (const live of [away, slow, nodeWith({ error: { message: "no tracer" } }), {}, undefined]) {
    const outputs = outputsOf(live, hash);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await outputs).toEqual([]);
  }
});

test("a node that returns steps instead is asked once", async () => {
  const node = nodeWith({ result: { structLogs: [], gasUsed: 1 } });
  expect(await outputsOf(node, hash)).toEqual([]);
  expect(await outputsOf(node, hash)).toEqual([]);
  expect(await traceBy(node, hash, { tracer: "prestateTracer" })).toEqual({ result: null });
  expect(node.asked).toHaveLength(1);
});

test("results are decoded by the function's ABI, and those of another trace are left out", () => {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ name: "alice", balance: coins(1) });
  const bank = builder.deploy(alice).address;
  const token = builder.deployMRC20(alice, { name: "Aurora", symbol: "AUR", decimals: 6 });
  builder.mine();
  builder.verify(bank, { contractName: "Bank", abi, source: "contract Bank {}" });
  const input = (functionName: "split" | "close", args: readonly unknown[] = []) =>
    encodeFunctionData({ abi, functionName, args } as never);
  const balanceOf = encodeFunctionData({ abi, functionName: "balanceOf", args: [alice] });
  const sent = builder.call(alice, {
    ...{ to: bank, input: input("split", [9n]) },
    does(frame) {
      frame.staticcall({ to: token.address, input: balanceOf });
      frame.call({ to: bank, input: input("close") });
      frame.call({ to: bank, input: input("split", [1n]), fails: "0x01" });
    },
  });
  builder.mine();
  const execution = builder.chain.execution(sent.hash);
  if (execution === undefined) throw new Error("not mined");
  const half = encodeAbiParameters([{ type: "uint256" }, { type: "string" }], [4n, "rest 1"]);
  const amount = encodeAbiParameters([{ type: "uint256" }], [1_500_000n]);
  const returned = (outputs: readonly (string | undefined)[]) =>
    callRecords(execution, new Decoder(builder.chain), 10, outputs).map((call) =>
      call.returned?.map(({ name, value, decimals }) => [name, value, decimals]),
    );
  expect(returned([half, amount, "0x", half])).toEqual([
    [
      ["half", "4", null],
      ["note", "rest 1", null],
    ],
    [["amount", "1500000", "6"]],
    undefined,
    undefined,
  ]);
  expect(returned([half, amount])).toEqual([undefined, undefined, undefined, undefined]);
  expect(returned(["0x1234", undefined, "0x", "0x"])).toEqual([
    ...[undefined, undefined, undefined, undefined],
  ]);
});

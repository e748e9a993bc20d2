// What the steps of a trace say, in the notation of any node, and the state while they run.
import { describe, expect, test } from "vitest";
import { RunningState, readSteps, StateBefore, type TraceStep } from "../../mocks/ingest/steps.ts";

const A = `0x${"0a".repeat(20)}` as const;
const B = `0x${"0b".repeat(20)}` as const;

function stepOf(raw: object, hasMemory = true): TraceStep {
  const trace = { structLogs: [{ op: "ADD", depth: 1, gas: 100, ...raw }] };
  const [step] = readSteps({ trace, hasMemory }, ["traces", 0]);
  if (step === undefined) throw new Error("no step");
  return step;
}

describe("a step", () => {
  test.each<[unknown, number]>([
    [3, 3],
    ["0x10", 16],
    ["16", 16],
    [0, 0],
    [-2300, 0],
    ["-1", 0],
    [1.5, 0],
    [2 ** 60, 0],
    ["much", 0],
    [null, 0],
    [undefined, 0],
  ])("with the gas cost %j costs %i", (gasCost, expected) => {
    expect(stepOf({ gasCost }).gasCost).toBe(expected);
  });

  test("has the words of its stack from the top, with or without 0x, and zeros below the last", () => {
    const step = stepOf({ stack: ["ff", `0x${"f".repeat(24)}${A.slice(2)}`, "07", "?", 5] });
    expect([0, 1, 2, 4, 5].map((index) => step.word(index))).toEqual([0n, 0n, 7n, 255n, 0n]);
    expect(step.address(3)).toBe(A);
    expect(step.height).toBe(5);
    expect([stepOf({}).word(0), stepOf({}).height]).toEqual([0n, 0]);
  });

  test("has the bytes of its memory, and zeros after its end", () => {
    const [first, second] = ["11".repeat(32), "22".repeat(32)];
    const step = stepOf({ memory: [first, `0x${second}`] });
    expect(step.memory(0n, 32n)).toBe(`0x${first}`);
    expect(step.memory(30n, 4n)).toBe("0x11112222");
    expect(step.memory(63n, 3n)).toBe("0x220000");
    expect(step.memory(96n, 2n)).toBe("0x0000");
    expect(stepOf({ memory: ["1"] }).memory(31n, 1n)).toBe("0x01");
  });

  test("of a trace without memory has no bytes, but where none are asked for", () => {
    const step = stepOf({ memory: ["11".repeat(32)] }, false);
    expect([step.memory(0n, 1n), step.memory(0n, 0n)]).toEqual([undefined, "0x"]);
  });

  test("without a name, depth or gas is refused with its place", () => {
    for (const raw of [{ op: 1 }, { depth: "x" }, { gas: -1 }])
      expect(() => stepOf(raw)).toThrow(
        new RegExp(`traces\\[0\\]\\.structLogs\\[0\\]\\.${Object.keys(raw)[0]}: expected`),
      );
  });
});

describe("the state before a block", () => {
  test("notes once what it was asked for in vain, until it learns it", () => {
    const before = new StateBefore();
    expect([before.balance(A), before.balance(A), before.nonce(A)]).toEqual([0n, 0n, 0n]);
    const facts = before.missing;
    expect(facts).toEqual([
      { method: "eth_getBalance", address: A },
      { method: "eth_getTransactionCount", address: A },
    ]);
    for (const [index, fact] of facts.entries()) before.learn(fact, BigInt(7 + index));
    expect([before.balance(A), before.nonce(A), before.missing]).toEqual([7n, 8n, []]);
  });
});

test("the running state moves coins and counts nonces, and takes back what was undone", () => {
  const before = new StateBefore();
  before.learn({ method: "eth_getBalance", address: A }, 10n);
  before.learn({ method: "eth_getBalance", address: B }, 0n);
  before.learn({ method: "eth_getTransactionCount", address: A }, 5n);
  const state = new RunningState(before);
  const read = () => [state.balance(A), state.balance(B), state.nonce(A)];
  state.move(A, B, 3n);
  state.countNonce(A);
  const undo = state.checkpoint();
  state.move(B, A, 1n);
  state.countNonce(A);
  state.countNonce(B);
  expect(read()).toEqual([8n, 2n, 7n]);
  undo();
  expect(read()).toEqual([7n, 3n, 6n]);
});

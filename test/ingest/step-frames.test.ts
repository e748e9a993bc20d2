// The frames that the steps of a block's transactions unfold to: what callTracer would have returned.
import { fromCreate, fromCreate2 } from "ox/ContractAddress";
import { describe, expect, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import { framesOfSteps, type StepFrame } from "../../mocks/ingest/step-frames.ts";
import { StateBefore } from "../../mocks/ingest/steps.ts";

const SENDER = `0x${"05".repeat(20)}` as const;
const A = `0x${"0a".repeat(20)}` as const;
const B = `0x${"0b".repeat(20)}` as const;
const C = `0x${"0c".repeat(20)}` as const;
const MINER = `0x${"0d".repeat(20)}` as const;

/** A step; the stack is written from its top. */
const step = (op: string, depth: number, gas: number, gasCost = 3, stack: unknown[] = []) => ({
  op,
  depth,
  gas,
  gasCost,
  stack: stack.map((word) => (typeof word === "number" ? word.toString(16) : word)).toReversed(),
  memory: ["11".repeat(32), "22".repeat(32)],
});
type Step = ReturnType<typeof step>;

const call = (
  to: string,
  value = 0,
  { depth = 1, gas = 90_000, op = "CALL", asked = 50_000 } = {},
) =>
  step(op, depth, gas, 700, [
    asked,
    to,
    ...(/CODE|^CALL$/.test(op) && op !== "DELEGATECALL" ? [value] : []),
    0,
    4,
    0,
    0,
  ]);
/** The step after a call: on its stack lies whether it succeeded. */
const resumed = (result: number | string, { depth = 1, gas = 60_000 } = {}) =>
  step("POP", depth, gas, 2, [result]);

interface Given {
  readonly before?: StateBefore;
  readonly to?: Address | null;
  readonly status?: string;
  readonly value?: string;
  readonly hasMemory?: boolean;
}

/** The frames of a block of one transaction, of SENDER to A. */
function framesOf(structLogs: readonly Step[], given: Given = {}) {
  const {
    before = new StateBefore(),
    to = A,
    status = "0x1",
    value = "0x0",
    hasMemory = true,
  } = given;
  const transaction = {
    from: SENDER,
    to,
    value,
    input: "0x",
    gas: "0x186a0",
    nonce: "0x2",
    gasPrice: "0x1",
  };
  const frames = framesOfSteps(
    {
      block: { miner: MINER, baseFeePerGas: null, transactions: [transaction] },
      receipts: [{ status, gasUsed: "0xc350", effectiveGasPrice: "0x1" }],
      steps: [{ trace: { structLogs }, hasMemory }],
    },
    before,
  );
  return { ...frames, root: frames.traces[0] as StepFrame };
}

const hex = (number: number) => `0x${number.toString(16)}`;

describe("a call", () => {
  test("has the gas of its first step, what it used, and the input in the memory", () => {
    const { root } = framesOf([
      call(B, 7),
      step("PUSH1", 2, 50_000),
      step("STOP", 2, 49_000, 0),
      resumed(1),
      step("STOP", 1, 59_000, 0),
    ]);
    expect(root).toMatchObject({
      type: "CALL",
      from: SENDER,
      to: A,
      gas: "0x186a0",
      gasUsed: "0xc350",
    });
    expect(root.calls).toEqual([
      {
        type: "CALL",
        from: A,
        to: B,
        value: "0x7",
        input: "0x11111111",
        gas: hex(50_000),
        gasUsed: hex(1000),
        calls: [],
      },
    ]);
  });

  test("by DELEGATECALL keeps the account and the value of its caller", () => {
    const { root } = framesOf(
      [
        call(B, 0, { op: "DELEGATECALL" }),
        call(C, 1, { depth: 2, gas: 40_000 }),
        step("STOP", 3, 20_000, 0),
        resumed(1, { depth: 2, gas: 15_000 }),
        resumed(1),
      ],
      { value: "0x9" },
    );
    const [delegated] = root.calls;
    expect(delegated).toMatchObject({ type: "DELEGATECALL", from: A, to: B, value: "0x9" });
    expect(delegated?.calls).toMatchObject([{ type: "CALL", from: A, to: C, value: "0x1" }]);
  });

  test("that runs no step used nothing, or what a part of the EVM costs", () => {
    const [account, precompile] = [
      [call(B, 0, { gas: 90_000 }), resumed(1, { gas: 89_300 })],
      [call("2", 0, { gas: 90_000, asked: 80_000 }), resumed(1, { gas: 89_000 })],
    ].map((steps) => framesOf(steps).root.calls[0]);
    expect(account?.gasUsed).toBe("0x0");
    expect(precompile?.gasUsed).toBe(hex(900));
  });

  test("that could not begin failed for its depth or the balance of its caller", () => {
    const [{ error, gasUsed } = {} as StepFrame] = framesOf([
      call(B, 7),
      resumed(0, { gas: 92_300 - 700 }),
    ]).root.calls;
    expect([error, gasUsed]).toEqual(["insufficient balance for transfer", "0x0"]);
  });

  test.each<[string, string, Step]>([
    ["execution reverted", "CALL", step("REVERT", 2, 40_000, 0, [0, 0])],
    ["invalid opcode: INVALID", "CALL", step("INVALID", 2, 40_000)],
    ["invalid opcode: opcode 0xfe not defined", "CALL", step("opcode 0xfe not defined", 2, 40_000)],
    ["write protection", "STATICCALL", step("SSTORE", 2, 40_000, 20_000)],
    ["write protection", "STATICCALL", step("LOG1", 2, 40_000, 20)],
    ["out of gas", "CALL", step("SSTORE", 2, 2300, 100)],
    ["invalid jump destination", "CALL", step("JUMP", 2, 40_000, 8)],
    ["return data out of bounds", "CALL", step("RETURNDATACOPY", 2, 40_000, 9)],
    ["stack underflow", "CALL", step("ADD", 2, 40_000, 3)],
    ["stack overflow", "CALL", step("PUSH1", 2, 40_000, 3, Array(1024).fill(1))],
    ["out of gas", "CALL", step("ADD", 2, 2, 3)],
    // Its cost is not known: it is negative.
    ["out of gas", "CALL", step("MUL", 2, 40_000, -5)],
  ])("that failed says: %s (%s)", (error, op, last) => {
    const { root } = framesOf([call(B, 0, { op }), step("PUSH1", 2, 50_000), last, resumed(0)]);
    expect(root.error).toBeUndefined();
    const reverted = error === "execution reverted";
    expect(root.calls).toMatchObject([{ error, gasUsed: hex(reverted ? 10_000 : 50_000) }]);
  });

  test("that reverted keeps what it returned", () => {
    const reverts = step("REVERT", 2, 40_000, 0, [30, 4]);
    const { root } = framesOf([call(B), step("PUSH1", 2, 50_000), reverts, resumed(0)]);
    expect(root.calls).toMatchObject([{ output: "0x11112222" }]);
  });
});

describe("a creation", () => {
  const create = (gas = 90_000) => step("CREATE", 1, gas, 32_000, [0, 0, 4]);
  const known = () => {
    const before = new StateBefore();
    before.learn({ method: "eth_getTransactionCount", address: A }, 5n);
    return before;
  };
  const at = (nonce: bigint) => fromCreate({ from: A, nonce });

  test("has the address that it leaves on the stack, and pays for its code", () => {
    const { root } = framesOf([
      create(),
      step("PUSH1", 2, 50_000),
      step("RETURN", 2, 49_000, 0, [0, 2]),
      resumed(C),
    ]);
    expect(root.calls).toMatchObject([
      { type: "CREATE", to: C, input: "0x11111111", gasUsed: hex(1000 + 2 * 200) },
    ]);
  });

  test("that failed would have been at the nonce of its creator, which it counts all the same", () => {
    const failed = [
      create(),
      step("PUSH1", 2, 50_000),
      step("REVERT", 2, 40_000, 0, [0, 0]),
      resumed(0),
    ];
    const { root } = framesOf([...failed, ...failed], { before: known() });
    expect(root.calls.map(({ to, error }) => [to, error])).toEqual([
      [at(5n), "execution reverted"],
      [at(6n), "execution reverted"],
    ]);
  });

  test("in a call that reverted counts for no nonce after it", () => {
    const inner = [
      call(A, 0, { gas: 95_000 }),
      { ...create(), depth: 2 },
      step("PUSH1", 3, 30_000),
      step("INVALID", 3, 20_000),
      resumed(0, { depth: 2 }),
      step("REVERT", 2, 50_000, 0, [0, 0]),
      resumed(0),
    ];
    const failed = [
      create(50_000),
      step("PUSH1", 2, 20_000),
      step("INVALID", 2, 10_000),
      resumed(0, { gas: 5000 }),
    ];
    const { root } = framesOf([...inner, ...failed], { before: known() });
    expect([root.calls[0]?.calls[0]?.to, root.calls[1]?.to]).toEqual([at(5n), at(5n)]);
  });

  test("by CREATE2 that failed would have been where its salt and code say", () => {
    const salted = step("CREATE2", 1, 90_000, 32_000, [0, 0, 4, 7]);
    const { root } = framesOf([salted, step("INVALID", 2, 50_000), resumed(0)]);
    const salt = `0x${"7".padStart(64, "0")}` as const;
    expect(root.calls[0]?.to).toBe(fromCreate2({ from: A, salt, bytecode: "0x11111111" }));
  });

  test.each<[string, number]>([
    ["max code size exceeded", 24_577],
    ["contract creation code storage out of gas", 24_576],
  ])("whose code was refused says: %s", (error, size) => {
    const { root } = framesOf(
      [create(), step("PUSH1", 2, 50_000), step("RETURN", 2, 40_000, 0, [0, size]), resumed(0)],
      { before: known() },
    );
    expect(root.calls).toMatchObject([{ error, gasUsed: hex(50_000) }]);
  });
});

test("a contract that ends gives all that it has to its beneficiary", () => {
  const before = new StateBefore();
  before.learn({ method: "eth_getBalance", address: A }, 40n);
  const { root } = framesOf([step("SELFDESTRUCT", 1, 50_000, 5000, [C])], { before, value: "0x2" });
  expect(root.calls).toMatchObject([{ type: "SELFDESTRUCT", from: A, to: C, value: "0x2a" }]);
});

test("a transaction that failed has the error of its last step, and has ended no contract", () => {
  const reverted = framesOf([step("REVERT", 1, 40_000, 0, [0, 4])], { status: "0x0" }).root;
  expect(reverted).toMatchObject({ error: "execution reverted", output: "0x11111111" });
  const ended = framesOf([step("SELFDESTRUCT", 1, 1, 5000, [C])], { status: "0x0" }).root;
  expect([ended.error, ended.calls]).toEqual(["out of gas", []]);
  expect(framesOf([], { status: "0x0" }).root.error).toBe("failed");
});

test("a transaction that needs the memory is listed, and is traced again with it", () => {
  const steps = [call(B), step("STOP", 2, 50_000, 0), resumed(1)];
  const without = framesOf(steps, { hasMemory: false });
  expect(without.needMemory).toEqual([0]);
  expect(without.root.calls[0]?.input).toBe("0x");
  expect(framesOf(steps).needMemory).toEqual([]);
});

test("what a block's transactions paid shows in the balance that a later one ends a contract with", () => {
  const before = new StateBefore();
  for (const [address, value] of [
    [SENDER, 1_000_000n],
    [MINER, 0n],
    [A, 0n],
  ] as const)
    before.learn({ method: "eth_getBalance", address }, value);
  const transaction = {
    from: SENDER,
    to: MINER,
    value: "0x5",
    input: "0x",
    gas: "0x5208",
    nonce: "0x0",
    gasPrice: "0x3",
  };
  const end = { structLogs: [step("SELFDESTRUCT", 1, 50_000, 5000, [C])] };
  const { traces } = framesOfSteps(
    {
      block: {
        miner: MINER,
        baseFeePerGas: "0x1",
        transactions: [transaction, { ...transaction, nonce: "0x1" }],
      },
      receipts: [
        { status: "0x1", gasUsed: "0x2710", effectiveGasPrice: "0x3" },
        { status: "0x1", gasUsed: "0x2710", effectiveGasPrice: "0x3" },
      ],
      steps: [
        { trace: { structLogs: [] }, hasMemory: true },
        { trace: end, hasMemory: true },
      ],
    },
    before,
  );
  // Two payments of 5, and the tip for 10,000 gas of the first, at 3 - 1 a piece.
  expect(traces[1]?.calls[0]?.value).toBe(hex(5 + 2 * 10_000 + 5));
});

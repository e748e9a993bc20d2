// The shapes traces come in on other nodes than the one that made the test chains.
import { encodeErrorResult, parseAbi } from "viem";
import { describe, expect, test } from "vitest";
import type { Hash } from "../../mocks/chain/records.ts";
import { readTraces } from "../../mocks/ingest/traces.ts";

const HASH = `0x${"aa".repeat(32)}` as const;
const A = `0x${"0a".repeat(20)}` as const;
const B = `0x${"0b".repeat(20)}` as const;
const C = `0x${"0c".repeat(20)}` as const;

/** What was reported of the last traces. */
let notes: string[] = [];

function read(traces: unknown, transactions: readonly Hash[] = [HASH]) {
  notes = [];
  return readTraces(traces, transactions, (field, reason) => notes.push(`${field}: ${reason}`));
}

function trace(traces: unknown) {
  const [only] = read(traces).traces;
  if (only === undefined) throw new Error("no trace");
  return only;
}

const call = (more: object) => ({
  type: "CALL",
  from: A,
  to: B,
  gas: "0x10",
  gasUsed: "0x1",
  ...more,
});

function entry(traceAddress: number[], more: object = {}, action: object = {}) {
  return {
    action: { callType: "call", from: A, to: B, gas: "0x10", input: "0x", value: "0x0", ...action },
    result: { gasUsed: "0x1", output: "0x" },
    subtraces: 0,
    traceAddress,
    transactionHash: HASH,
    type: "call",
    ...more,
  };
}

describe("callTracer", () => {
  test("may come bare, as debug_traceTransaction answers", () => {
    expect(trace([call({ calls: [call({})] })]).frames).toHaveLength(1);
    expect(trace([{ result: call({}) }]).frames).toHaveLength(0);
  });

  test("leaves out the value of calls that carry none", () => {
    const [frame] = trace([
      call({ calls: [call({ type: "STATICCALL", value: undefined })] }),
    ]).frames;
    expect(frame).toMatchObject({ type: "staticcall", value: 0n, input: "0x" });
  });

  test("names the end of a contract in either spelling, without gas of its own", () => {
    const ends = ["SELFDESTRUCT", "suicide"].map((type) => call({ type, gas: "0x0" }));
    const { frames } = trace([call({ calls: ends })]);
    expect(frames.map(({ type, gasLimit, gasUsed }) => [type, gasLimit, gasUsed])).toEqual(
      ends.map(() => ["selfdestruct", null, null]),
    );
  });

  test("undoes what an ancestor's failure undid, and nothing beside it", () => {
    const { frames } = trace([
      call({
        calls: [
          call({ error: "execution reverted", calls: [call({ calls: [call({})] })] }),
          call({}),
        ],
      }),
    ]);
    expect(
      frames.map(({ traceAddress, undone, error, subTraces }) => [
        traceAddress,
        undone,
        error,
        subTraces,
      ]),
    ).toEqual([
      [[0], true, "execution reverted", 1],
      [[0, 0], true, null, 1],
      [[0, 0, 0], true, null, 0],
      [[1], false, null, 0],
    ]);
  });

  test("undoes everything below a failed root", () => {
    const { error, frames } = trace([call({ error: "out of gas", calls: [call({})] })]);
    expect(error).toBe("out of gas");
    expect(frames[0]).toMatchObject({ undone: true, error: null });
  });

  test("names the contract a creation made, but none for a failed one", () => {
    const created = call({ type: "CREATE2", to: C });
    const failed = call({ type: "CREATE", to: C, error: "execution reverted" });
    const { frames } = trace([call({ calls: [created, failed] })]);
    expect(frames).toMatchObject([
      { type: "create2", to: null, created: C },
      { type: "create", to: null, created: null },
    ]);
  });

  test("keeps what failed frames returned, and nothing of others", () => {
    const error = "execution reverted";
    const { output, frames } = trace([
      call({
        error,
        output: "0xCAFE",
        calls: [
          call({ output: "0xbeef" }),
          call({ error, output: "0x" }),
          call({ error, revertReason: "0xc0de" }),
          call({ error, output: "0x", revertReason: "no" }),
          call({ error: "out of gas" }),
        ],
      }),
    ]);
    expect(output).toBe("0xcafe");
    expect(frames.map((frame) => frame.output)).toEqual([
      undefined,
      undefined,
      "0xc0de",
      encodeErrorResult({ abi: parseAbi(["error Error(string)"]), args: ["no"] }),
      undefined,
    ]);
  });
});

describe("trace_block", () => {
  const failed = { error: "Reverted", result: null };

  test("says what callTracer says of calls, creations and ends, in its own words", () => {
    const create = { type: "create", result: { address: C, code: "0x60", gasUsed: "0x2" } };
    const end = { type: "suicide", action: { address: B, refundAddress: C, balance: "0x3" } };
    const { frames } = trace([
      entry([], { subtraces: 4 }),
      entry([0], {}, { callType: "delegatecall", value: "0x5" }),
      entry([1], create, { creationMethod: "create2", init: "0x61", callType: undefined }),
      entry([2], { ...create, action: { from: A, init: "0x61" } }),
      entry([3], { ...end, result: null }),
    ]);
    const none = { error: null, output: undefined, undone: false, subTraces: 0 };
    const made = { ...none, from: A, to: null, created: C, value: 0n, input: "0x61", gasUsed: 2 };
    expect(frames).toEqual([
      {
        ...{ ...none, traceAddress: [0], type: "delegatecall", from: A, to: B, created: null },
        ...{ value: 5n, input: "0x", gasLimit: 16, gasUsed: 1 },
      },
      { ...made, traceAddress: [1], type: "create2", gasLimit: 16 },
      { ...made, traceAddress: [2], type: "create", gasLimit: null },
      {
        ...{ ...none, traceAddress: [3], type: "selfdestruct", from: B, to: C, created: null },
        ...{ value: 3n, input: "0x", gasLimit: null, gasUsed: null },
      },
    ]);
  });

  test("undoes what is below a failure, which keeps what it returned, beside its result or in it", () => {
    const { frames } = trace([
      entry([]),
      entry([0], failed),
      entry([0, 0]),
      entry([1], { error: "Reverted", result: { gasUsed: "0x1", output: "0xcafe" } }),
      entry([2], { ...failed, revertReason: "0xc0de" }),
      entry(
        [3],
        { type: "create", error: "Reverted", result: { code: "0xFEED" } },
        { init: "0x61" },
      ),
      entry([4]),
    ]);
    expect(
      frames.map(({ undone, error, output, created }) => [undone, error, output, created]),
    ).toEqual([
      [true, "Reverted", undefined, null],
      [true, null, undefined, null],
      [true, "Reverted", "0xcafe", null],
      [true, "Reverted", "0xc0de", null],
      [true, "Reverted", "0xfeed", null],
      [false, null, undefined, null],
    ]);
    const whole = trace([entry([], { error: "Out of gas", result: null }), entry([0])]);
    expect([whole.error, whole.frames[0]?.undone]).toEqual(["Out of gas", true]);
  });

  test("without its root frame, or with a second one, is reported once", () => {
    expect(trace([entry([0]), entry([1]), entry([])]).frames).toHaveLength(1);
    expect(notes).toHaveLength(2);
  });

  test("has rewards among the traces, which belong to no transaction", () => {
    const reward = { type: "reward", action: { author: A, rewardType: "block", value: "0x7" } };
    const { traces, rewards } = read([entry([]), { ...reward, transactionHash: null }]);
    expect([traces, rewards]).toMatchObject([[{ frames: [] }], [{ author: A, value: 7n }]]);
  });
});

const OTHER = `0x${"bb".repeat(32)}` as const;
const root = (txHash?: Hash) => ({
  ...(txHash && { txHash }),
  result: { type: "CALL", from: A, to: B },
});

describe("traces that are not those of the block's transactions", () => {
  test.each([
    ["a transaction without one", [root(HASH)], "traces: expected the trace of transaction 0xbb"],
    [
      "no result",
      [root(HASH), { txHash: OTHER, result: null }],
      "traces[1]: expected a callTracer frame, for",
    ],
    [
      "null",
      [root(HASH), null],
      "traces[1]: expected an object, received null, for transaction 0xbb",
    ],
  ])("%s: it has no frames, and is reported", (_, traces, note) => {
    expect(read(traces, [HASH, OTHER]).traces[1]).toEqual({ error: null, frames: [] });
    expect(notes).toEqual([expect.stringContaining(note)]);
  });

  test("are left out, and reported", () => {
    const foreign = [root(HASH), root(`0x${"cc".repeat(32)}`)];
    expect(read(foreign, [HASH, OTHER]).traces).toHaveLength(2);
    expect(notes).toEqual([
      expect.stringMatching(/^traces\[1\]: .*received the trace of 0xcc/),
      expect.stringMatching(/^traces: expected the trace of transaction 0xbb/),
    ]);
    expect(read([root()], [HASH, OTHER]).traces[0]).toEqual({ error: null, frames: [] });
    expect(trace([entry([]), entry([0], { transactionHash: OTHER })]).frames).toEqual([]);
    expect(notes).toEqual([expect.stringContaining("received a trace of 0xbb")]);
  });
});

test("a frame is what its node says, and null where that cannot be read", () => {
  const frame = { from: A, to: B, value: "0x5", gas: "0x10", gasUsed: "0x5" };
  const calls = [
    { ...frame, type: "INVALID" },
    { ...frame, type: "CALL", gasUsed: "0xffffffffffffffff" },
  ];
  const [odd, large] = trace([{ result: { type: "CALL", from: A, to: B, calls } }]).frames;
  expect(odd).toMatchObject({ type: "unknown", from: A, to: B, value: 5n, gasUsed: 5 });
  expect(large).toMatchObject({ type: "call", gasLimit: 16, gasUsed: null });
  expect(notes).toEqual([
    'traces[0].result.calls[0].type: expected a type of call frame, received "INVALID"',
    expect.stringMatching(/^traces\[0\]\.result\.calls\[1\]\.gasUsed: expected .* below 2\^53/),
  ]);
});

// ABIs as viem takes them, of whatever a service sends.
import { describe, expect, test } from "vitest";
import { type AbiEntry, toAbi } from "../../src/index.ts";

const none = {
  ...{ name: null, inputs: null, outputs: null },
  ...{ payable: null, constant: null, stateMutability: null },
};
const entry = (given: Partial<AbiEntry> & { readonly type: string }): AbiEntry => ({
  ...none,
  ...given,
});
const a = { name: "a", type: "uint256" };

test("a text is refused, because an ABI is a list", () => {
  expect(() => toAbi("x" as never)).toThrow("entries: expected a list of ABI entries, received");
});

test("every kind of entry has what its kind has, and nothing else", () => {
  const given = { name: "f", inputs: [a], outputs: [a], stateMutability: "payable" };
  const types = ["function", "constructor", "fallback", "receive", "event", "error"];
  expect(toAbi(types.map((type) => entry({ ...given, type })))).toEqual([
    { type: "function", name: "f", inputs: [a], outputs: [a], stateMutability: "payable" },
    { type: "constructor", inputs: [a], stateMutability: "payable" },
    { type: "fallback", stateMutability: "payable" },
    { type: "receive", stateMutability: "payable" },
    { type: "event", name: "f", inputs: [a] },
    { type: "error", name: "f", inputs: [a] },
  ]);
});

test("what is null is empty", () => {
  expect(toAbi(["function", "constructor", "event"].map((type) => entry({ type })))).toEqual([
    { type: "function", name: "", inputs: [], outputs: [], stateMutability: "nonpayable" },
    { type: "constructor", inputs: [], stateMutability: "nonpayable" },
    { type: "event", name: "", inputs: [] },
  ]);
  const unnamed = { name: null, type: "bool", indexed: true, internalType: "bool" };
  const [event] = toAbi([entry({ type: "event", inputs: [unnamed as never] })]);
  expect(event).toEqual({ type: "event", name: "", inputs: [{ ...unnamed, name: "" }] });
});

test.each([
  [{ stateMutability: "pure" }, "pure"],
  [{ stateMutability: "view", payable: true }, "view"],
  [{ stateMutability: "nonpayable", constant: true }, "nonpayable"],
  [{ constant: true }, "view"],
  [{ constant: true, payable: true }, "view"],
  [{ payable: true }, "payable"],
  [{ constant: false, payable: false }, "nonpayable"],
  [{ stateMutability: "impure", constant: true }, "view"],
])("a function with %j is %s", (given, stateMutability) => {
  expect(toAbi([entry({ type: "function", ...given })])).toMatchObject([{ stateMutability }]);
});

test.each([
  [{ payable: true }, "payable"],
  [{ payable: false }, "nonpayable"],
  [{ stateMutability: "payable" }, "payable"],
  [{ stateMutability: "view" }, "nonpayable"],
])("a fallback with %j is %s", (given, stateMutability) => {
  expect(toAbi([entry({ type: "fallback", ...given })])).toEqual([
    { type: "fallback", stateMutability },
  ]);
});

test("only what is said to be anonymous is", () => {
  const anonymous = (value: unknown) =>
    toAbi([{ ...entry({ type: "event" }), anonymous: value }] as never);
  const event = { type: "event", name: "", inputs: [] };
  expect(anonymous(true)).toEqual([{ ...event, anonymous: true }]);
  for (const other of [false, undefined, "true"]) expect(anonymous(other)).toEqual([event]);
});

describe("left out", () => {
  const rest = entry({ type: "receive" });
  test.each<[string, unknown]>([
    ["another kind", entry({ type: "struct" })],
    ["null", null],
    ["a text", "function"],
    ["a function whose inputs are no list", { ...entry({ type: "function" }), inputs: {} }],
    ["a function with an input that is null", { ...entry({ type: "function" }), inputs: [null] }],
    [
      "a function with an output that is a text",
      { ...entry({ type: "function" }), outputs: ["a"] },
    ],
    ["an event one of whose inputs is a text", { ...entry({ type: "event" }), inputs: [a, "a"] }],
  ])("is %s", (_, given) => {
    expect(toAbi([given as never, rest])).toEqual([
      { type: "receive", stateMutability: "payable" },
    ]);
  });
});

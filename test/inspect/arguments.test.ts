// Reads texts as arguments of functions, and writes results and reverts as texts.
import fc from "fast-check";
import * as AbiItem from "ox/AbiItem";
import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, parseAbi } from "viem";
import { describe, expect, test } from "vitest";
import { readArgument } from "../../mocks/inspect/arguments.ts";
import { decodeValues, encodeCall, explainRevert } from "../../mocks/page/format/abi.ts";
import { type Member, membersOf } from "../../src/cli/abi.ts";
import { runs } from "../support/runs.ts";

const member = (signature: string): Member => {
  const [found] = membersOf([AbiItem.from(signature)]);
  if (found === undefined) throw new Error(`not read: ${signature}`);
  return found;
};
const parameter = (type: string) => {
  const [found] = member(`function f(${type} x)`).inputs;
  if (found === undefined) throw new Error(type);
  return found;
};
const read = (type: string, text: string) => readArgument(parameter(type), text, 0);
const account = `0x${"aB".repeat(20)}`;

describe("an argument", () => {
  test.for([
    ["uint256", "1_000,000", 1_000_000n],
    ["uint256", "0x10", 16n],
    ["uint256", "1.5e18", 1_500_000_000_000_000_000n],
    ["int8", "-128", -128n],
    ["uint", `${2n ** 256n - 1n}`, 2n ** 256n - 1n],
    ["bool", "True", true],
    ["bool", "0", false],
    ["address", ` ${account}`, account.toLowerCase()],
    ["bytes4", "0xDEADBEEF", "0xdeadbeef"],
    ["bytes", "0x", "0x"],
    ["string", ' [1] "x" ', ' [1] "x" '],
    ["uint256[]", "[1, 0x2, 9007199254740993]", [1n, 2n, 9_007_199_254_740_993n]],
    ["string[2]", '["a\\"1", "2"]', ['a"1', "2"]],
    ["(uint256 a, bool b)", '{"b": true, "a": 7}', { a: 7n, b: true }],
    ["(uint256 a, bool b)[]", "[[7, false]]", [{ a: 7n, b: false }]],
  ] as const)("of type %s is read from %s", ([type, text, expected]) => {
    expect(read(type, text)).toEqual(expected);
  });

  test.for([
    ["uint8", "256", 'expected an integer from 0 to 2^8-1, received "256"'],
    ["int8", "128", 'expected an integer from -2^7 to 2^7-1, received "128"'],
    ["uint256", "", "expected an integer from 0 to 2^256-1, received nothing"],
    ["uint256", "1.23e1", 'expected an integer from 0 to 2^256-1, received "1.23e1"'],
    ["bool", "maybe", 'expected true or false, received "maybe"'],
    ["address", "0x12", 'expected an address (0x and 40 hexadecimal digits), received "0x12"'],
    [
      "bytes4",
      "0x123456",
      'expected 4 bytes in hexadecimal (0x and pairs of digits), received "0x123456"',
    ],
    ["uint256[2]", "[1]", 'expected a JSON array of 2, such as [1, 2], received "["1"]"'],
    ["uint256[]", "1, 2", 'expected a JSON array, such as [1, 2], received "1, 2"'],
    ["bool[]", '[true, "x"]', '[1]: expected true or false, received "x"'],
    ["(uint256 a)", "7", 'expected a JSON object with a, received "7"'],
    ["(uint8 a)", '{"a":300}', '.a: expected an integer from 0 to 2^8-1, received "300"'],
  ] as const)("of type %s says what was expected if it is %s", ([type, text, message]) => {
    expect(() => read(type, text)).toThrow(message);
  });

  test("is encoded as viem decodes it", () => {
    const types = ["uint256", "int64", "bool", "address", "bytes3", "bytes", "string", "uint8[]"];
    const signature = `function f(${types.join(", ")})`;
    const abi = parseAbi([signature]) as readonly object[];
    const hex = (length: number) =>
      fc
        .uint8Array({ minLength: length, maxLength: length })
        .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
    const given = fc.tuple(
      fc.bigInt(0n, 2n ** 256n - 1n),
      fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
      fc.boolean(),
      hex(20),
      hex(3),
      fc.nat(40).chain(hex),
      fc.string({ unit: "grapheme" }),
      fc.array(fc.nat(255)),
    );
    fc.assert(
      fc.property(given, (values) => {
        const texts = values.map((value) =>
          Array.isArray(value) ? JSON.stringify(value) : `${value}`,
        );
        const data = encodeCall(member(signature), texts);
        const { args = [] } = decodeFunctionData({ abi: abi as never, data });
        const written = (args as readonly unknown[]).map((value) =>
          Array.isArray(value) ? JSON.stringify(value) : `${value}`,
        );
        expect(written.map((text) => text.toLowerCase())).toEqual(
          texts.map((text) => text.toLowerCase()),
        );
      }),
      { numRuns: runs(100) },
    );
  });
});

test("results are named texts, in order", () => {
  const signature =
    "function f() view returns (uint256 total, address owner, (uint256 a, string b) pair)";
  const owner = account.toLowerCase() as `0x${string}`;
  const data = encodeFunctionResult({
    abi: parseAbi([signature]),
    result: [2n ** 255n, owner, { a: 1n, b: "two" }],
  });
  expect(decodeValues(member(signature).outputs, data)).toEqual([
    { name: "total", type: "uint256", value: `${2n ** 255n}` },
    { name: "owner", type: "address", value: owner },
    { name: "pair", type: "tuple", value: '{"a":"1","b":"two"}' },
  ]);
});

test("an invalid ABI has the members that are valid", () => {
  const abi = [null, 7, {}, { type: "function", name: "f", inputs: "x" }, { name: "g" }];
  expect(
    membersOf([...abi, { type: "event", name: "E", anonymous: true }]).map(({ name }) => name),
  ).not.toContain("E");
});

test("a revert is named by its error, else by what the node says", () => {
  const members = [member("error SoldOut(uint256 left, uint256 wanted)")];
  const args = encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [3n, 9n]);
  const data = `${members[0]?.selector}${args.slice(2)}` as const;
  const explain = (bytes: string | null) =>
    explainRevert(members, bytes as `0x${string}`, "reverted");
  expect(explain(data)).toBe("reverted with SoldOut(left: 3, wanted: 9)");
  expect(explain(data.slice(0, 20))).toBe("reverted");
  expect(explain(`0x08c379a0${encodeAbiParameters([{ type: "string" }], ["no"]).slice(2)}`)).toBe(
    "reverted with Error(reason: no)",
  );
  expect(explain("0x12345678")).toBe("reverted");
  expect(explain(null)).toBe("reverted");
});

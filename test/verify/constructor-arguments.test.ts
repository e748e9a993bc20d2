// Constructor arguments must be the canonical encoding of the constructor's parameters.
import { describe, expect, test } from "vitest";
import {
  argumentsError,
  quoteArguments,
  readArguments,
} from "../../mocks/verify/constructor-arguments.ts";
import { word } from "./support.ts";

test.each([
  ["", ""],
  ["0x", ""],
  [" 0xAB\n", "ab"],
  ["0XAb", "ab"],
  ["ab", "ab"],
  ["a", undefined],
  ["xy", undefined],
  ["ab0x", undefined],
])("%j is read as %j", (text, expected) => expect(readArguments(text)).toBe(expected));

test("up to 2,048 bytes are quoted whole", () => {
  expect(quoteArguments("")).toBe("none");
  expect(quoteArguments("ab")).toBe("0xab");
  expect(quoteArguments("ab".repeat(2048))).toBe(`0x${"ab".repeat(2048)}`);
  expect(quoteArguments("ab".repeat(2049))).toBe(
    `2049 bytes that begin with 0x${"ab".repeat(2048)}`,
  );
});

describe("arguments", () => {
  const abi = (...inputs: readonly object[]) => [
    { type: "function", name: "f", inputs: [{ name: "x", type: "bool" }] },
    { type: "constructor", inputs },
  ];
  const uint = { name: "a", type: "uint256" };

  test("are none where the constructor takes none", () => {
    for (const none of [[], abi(), [{ type: "function", name: "f", inputs: [uint] }]]) {
      expect(argumentsError(none, "")).toBeUndefined();
      expect(argumentsError(none, "abcd")).toBe(
        "The constructor takes no arguments, received 2 bytes",
      );
    }
  });

  const text = word(32n) + word(2n);
  test.each<[string, readonly object[], string]>([
    ["a number", [uint], word(5n)],
    ["two numbers", [uint, uint], word(5n) + word(6n)],
    ["invalid UTF-8 as text", [{ type: "string" }], `${text}${"c328".padEnd(64, "0")}`],
    [
      "several such texts",
      [{ type: "string[]" }],
      `${word(32n)}${word(1n)}${text}${"c328".padEnd(64, "0")}`,
    ],
    ["a function", [{ type: "function" }], `${"ab".repeat(24)}${"00".repeat(8)}`],
    ["a tuple", [{ type: "tuple", components: [uint, { type: "bool" }] }], word(5n) + word(1n)],
    [
      "a tuple with invalid UTF-8",
      [{ type: "tuple", components: [{ type: "string" }] }],
      `${word(32n)}${text}${"c328".padEnd(64, "0")}`,
    ],
    ["a number below zero", [{ type: "int8" }], "f".repeat(64)],
  ])("may be %s", (_, inputs, hex) => {
    expect(argumentsError(abi(...inputs), hex)).toBeUndefined();
  });

  test("are refused where another encoding of the same values is the canonical one", () => {
    const address = abi({ type: "address" }, { type: "tuple[1]", components: [uint, uint] });
    expect(argumentsError(address, `ff${"0".repeat(62)}${word(1n)}${word(2n)}`)).toBe(
      "Expected the encoding of (address, (uint256,uint256)[1]), received the 96 bytes of constructor arguments",
    );
    expect(argumentsError(abi(uint), `${word(1n)}00`)).toBe(
      "Expected the encoding of (uint256), received the 33 bytes of constructor arguments",
    );
  });

  test("that cannot be decoded are refused with the reason, in a line", () => {
    const error = argumentsError(abi(uint), "abcd");
    expect(error).toMatch(
      /^Cannot read the 2 bytes of constructor arguments as \(uint256\): .* size [^\n]*$/,
    );
  });
});

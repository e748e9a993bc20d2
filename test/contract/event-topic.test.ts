// The topics of events: of every way to write one, and of nothing that is none.
import { toEventHash } from "viem";
import { expect, test } from "vitest";
import { eventTopic } from "../../src/index.ts";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

test.each([
  "Transfer(address,address,uint256)",
  " Transfer( address, address ,uint256 ) ",
  "Transfer(address,address,uint)",
  "event Transfer(address indexed from, address indexed to, uint256 value);",
])("%s is a transfer", (event) => {
  expect(eventTopic(event)).toBe(TRANSFER);
});

test("tuples and lists keep their form", () => {
  const short = eventTopic("Filled(((address,uint8[2])[],bytes),function)");
  const long =
    "event Filled(((address maker, uint8[2] kinds)[] orders, bytes data) fill, function then)";
  expect(eventTopic(long)).toBe(short);
});

test("every type has the topic that viem computes, alone and in a list", () => {
  const sizes = Array.from({ length: 32 }, (_, index) => index + 1);
  const types = [
    ...["address", "bool", "string", "bytes", "function"],
    ...sizes.flatMap((size) => [`bytes${size}`, `int${8 * size}`, `uint${8 * size}`]),
  ];
  for (const type of types)
    expect(eventTopic(`E(${type},${type}[2][])`)).toBe(toEventHash(`E(${type},${type}[2][])`));
});

test.each([
  ...["Transfer", "Transfer(address", "Transfer(Token)", "(address)", "Transfer(address,)"],
  ...[
    "Transfer(bytes33)",
    "Transfer((address)",
    "Transfer(address))",
    "Transfer(mapping)",
    "",
    "G() anonymous",
  ],
])("%s is no event", (event) => {
  expect(() => eventTopic(event)).toThrow("expected an event with the types of its parameters");
});

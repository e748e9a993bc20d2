// Which logs are transfers, and what they say, at the edges of each form.
import { expect, test } from "vitest";
import {
  CONSECUTIVE_TOPIC,
  ownerAfter,
  TRANSFER_TOPIC,
  transferIn,
  transferOf,
} from "../../mocks/chain/transfer-event.ts";
import type { Hex } from "../../src/models/primitives.ts";

const words = (...values: (number | bigint)[]): Hex =>
  `0x${values.map((value) => value.toString(16).padStart(64, "0")).join("")}`;
const address = (value: number): Hex => `0x${value.toString(16).padStart(40, "0")}`;
const transfer = (topics: readonly (number | bigint)[], data: readonly (number | bigint)[]) =>
  transferIn({
    topics: [TRANSFER_TOPIC, ...topics.map((topic) => words(topic))],
    data: words(...data),
  });
const consecutive = (first: bigint, last: bigint) =>
  transferIn({
    topics: [CONSECUTIVE_TOPIC, words(first), words(1), words(2)],
    data: words(last),
  });
const parties = { from: address(1), to: address(2) };

const max = 2n ** 256n - 1n;
const mrc721 = { standard: "mrc721", ...parties } as const;

test.each([
  ["an amount", transfer([1, 2], [max]), { standard: "mrc20", ...parties, value: max, count: 1 }],
  ["an id", transfer([1, 2, 7], []), { ...mrc721, value: 7n, count: 1 }],
  // The contract decides about the standard.
  ["nothing indexed", transfer([], [1, 2, 7]), { ...parties, value: 7n, count: 1 }],
  ["ids in a row", consecutive(5n, 7n), { ...mrc721, value: 5n, count: 3 }],
  ["one id in a row", consecutive(5n, 5n), { ...mrc721, value: 5n, count: 1 }],
  ["10,000 ids in a row", consecutive(1n, 10_000n), { ...mrc721, value: 1n, count: 10_000 }],
])("an event of %s is a transfer", (_, event, expected) => expect(event).toEqual(expected));

test.each([
  ["a Transfer without a value", transfer([1, 2], [])],
  ["a Transfer with two values", transfer([1, 2], [3, 4])],
  ["a Transfer with one indexed party", transfer([1], [2, 3])],
  ["a Transfer without a value and without topics", transfer([], [1, 2])],
  ["a Transfer of an id and a value", transfer([1, 2, 3], [4])],
  ["no ids in a row", consecutive(5n, 4n)],
  ["10,001 ids in a row", consecutive(0n, 10_000n)],
  ["all ids there can be in a row", consecutive(0n, max)],
  ["another topic", transferIn({ topics: [words(5), words(1), words(2)], data: words(3) })],
  ["no topic", transferIn({ topics: [], data: "0x" })],
])("%s is no transfer", (_, event) => expect(event).toBeUndefined());

test("each id in a row has its transfer, and an owner until it goes to the zero address", () => {
  const event = consecutive(5n, 7n) ?? expect.unreachable();
  const single = [0, 1, 2].map((nth) => transferOf(event, nth));
  expect(single).toEqual([5n, 6n, 7n].map((value) => ({ ...event, value, count: 1 })));
  expect(single.map(ownerAfter)).toEqual([address(2), address(2), address(2)]);
  expect(ownerAfter({ ...event, to: address(0) })).toBeUndefined();
});

// Which logs are transfers, and what they say, at the edges of each form.
import { describe, expect, test } from "vitest";
import {
  CONSECUTIVE_TOPIC,
  ownerAfter,
  standardOf,
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
    topics: [TRANSFER_TOPIC, ...topics.map((one) => words(one))],
    data: words(...data),
  });
const consecutive = (first: bigint, last: bigint) =>
  transferIn({
    topics: [CONSECUTIVE_TOPIC, words(first), words(1), words(2)],
    data: words(last),
  });
const parties = { from: address(1), to: address(2) };

describe("Transfer", () => {
  test("with two indexed parties moves an amount, with three indexed values a token id", () => {
    const max = 2n ** 256n - 1n;
    expect(transfer([1, 2], [max])).toEqual({
      standard: "mrc20",
      ...parties,
      value: max,
      count: 1,
    });
    expect(transfer([1, 2, 7], [])).toEqual({
      standard: "mrc721",
      ...parties,
      value: 7n,
      count: 1,
    });
  });

  test("with nothing indexed leaves the standard to the contract", () => {
    const event = { standard: undefined, ...parties, value: 7n, count: 1 };
    expect(transfer([], [1, 2, 7])).toEqual(event);
    expect([standardOf(1, 3), standardOf(1, 2)]).toEqual([null, undefined]);
  });

  test("in another form is none", () => {
    const others = [
      [[1, 2], []],
      [
        [1, 2],
        [3, 4],
      ],
      [[1], [2, 3]],
      [[], [1, 2]],
      [[1, 2, 3], [4]],
    ] as const;
    expect(others.map(([topics, data]) => transfer(topics, data))).toEqual(
      others.map(() => undefined),
    );
    expect(transferIn({ topics: [words(5), words(1), words(2)], data: words(3) })).toBeUndefined();
    expect(transferIn({ topics: [], data: "0x" })).toBeUndefined();
  });
});

describe("ConsecutiveTransfer", () => {
  test("moves all ids from the first to the last", () => {
    const event = consecutive(5n, 7n);
    expect(event).toEqual({ standard: "mrc721", ...parties, value: 5n, count: 3 });
    if (event === undefined) return;
    expect([0, 1, 2].map((nth) => transferOf(event, nth))).toEqual(
      [5n, 6n, 7n].map((value) => ({ ...event, value, count: 1 })),
    );
  });

  test("of one to 10,000 ids is one; of none or more is not", () => {
    expect([consecutive(5n, 5n)?.count, consecutive(1n, 10_000n)?.count]).toEqual([1, 10_000]);
    expect([
      consecutive(5n, 4n),
      consecutive(0n, 10_000n),
      consecutive(0n, 2n ** 256n - 1n),
    ]).toEqual([undefined, undefined, undefined]);
  });
});

test("a transfer to the zero address leaves no owner", () => {
  const event = transfer([1, 2, 7], []);
  const burnt = transfer([1, 0, 7], []);
  expect([event && ownerAfter(event), burnt && ownerAfter(burnt)]).toEqual([address(2), undefined]);
});

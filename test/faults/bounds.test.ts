// How large a fault may be: each limit is allowed, and one more is not.
import { expect, test } from "vitest";
import { FaultError } from "../../mocks/faults/fault.ts";
import { assertBounded } from "../../mocks/faults/parse-fault.ts";

/** Objects or arrays in one another, so many levels. */
const nested = (levels: number, wrap: (below: unknown) => unknown): unknown =>
  levels === 1 ? wrap(null) : wrap(nested(levels - 1, wrap));

test.each<[string, unknown, unknown]>([
  ["64 levels", nested(64, (a) => ({ a })), nested(65, (a) => ({ a }))],
  ["64 levels", nested(64, (a) => [a]), nested(65, (a) => [a])],
  ["10000 values", Array(9999).fill(0), Array(10_000).fill(0)],
  [
    "10000 values",
    [Array(4998).fill(0), Array(4999).fill(0)],
    [Array(4999).fill(0), Array(4999).fill(0)],
  ],
  ["65536 characters", "x".repeat(65_536), "x".repeat(65_537)],
  ["65536 characters", { ["x".repeat(65_536)]: 1 }, { ["x".repeat(65_537)]: 1 }],
  ["65536 characters", { aaa: "x".repeat(65_533) }, { aaa: "x".repeat(65_534) }],
])("a fault may have %s", (limit, most, tooMuch) => {
  expect(() => assertBounded(most)).not.toThrow();
  expect(() => assertBounded(tooMuch)).toThrow(FaultError);
  expect(() => assertBounded(tooMuch)).toThrow(limit);
});

// The helpers for records, held against viem. The programs of docs/decoding.md decode logs.
import * as fc from "fast-check";
import { formatUnits, getAddress, isAddressEqual } from "viem";
import { expect, test } from "vitest";
import {
  type Address,
  formatTokenAmount,
  isExplorerError,
  sameAddress,
  topicsOf,
} from "../../src/index.ts";
import { runs } from "../support/runs.ts";

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => `0x${Buffer.from(bytes).toString("hex")}`);

test("addresses are the same whatever their case, as viem has it", () => {
  fc.assert(
    fc.property(address, address, (one, other) => {
      expect(sameAddress(one, getAddress(one))).toBe(true);
      expect(sameAddress(`0x${one.slice(2).toUpperCase()}`, one)).toBe(true);
      expect(sameAddress(one, other)).toBe(isAddressEqual(one, other));
      for (const missing of [null, undefined])
        expect([sameAddress(one, missing), sameAddress(missing, one)]).toEqual([false, false]);
    }),
    { numRuns: runs(200) },
  );
  expect(sameAddress(null, null)).toBe(false);
});

test("amounts are written exactly, as viem writes them", () => {
  fc.assert(
    fc.property(fc.bigInt(-(1n << 256n), 1n << 256n), fc.integer({ min: 0, max: 255 }), (n, at) => {
      expect(formatTokenAmount(n, at)).toBe(formatUnits(n, at));
      expect(formatTokenAmount(n % 1000n, at)).toBe(formatUnits(n % 1000n, at));
      expect(formatTokenAmount(n, null)).toBe(`${n}`);
    }),
    { numRuns: runs(500) },
  );
  expect(formatTokenAmount(75_500_000n, 6)).toBe("75.5");
  expect(formatTokenAmount(0n, 2)).toBe("0");
  for (const decimals of [-1, 1.5, 256, Number.NaN]) {
    const refused = () => formatTokenAmount(1n, decimals);
    expect(refused).toThrow(expect.toSatisfy((error) => isExplorerError(error, "PARAMETER")));
    expect(refused).toThrow("Invalid amount: decimals: expected an integer from 0 to 255");
  }
  for (const amount of ["1.5", "75", 75, null, undefined])
    expect(() => formatTokenAmount(amount as never, 18)).toThrow(
      "Invalid amount: amount: expected a bigint, such as 75n, received",
    );
});

test("the topics of a log are those that it has, which may be none", () => {
  expect(() => topicsOf(undefined as never)).toThrow("log: expected an event log, received");
  const hash = `0x${"a".repeat(64)}` as const;
  const none = { topic_0: null, topic_1: null, topic_2: null, topic_3: null };
  expect(topicsOf(none)).toEqual([]);
  expect(topicsOf({ ...none, topic_0: hash, topic_1: hash })).toEqual([hash, hash]);
});

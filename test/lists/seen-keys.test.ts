// What was yielded is recognised, and nothing else: also records whose keys are the same, and
// after many others.
import { describe, expect, it } from "vitest";
import { blockOf, digestsOf, type ListRecord, rankOf } from "../../src/lists/records.ts";
import { SeenKeys } from "../../src/lists/seen-keys.ts";

describe("keys that were seen", () => {
  it("are told apart by their checks where two records have the same one", () => {
    const seen = new SeenKeys([]);
    expect([seen.add(0, 1), seen.add(0, 2), seen.add(0, 1), seen.add(7, 1)]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect([seen.has(0, 2), seen.has(0, 3), seen.has(7, 1), seen.has(7, 2)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it("are known whatever their check if they are from a cursor", () => {
    const seen = new SeenKeys([5]);
    expect([seen.has(5, 9), seen.add(5, 9), seen.has(6, 9)]).toEqual([true, false, false]);
    const many = Array.from({ length: 32 }, (_, index) => 5 + 128 * index);
    const resumed = new SeenKeys(many);
    expect(many.every((key) => resumed.has(key, 9))).toBe(true);
  });

  it("are remembered while a hundred thousand others are added, and not for ever", () => {
    const seen = new SeenKeys([]);
    const most = 300_000;
    for (let key = 1; key <= most; key++) seen.add(key, key);
    for (const key of [0, 1]) expect(seen.has(key, 1)).toBe(false);
    for (const key of [most - 100_000, most - 1000, most]) {
      expect(seen.has(key, key)).toBe(true);
      expect(seen.has(key, key + 1)).toBe(false);
    }
  });

  it("have checks that nobody finds equal without the whole number, and keys that do not depend on it", () => {
    const records = ["0xa0", "0xb7"].map(
      (transaction_hash) => ({ transaction_hash }) as ListRecord,
    );
    const differences = [1, 257, 2 ** 31 + 1].map((seed) => {
      const { checks, keys } = digestsOf(records, ["transaction_hash"], seed);
      expect(keys).toEqual(digestsOf(records, ["transaction_hash"]).keys);
      return (Number(checks[0]) - Number(checks[1])) >>> 0;
    });
    expect(new Set(differences).size).toBe(3);
  });
});

it("a record has the key that it has in the cursors of other processes and releases", () => {
  const records = ["0xAb", "0xaB"].map((transaction_hash) => ({ transaction_hash, log_index: 1 }));
  const { keys } = digestsOf(records, ["transaction_hash", "log_index"]);
  expect(keys).toEqual([6889604936540699, 6889604936540699]);
});

it("a block is only what was decoded as one", () => {
  const [timestamp, undecoded] = [new Date(5), { block_number: "0x7" }];
  expect([{ block_number: 7n }, undecoded].map(blockOf)).toEqual([7n, undefined]);
  expect([{ ...undecoded, timestamp }, undecoded].map(rankOf)).toEqual([5, undefined]);
});

// What a list is read by: the keys of its records, which cursors hold, and their blocks.
import { expect, it } from "vitest";
import { blockOf, digestsOf, rankOf } from "../../src/lists/records.ts";

it("gives a record the key that it has in the cursors of other processes and releases", () => {
  const records = ["0xAb", "0xaB"].map((transaction_hash) => ({ transaction_hash, log_index: 1 }));
  const { keys } = digestsOf(records, ["transaction_hash", "log_index"]);
  expect(keys).toEqual([6889604936540699, 6889604936540699]);
});

it("takes for a block only what was decoded as one", () => {
  const [timestamp, undecoded] = [new Date(5), { block_number: "0x7" }];
  expect([{ block_number: 7n }, undecoded].map(blockOf)).toEqual([7n, undefined]);
  expect([{ ...undecoded, timestamp }, undecoded].map(rankOf)).toEqual([5, undefined]);
});

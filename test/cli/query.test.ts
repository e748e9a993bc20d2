// A query: how many records it prints, and that it refuses a range without blocks.
import { describe, expect, test } from "vitest";
import { ALICE, AURORA, linesOf, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const transactions = `accounts transactions ${ALICE} --limit 20 --columns transaction_hash,value`;

test.each([
  ["accounts transactions", ALICE],
  ["eventLogs list", AURORA],
])("%s refuses a range that ends before it starts", async (command, address) => {
  const of = `${command} ${address} --startBlock`;
  const { code, err } = await demo.cli(`${of} 10 --end-block 5`);
  expect({ code, err }).toEqual({
    code: 2,
    err: "error: --start-block 10 is after --end-block 5: no block is in this range\n",
  });
  expect(demo.mock.journal.count()).toBe(0);
  expect((await demo.cli(`${of} 5 --end-block 5`)).code).toBe(0);
});

describe("--max", () => {
  test.each(["json", "ndjson", "csv"])("%s ends after as many records", async (format) => {
    const { out } = await demo.cli(`${transactions} --max 30 --format ${format}`);
    const lines = linesOf(out).length;
    expect(lines).toBe({ json: 35, ndjson: 30, csv: 31 }[format]);
  });
});

test("topics are events by name or signature, and addresses", async () => {
  const list = (topics: string) => demo.cli(`eventLogs list ${AURORA} ${topics}`);
  const word = `0x${ALICE.slice(2).padStart(64, "0")}` as const;
  for (const event of ["Transfer", "Transfer(address,address,uint256)"]) {
    expect((await list(`--topic-0 ${event} --topic-1 ${ALICE}`)).code).toBe(0);
    demo.mock.journal.expect("L1", {
      topic_0: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      topic_1: word,
    });
  }
  expect((await list("--topic-0 Transfers")).err).toContain("expected a 32-byte hash");
});

// Filters of logs on chains with many of them: the same as looking at each log, in any order of
// reading, mining and rewinding.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Chain } from "../../mocks/chain/chain.ts";
import { items, listParts } from "../../mocks/chain/listing.ts";
import { randomNumbers } from "../../mocks/chain/random.ts";
import type { LogFilter } from "../../mocks/chain/reader.ts";
import type { Hash, Log } from "../../mocks/chain/records.ts";
import { runs } from "../support/runs.ts";
import { addressOf, blockAfter, transactionIn } from "./random-blocks.ts";

const TOPICS = [0, 1, 2].map((topic): Hash => `0x${`${topic}`.padStart(64, "0")}`);
const EMITTERS = [addressOf(0x70), addressOf(0x71)];

/**
 * Appends a block with this many logs, all of its one transaction, with random addresses and
 * topics.
 */
function mineLogs(chain: Chain, seed: number, count: number): void {
  let draws = chain.length * 10_000;
  const below = (end: number) => Math.floor(randomNumbers(seed, draws++) * end);
  const block = blockAfter(chain, { transactionCount: 1 }, `${seed}`);
  const transaction = transactionIn(block);
  const logs = Array.from({ length: count }, (_, index): Log => {
    const topics = Array.from({ length: below(5) }, () => TOPICS[below(3)] as Hash);
    const address = EMITTERS[below(4) === 0 ? 1 : 0] ?? addressOf(0);
    return { transaction, index, address, topics, data: "0x" };
  });
  chain.append({ block, executions: [{ transaction, frames: [], logs }] });
}

const wanted = fc.record({
  address: fc.constantFrom(...EMITTERS, addressOf(0x72)),
  topics: fc.array(fc.option(fc.constantFrom(...TOPICS), { nil: undefined }), { maxLength: 4 }),
  operand: fc.constantFrom("and", "or"),
  startBlock: fc.option(fc.nat(6), { nil: undefined }),
  endBlock: fc.option(fc.nat(6), { nil: undefined }),
});

const meets = (log: Log, { address, topics, operand, startBlock, endBlock }: LogFilter) => {
  const { number } = log.transaction.block;
  const given = topics.flatMap((topic, at) =>
    topic === undefined ? [] : log.topics[at] === topic,
  );
  const joined =
    operand === "and" || given.length === 0 ? !given.includes(false) : given.includes(true);
  const isInRange = number >= (startBlock ?? 0) && number <= (endBlock ?? number);
  return log.address === address && joined && isInRange;
};

/** By a scan of all blocks. */
const scanned = (chain: Chain, filter: LogFilter): Log[] =>
  Array.from({ length: chain.length }, (_, number) => chain.blockInput(number)).flatMap(
    (input) =>
      input?.executions.flatMap(({ logs }) => logs.filter((log) => meets(log, filter))) ?? [],
  );

const places = (logs: readonly Log[]) =>
  logs.map(({ transaction, index }) => `${transaction.block.number}/${index}`);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ mine: fc.nat(150) }) },
  { weight: 1, arbitrary: fc.record({ rewind: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ fork: fc.constant(true) }) },
  {
    weight: 6,
    arbitrary: fc.record({ wanted, offset: fc.nat(200), limit: fc.integer({ min: 1, max: 80 }) }),
  },
);

test("filters of logs find what a scan finds, page by page, while blocks come and go", () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(step, { minLength: 4, maxLength: 16 }), (seed, steps) => {
      let chain = new Chain({ chainId: 1 });
      mineLogs(chain, seed, 200);
      for (const [at, now] of steps.entries()) {
        if ("mine" in now) mineLogs(chain, seed + at + 1, now.mine);
        else if ("rewind" in now) chain.rewind(Math.min(now.rewind, chain.length - 1));
        else if ("fork" in now) chain = chain.fork();
        else {
          const expected = places(scanned(chain, now.wanted));
          const list = chain.logs(now.wanted);
          expect(list.count).toBe(expected.length);
          expect(places(list.slice(now.offset, now.limit))).toEqual(
            expected.slice(now.offset, now.offset + now.limit),
          );
          expect(places(items(list))).toEqual(expected);
          expect(places(expected.map((_, index) => list.at(index)))).toEqual(expected);
        }
      }
    }),
    { numRuns: runs(60) },
  );
});

test("a list of several segments' parts is read by position and by page", () => {
  const parts = [
    { list: "abcd", start: 1, end: 3 },
    { list: "efg", start: 2, end: 2 },
    { list: "hijk", start: 2, end: 4 },
  ].map(({ list, ...range }) => ({ list: [...list], ...range }));
  const list = listParts(parts);
  expect([0, 1, 2, 3].map((index) => list.at(index)).join("")).toBe("bcjk");
  expect([list.slice(1, 2), list.slice(3, 9), list.slice(4, 1)]).toEqual([["c", "j"], ["k"], []]);
  for (const index of [-1, 4]) expect(() => list.at(index)).toThrow("the list has 4 records");
});

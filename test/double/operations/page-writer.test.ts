// Pages written from kept texts: the bytes of JSON.stringify, whatever the head, the branch, the fork and what was asked before.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { items, listOf, RecentRecords } from "../../../mocks/double/chain/listing.ts";
import type { Block } from "../../../mocks/double/chain/records.ts";
import { createExplorer, type Explorer } from "../../../mocks/double/explorer.ts";
import { decimal } from "../../../mocks/double/operations/format.ts";
import { PageWriter } from "../../../mocks/double/operations/page-writer.ts";
import { fullTransaction, simpleTransaction } from "../../../mocks/double/operations/records.ts";
import { bodyText } from "../../../mocks/double/service/message.ts";
import { generateChain } from "../../../mocks/double/sources/generator.ts";
import { continueChain } from "../../../mocks/index.ts";
import { runs } from "../../support/runs.ts";

const origin = generateChain({ seed: "pages", blocks: 30, transactions: 600, accounts: 5 });
const ACCOUNTS = (origin.blockInput(0)?.credits ?? []).map(([account]) => account);

const asked = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  limit: fc.integer({ min: 1, max: 100 }),
  offset: fc.nat(150),
  simple: fc.boolean(),
  input: fc.boolean(),
});
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

/** The response as plain formatting gives it. */
function expected({ chain }: Explorer, { account, limit, offset, simple, input }: Asked): string {
  const newestFirst = items(chain.transactions(account, "all", {})).toReversed();
  const page = newestFirst.slice(offset, offset + limit);
  const head = chain.head.number;
  const count = decimal(newestFirst.length);
  const full = fullTransaction(input);
  const results = simple
    ? { count, data: page.map(simpleTransaction(input)), to_block: decimal(head) }
    : { count, data: page.map((record) => full(record, decimal(head - record.block.number))) };
  return JSON.stringify({ status: "200", message: "success", results });
}

async function received(mock: Explorer, { account, ...query }: Asked): Promise<string> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  const target = `/v1/accounts/${account}/transactions?${parameters}`;
  const headers = { "api-key": "k" };
  return bodyText((await mock.dispatch({ method: "GET", target, headers })).body);
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ asked }) },
  { weight: 1, arbitrary: fc.record({ mine: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ reorganise: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ fork: fc.constant(true) }) },
);

describe("a page of transactions", () => {
  test("has the bytes of JSON.stringify, on any branch and at any number of confirmations", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const explorers = [createExplorer({ chain: origin.fork(), conformance: "throw" })];
        for (const now of steps) {
          const mock = explorers.at(-1) as Explorer;
          const [sender, receiver] = ACCOUNTS as [`0x${string}`, `0x${string}`];
          if ("mine" in now) {
            const builder = continueChain(mock.chain);
            builder.transfer(sender, receiver, 1n);
            builder.mine(now.mine);
          } else if ("reorganise" in now) continueChain(mock.chain).reorg(now.reorganise);
          else if ("fork" in now) explorers.push(mock.fork());
          else
            for (const each of explorers)
              expect(await received(each, now.asked)).toBe(expected(each, now.asked));
        }
        expect(explorers.flatMap(({ violations }) => violations)).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe("a page writer", () => {
  const block = (number: number) => ({ number }) as Block;
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '"confirmations":"0"',
      '"data":[]',
      '{"confirmations":"0"}',
      "$&",
      "\\",
      "é€😀",
    ),
  );

  test("is not misled by what stands in the texts of a record", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text, fc.nat(9))),
        fc.nat(9),
        text,
        (rows, more, other) => {
          const writer = new PageWriter(
            ({ before, after }: (typeof records)[number], confirmations) => ({
              before,
              confirmations,
              after,
            }),
            { keeps: true },
          );
          const records = rows.map(([before, after, at]) => ({ before, after, block: block(at) }));
          for (const head of [9, 9 + more]) {
            const paging = { offset: 0, limit: rows.length };
            const { json } = writer.newestFirst(listOf(records), paging, block(head), { other });
            const data = records.toReversed().map(({ before, after, block: { number } }) => ({
              before,
              confirmations: `${head - number}`,
              after,
            }));
            expect(bodyText(json)).toBe(JSON.stringify({ count: `${rows.length}`, data, other }));
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

describe("recent records", () => {
  test("are the same objects while they are kept, and no more than twice a generation", () => {
    let made = 0;
    const recent = new RecentRecords(
      (id) => {
        made++;
        return { id };
      },
      undefined,
      4,
    );
    const first = recent.at(0);
    expect([first, recent.at(0)]).toEqual([{ id: 0 }, { id: 0 }]);
    expect(recent.at(0)).toBe(first);
    expect(made).toBe(1);
    for (let id = 0; id < 8; id++) recent.at(id);
    expect(made).toBe(8);
    for (let id = 7; id >= 4; id--) recent.at(id);
    expect(made).toBe(8);
    expect(recent.at(0)).not.toBe(first);
    expect(recent.at(0)).toEqual({ id: 0 });
  });

  test("are those that may be kept", () => {
    const recent = new RecentRecords(
      (id) => ({ id }),
      ({ id }) => id < 3,
    );
    expect(recent.at(2)).toBe(recent.at(2));
    expect(recent.at(3)).not.toBe(recent.at(3));
    expect(recent.at(3)).toEqual({ id: 3 });
  });
});

test("a form without confirmations is the same at any head, and one with them has those of the head", () => {
  const [account] = ACCOUNTS as [`0x${string}`];
  const list = origin.transactions(account, "all", {});
  const records = items(list).toReversed().slice(0, 3);
  const paging = { limit: 3, offset: 0 };
  const simple = new PageWriter(simpleTransaction(false), { keeps: true });
  const full = new PageWriter(fullTransaction(false), { keeps: true });
  for (const ahead of [0, 3, 3, 12]) {
    const head = { ...origin.head, number: origin.head.number + ahead };
    const count = `${list.count}`;
    expect(simple.newestFirst(list, paging, head, {}).parse()).toEqual({
      ...{ count, data: records.map(simpleTransaction(false)) },
    });
    expect(full.newestFirst(list, paging, head, {}).parse()).toEqual({
      count,
      data: records.map((record) =>
        fullTransaction(false)(record, decimal(head.number - record.block.number)),
      ),
    });
  }
});

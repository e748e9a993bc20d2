// Pages written from kept texts: the bytes of JSON.stringify, whatever the head, the branch, the fork and what was asked before.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateChain } from "../../mocks/builder/generator.ts";
import { items } from "../../mocks/chain/listing.ts";
import { createExplorer, type Explorer } from "../../mocks/create-explorer.ts";
import { continueChain } from "../../mocks/index.ts";
import { bodyText } from "../../mocks/message/message.ts";
import { decimal } from "../../mocks/operations/format.ts";
import { fullTransaction, simpleTransaction } from "../../mocks/operations/records.ts";
import { runs } from "../support/runs.ts";

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

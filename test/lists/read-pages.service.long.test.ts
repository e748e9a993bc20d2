// Iteration against the reference service: each kind of list on a real chain, which grows while
// the list is read. The laws in test/laws/lists vary pages, orders and cursors.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createExplorer, generateChain } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";
import { tally } from "../laws/lists/list-server.ts";
import { runsUpTo } from "../support/runs.ts";

const future = generateChain({
  ...{ seed: "iteration", blocks: 120, transactions: 1500, accounts: 12, tokens: 4, miners: 2 },
});
const BEGIN = 60;

/** The chain as it was, and a client before whose requests blocks arrive. */
function past(blocks: readonly number[] = []) {
  const chain = future.fork();
  chain.rewind(future.head.number - BEGIN);
  const { baseUrl, fetch } = createExplorer({ chain });
  let requests = 0;
  const mine = () => {
    const count = requests++ ? (blocks[requests % blocks.length] ?? 0) : 0;
    for (let block = 0; block < count && chain.head.number < future.head.number; block++) {
      const next = future.blockInput(chain.head.number + 1);
      if (next) chain.append(next);
    }
  };
  const growing: typeof fetch = (...request) => {
    mine();
    return fetch(...request);
  };
  const clientOf = (own: typeof fetch) =>
    new ExplorerClient({ baseUrl, apiKey: "key", fetch: own });
  return { client: clientOf(growing), direct: clientOf(fetch) };
}

/** The accounts with most transactions in the first blocks. */
const busiest = (() => {
  const counts = new Map<`0x${string}`, number>();
  for (let number = 0; number <= BEGIN; number++)
    for (const { transaction } of future.blockInput(number)?.executions ?? [])
      for (const address of [transaction.from, transaction.to])
        if (address) counts.set(address, (counts.get(address) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]).map(([address]) => address);
})();
const account = busiest[0] ?? "0x";
const tokens = busiest.flatMap((address) => future.token(address) ?? []);
const token = tokens.find(({ standard }) => standard === "mrc20")?.address ?? "0x";
const { miner } = future.head;

interface Options {
  readonly limit: number;
  readonly prefetch?: number;
}
const lists = {
  A2: ({ accounts }: ExplorerClient, options: Options) => accounts.transactions(account, options),
  "A2, simple": ({ accounts }: ExplorerClient, options: Options) =>
    accounts.transactions(account, { ...options, simple: true }),
  A3: ({ accounts }: ExplorerClient, options: Options) =>
    accounts.internalTransactions(account, options),
  A4: ({ accounts }: ExplorerClient, options: Options) => accounts.mrc20Transfers(account, options),
  A5: ({ accounts }: ExplorerClient, options: Options) =>
    accounts.mrc721Transfers(account, options),
  A10: ({ accounts }: ExplorerClient, options: Options) => accounts.minedBlocks(miner, options),
  L1: ({ eventLogs }: ExplorerClient, options: Options) =>
    eventLogs.list({ address: token, ...options }),
} as const;

/** Tallies records without what changes with the head. */
const lasting = (records: readonly object[]) =>
  tally(records.map((record) => ({ ...record, confirmations: 0 })));

describe.each(Object.entries(lists))("%s", (_, list) => {
  it("yields every record exactly once while blocks arrive", async () => {
    const existing = lasting(await list(past().direct, { limit: 1000 }).collect());
    expect(existing.size).toBeGreaterThan(5);
    await fc.assert(
      fc.asyncProperty(
        fc.record({ limit: fc.integer({ min: 5, max: 80 }), prefetch: fc.constantFrom(0, 1, 4) }),
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 }),
        async (options, blocks) => {
          const { client, direct } = past(blocks);
          const seen = lasting(await list(client, options).collect());
          const all = lasting(await list(direct, { limit: 1000 }).collect());
          for (const [record, times] of existing) expect(seen.get(record), record).toBe(times);
          for (const [record, times] of seen) expect(times, record).toBe(all.get(record));
        },
      ),
      { numRuns: runsUpTo(40, 500) },
    );
  });
});

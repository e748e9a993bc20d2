// Iteration against the reference service, on a real chain that grows and is reorganised while it
// is read.
import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createExplorer, generateChain } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";
import { tally } from "../laws/lists/list-server.ts";
import { runsUpTo } from "../support/runs.ts";

const future = generateChain({
  seed: "iteration",
  blocks: 120,
  transactions: 1500,
  accounts: 12,
  tokens: 4,
  miners: 2,
});
const BEGIN = 60;

/** The chain as it was, and a way to let the rest of it happen. */
function past() {
  const chain = future.fork();
  chain.rewind(future.head.number - BEGIN);
  const mine = (blocks: number) => {
    for (let block = 0; block < blocks && chain.head.number < future.head.number; block++) {
      const body = future.blockInput(chain.head.number + 1);
      if (body) chain.append(body);
    }
  };
  const mock = createExplorer({ chain });
  return { chain, mine, mock };
}

/** Whoever does most in the chain, so that there is something to read. */
const busiest = (() => {
  const counts = new Map<string, number>();
  for (let number = 0; number <= BEGIN; number++)
    for (const { transaction } of future.blockInput(number)?.executions ?? [])
      for (const one of [transaction.from, transaction.to])
        if (one) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts]
    .sort((one, other) => other[1] - one[1])
    .map(([address]) => address as `0x${string}`);
})();
const account = busiest[0] ?? "0x";
const tokens = busiest.flatMap((address) => future.token(address) ?? []);
const token = tokens.find(({ standard }) => standard === "mrc20")?.address ?? "0x";
const collection = tokens.find(({ standard }) => standard === "mrc721")?.address ?? "0x";
const miner = future.head.miner;

const reading = { limit: fc.integer({ min: 5, max: 80 }), prefetch: fc.constantFrom(0, 1, 4) };

type Options = { limit: number; prefetch: number; resume?: string };
const lists = {
  "accounts.transactions (A2)": (client: ExplorerClient, options: Options) =>
    client.accounts.transactions(account, options),
  "accounts.transactions, simple (A2)": (client: ExplorerClient, options: Options) =>
    client.accounts.transactions(account, { ...options, simple: true }),
  "accounts.internalTransactions (A3)": (client: ExplorerClient, options: Options) =>
    client.accounts.internalTransactions(account, options),
  "accounts.mrc20Transfers (A4)": (client: ExplorerClient, options: Options) =>
    client.accounts.mrc20Transfers(account, options),
  "accounts.mrc721Transfers (A5)": (client: ExplorerClient, options: Options) =>
    client.accounts.mrc721Transfers(account, options),
  "accounts.inventory (A9)": (client: ExplorerClient, options: Options) =>
    client.accounts.inventory(collection, options),
  "accounts.minedBlocks (A10)": (client: ExplorerClient, options: Options) =>
    client.accounts.minedBlocks(miner, options),
  "eventLogs.list (L1)": (client: ExplorerClient, options: Options) =>
    client.eventLogs.list({ address: token, ...options }),
} as const;

/** Without what changes with the head. */
const lasting = (records: readonly object[]) =>
  records.map((record) => ({ ...record, confirmations: 0 }));

describe.each(Object.entries(lists))("%s", (name, list) => {
  it("yields every record exactly once while blocks arrive, also in another process", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record(reading),
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 }),
        fc.option(fc.integer({ min: 1, max: 3 })),
        async (options, blocks, stop) => {
          // Answers in place wait for nothing: without a pause nothing that is let go would be
          // collected in thousands of runs.
          await setImmediate();
          const { mine, mock } = past();
          let turn = 0;
          const client = () =>
            new ExplorerClient({
              baseUrl: mock.baseUrl,
              apiKey: "key",
              fetch: async (input, init) => {
                if (turn++ > 0) mine(blocks[turn % blocks.length] ?? 0);
                return mock.fetch(input, init);
              },
            });
          const direct = new ExplorerClient({
            baseUrl: mock.baseUrl,
            apiKey: "key",
            fetch: mock.fetch,
          });
          const existing = tally(
            lasting(await list(direct, { limit: 1000, prefetch: 0 }).collect()),
          );
          const got: object[] = [];
          if (stop === null) got.push(...(await list(client(), options).collect()));
          let resume: string | undefined;
          for (let pages = stop; stop !== null && pages === stop; ) {
            pages = 0;
            const pagesOf = list(
              client(),
              resume === undefined ? options : { ...options, resume },
            ).pages();
            for await (const page of pagesOf) {
              got.push(...page.data);
              resume = page.cursor;
              if (++pages === stop) break;
            }
          }
          const all = tally(lasting(await list(direct, { limit: 1000, prefetch: 0 }).collect()));
          const seen = tally(lasting(got));
          const isHeld = name.startsWith("accounts.inventory");
          if (!isHeld) expect(existing.size).toBeGreaterThan(5);
          for (const [record, times] of existing)
            if (all.has(record))
              expect(seen.get(record), `lost or repeated: ${record}`).toBe(times);
          // What is held may come and go between the first page and the last.
          for (const [record, times] of seen)
            expect(times, `repeated: ${record}`).toBe(
              existing.get(record) ?? all.get(record) ?? (isHeld ? 1 : 0),
            );
        },
      ),
      { numRuns: runsUpTo(40, 1250) },
    );
  });
});

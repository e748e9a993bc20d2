// What a restart from a stored chain costs: 100,000 transactions; MRC_BENCH_TRANSACTIONS sets another number. Goal: ready in under 5 s.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { generateChain } from "../../mocks/double/sources/generator.ts";
import { ChainStore } from "../../mocks/workbench/follow/store/chain-store.ts";

const TRANSACTIONS = Number(process.env.MRC_BENCH_TRANSACTIONS ?? 100_000);
const BLOCKS = TRANSACTIONS / 20;

const folder = mkdtempSync(join(tmpdir(), "mrc-bench-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (): ChainStore =>
  new ChainStore(folder, {
    traced: true,
    onError: (error) => {
      throw error;
    },
  });

test(`restarting with ${TRANSACTIONS} transactions`, async ({ bench }) => {
  const chain = generateChain({ transactions: TRANSACTIONS, blocks: BLOCKS });
  const store = open();
  await store.startOver(chain.chainId);
  for (let from = 0; from <= BLOCKS; from += 100) {
    const inputs = Array.from(
      { length: Math.min(100, BLOCKS + 1 - from) },
      (_, index) => chain.blockInput(from + index) ?? [],
    ).flat();
    // A restart does not read the node's form where there is the short one.
    const blocks = inputs.map(({ block: { number } }) => ({ block: { number }, receipts: [] }));
    await store.update({ kept: from, from, blocks, inputs });
  }
  await store.close();
  await bench("reading the store into a chain", async () => {
    const again = open();
    const stored = await again.load();
    await again.close();
    if (stored?.chain.transactionCount !== TRANSACTIONS) throw new Error("it is not all there");
  }).run({ iterations: 3, time: 0, warmupIterations: 0, warmupTime: 0 });
}, 600_000);

// What loading a chain costs: devnet from its folder, and its parts one by one.
import { existsSync } from "node:fs";
import { test } from "vitest";
import { Chain } from "../../mocks/double/chain/chain.ts";
import { type RpcBlock, readBlock } from "../../mocks/double/sources/ingest/block.ts";
import { loadChain } from "../../mocks/double/sources/ingest/load-chain.ts";
import { DEMO, DEVNET, readRecords, readZipped } from "../support/chains.ts";

/** Whole chains take long: a few times each. */
const OFTEN = { time: 500, iterations: 10, warmupIterations: 2, warmupTime: 0 };

const isThere = existsSync(DEVNET);
if (!isThere)
  console.warn(`\n*** SKIPPED, not measured: loading devnet; ${DEVNET} is absent ***\n`);

test("loading the demo chain", async ({ bench }) => {
  await bench("from its folder", () => loadChain(DEMO)).run(OFTEN);
});

test.skipIf(!isThere)("loading devnet (504 blocks, 4,158 transactions)", async ({ bench }) => {
  const answers = readRecords(DEVNET, "blocks") as unknown as RpcBlock[];
  const bodies = answers.map((answer) => readBlock(answer, { chainId: 1717 }));
  await bench.compare(
    bench("loadChain", async () => {
      await loadChain(DEVNET);
    }),
    bench("of it: unzip", () => {
      readZipped(DEVNET, "blocks.ndjson.gz");
    }),
    bench("of it: unzip and JSON.parse", () => {
      readRecords(DEVNET, "blocks");
    }),
    bench("of it: read and check the blocks", () => {
      for (const answer of answers) readBlock(answer, { chainId: 1717 });
    }),
    bench("of it: append them to a chain", () => {
      const chain = new Chain({ chainId: 1717 });
      for (const body of bodies) chain.append(body);
    }),
    OFTEN,
  );
});

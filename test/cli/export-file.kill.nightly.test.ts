// An export that is killed again and again: the next run continues it without loss or repetition.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomNumbers } from "../../mocks/chain/random.ts";
import {
  createExplorer,
  generateChain,
  type ServedExplorer,
  serveExplorer,
} from "../../mocks/node.ts";
import { temporaryFolder } from "../support/project.ts";

const main = fileURLToPath(new URL("../../mocks/cli/main.ts", import.meta.url));
const RECORDS = 20_000;
const KILLS = 5;

// One account makes all transactions.
const chain = generateChain({ transactions: RECORDS, blocks: 400, accounts: 1, tokens: 0 });
const account = chain.blockInput(1)?.executions[0]?.transaction.from ?? "0x";
const expected = chain
  .transactions(account, "all", {})
  .slice(0, RECORDS)
  .map(({ hash }) => hash)
  // The service lists the newest first.
  .reverse();

const folder = temporaryFolder("kill");
let service: ServedExplorer;
beforeAll(async () => {
  service = await serveExplorer(createExplorer({ chain }));
  await run(["--version"], async () => {});
});
afterAll(async () => {
  await service.close();
});

/** Runs the command line; `watch` may kill it. */
async function run(
  words: readonly string[],
  watch: (kill: () => void, hasEnded: () => boolean) => Promise<void>,
) {
  const child = spawn(process.execPath, [main, ...words], {
    env: {
      ...process.env,
      EXPLORER_BASE_URL: service.url,
      EXPLORER_API_KEY: "any",
      // A dozen starts: each compiles half of the time without it.
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    },
  });
  let err = "";
  child.stderr.on("data", (text) => {
    err += text;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal })),
  );
  await watch(
    () => child.kill("SIGKILL"),
    () => child.exitCode !== null,
  );
  return { ...(await ended), err };
}

/** How many records the cursor counts. */
function exported(file: string): number {
  try {
    return JSON.parse(readFileSync(`${file}.cursor`, "utf8")).records;
  } catch {
    return 0;
  }
}

const hashes = {
  csv: (text: string) =>
    text
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(",")[1] ?? ""),
  ndjson: (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).transaction_hash),
};

describe.concurrent(`an export of ${RECORDS} records, killed ${KILLS} times`, () => {
  test.each(["csv", "ndjson"] as const)("%s is complete, each record once", async (format) => {
    const file = join(folder, `transactions.${format}`);
    const seed = format === "csv" ? 1 : 2;
    const moments = Array.from({ length: KILLS }, (_, index) => randomNumbers(seed, index)).sort();
    const words = `accounts transactions ${account} --resume ${file} --simple --limit 250 --prefetch 2 --confirmations 0 --columns block_number,transaction_hash`;
    for (const [index, moment] of moments.entries()) {
      const { signal } = await run(words.split(" "), async (kill, hasEnded) => {
        // Somewhere in the run, and at any point of writing a page: the first kill may come before the first record.
        while (exported(file) < moment * 0.9 * RECORDS && !hasEnded()) await sleep(4);
        await sleep(10 * randomNumbers(seed, KILLS + index));
        kill();
      });
      expect(signal).toBe("SIGKILL");
    }
    const before = exported(file);
    const { code, err } = await run(words.split(" "), async () => {});
    const ending = `${file} is complete as of block 400: ${RECORDS} records\n`;
    expect({ code, err }).toEqual({ code: 0, err: ending });
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(RECORDS);
    const header = format === "csv" ? ["transaction_hash"] : [];
    const found = hashes[format](readFileSync(file, "utf8"));
    const wanted = [...header, ...expected];
    expect([found.length, new Set(found).size]).toEqual([wanted.length, wanted.length]);
    // A diff of all of them would take minutes.
    expect(found.findIndex((hash, index) => hash !== wanted[index])).toBe(-1);
  });
});

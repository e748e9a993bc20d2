// How much a transaction weighs, and what a rewind costs. MRC_BENCH_TRANSACTIONS sets the size.
import { expect, test } from "vitest";
import { type GenerateOptions, generateChain } from "../../mocks/builder/generator.ts";
import { median } from "./median.ts";
import { bytesInUse } from "./memory.ts";

const transactions = Number(process.env.MRC_BENCH_TRANSACTIONS ?? 50_000);
const options: GenerateOptions = {
  transactions,
  blocks: Math.ceil(transactions / 100),
  accounts: Math.ceil(transactions / 50),
  tokens: 20,
};

/** Seconds of CPU that a job takes, garbage collection in other threads included. */
function cpuSeconds(job: () => void): number {
  const before = process.cpuUsage();
  job();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

test("rewinding blocks, against appending them again; bytes of a transaction", () => {
  generateChain({ blocks: 20 });
  const before = bytesInUse();
  const chain = generateChain(options);
  const bytes = (bytesInUse() - before) / transactions;
  const count = Math.min(1000, chain.length - 1);
  const inputs = Array.from({ length: count }, (_, at) =>
    chain.blockInput(chain.head.number - count + 1 + at),
  ).filter((input) => input !== undefined);
  const working = chain.fork();
  const rewind: number[] = [];
  const append: number[] = [];
  for (let turn = 0; turn < 7; turn++) {
    rewind.push(cpuSeconds(() => working.rewind(count)));
    append.push(
      cpuSeconds(() => {
        for (const input of inputs) working.append(input);
      }),
    );
  }
  console.info(
    `${transactions} transactions: ${bytes.toFixed(0)} bytes each; ${count} blocks: append ${median(append).toFixed(2)} s of CPU, rewind ${median(rewind).toFixed(2)} s`,
  );
  expect(working.head).toEqual(chain.head);
}, 600_000);

// A served explorer with a large chain, in a process of its own, which measures the CPU of its main thread between two turns of its loop.

import { generateChain } from "../../mocks/builder/generator.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { createVerifier } from "../../mocks/verify/verifier.ts";

const [transactions = 0] = process.argv.slice(2).map(Number);
const chain = generateChain({
  transactions,
  blocks: Math.ceil(transactions / 100),
  accounts: Math.ceil(transactions / 50),
  tokens: 20,
});
const verifier = createVerifier();
const explorer = createExplorer({ chain, tenant: "api-key", verifier });
const served = await serveExplorer(explorer, { admin: true });

/** Milliseconds of CPU of this thread: compilers, and garbage collection beside it, hold nobody up. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let last = cpuMs();
let longest = 0;
let before = last;
const look = () => {
  const now = cpuMs();
  longest = Math.max(longest, now - last);
  last = now;
};
// A timer runs at most once in a turn.
setInterval(look, 1).unref();

/** Some 20 ms of CPU where nothing else runs: texts and objects, as the service makes them, and what the collector does with them. */
function yardstick(): number {
  const before = cpuMs();
  const records = Array.from({ length: 50_000 }, (_, index) => ({ index, hash: `0x${index}` }));
  JSON.parse(JSON.stringify(records));
  return cpuMs() - before;
}

/** What to measure besides the time: the memory after a full collection, or the yardstick. */
export type Wanted = "time" | "memory" | "yardstick";

export interface Measured {
  /** Milliseconds of CPU of the longest turn since it was asked last. */
  readonly longest: number;
  /** Milliseconds of CPU of the same work each time, to compare with, if it was asked: a busy machine, whose caches are others', needs more. */
  readonly yardstick: number;
  /** Milliseconds of CPU of the main thread since then. */
  readonly cpu: number;
  /** Mebibytes of the heap and of buffers, after a full collection. */
  readonly memory: number;
}

const mebibytes = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

process.on("message", (wanted: Wanted) => {
  look();
  const memory = wanted === "memory" ? mebibytes() : 0;
  const measured = { longest, cpu: last - before, memory };
  const measure = wanted === "yardstick" ? yardstick() : 0;
  process.send?.({ ...measured, yardstick: measure } satisfies Measured);
  last = cpuMs();
  before = last;
  longest = 0;
});
// As the command does.
process.once("SIGTERM", async () => {
  const { user, system } = process.cpuUsage();
  await Promise.all([served.close({ graceMs: 500 }), verifier.close()]);
  const used = process.cpuUsage({ user, system });
  process.send?.((used.user + used.system) / 1000);
  process.disconnect();
});

/** What requests can name. */
const known = {
  port: served.port,
  token: served.admin.token,
  head: chain.head.number,
  accounts: chain.busiestAccounts(100).map(({ address }) => address),
  tokens: chain.tokens().map(({ address }) => address),
  transactions: chain
    .allTransactions({})
    .slice(0, 10)
    .map(({ hash }) => hash),
};
export type Known = typeof known;
process.send?.(known);

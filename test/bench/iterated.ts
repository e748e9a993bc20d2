// Reads one list in several ways, in a process of its own: `node iterated.ts <port> <page size>` prints milliseconds, elapsed and CPU.
import { generateChain } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";
import { knownIn } from "../support/requests.ts";

const [port, size] = process.argv.slice(2).map(Number);
const limit = size ?? 100;
const baseUrl = `http://127.0.0.1:${port}`;
const chain = generateChain({ seed: "delayed", blocks: 200, transactions: 20_000, accounts: 4 });
const address = knownIn(chain).accounts.reduce((most, one) => {
  const count = (of: typeof most) => chain.transactions(of, "all", {}).count;
  return count(one) > count(most) ? one : most;
});
const total = chain.transactions(address, "all", {}).count;

/** What anybody would write. */
async function loop(): Promise<number> {
  let seen = 0;
  for (let offset = 0; ; offset += limit) {
    const target = `/v1/accounts/${address}/transactions?limit=${limit}&offset=${offset}`;
    const response = await fetch(baseUrl + target, { headers: { "api-key": "key" } });
    const { results } = (await response.json()) as { results: { data: unknown[] } };
    seen += results.data.length;
    if (results.data.length < limit) return seen;
  }
}

const client = new ExplorerClient({ baseUrl, apiKey: "key" });
const iterate = (prefetch: number) => async () => {
  let seen = 0;
  for await (const _ of client.accounts.transactions(address, { limit, prefetch })) seen++;
  return seen;
};

const ways = {
  "a fetch loop": loop,
  "prefetch 0": iterate(0),
  "prefetch 4": iterate(4),
  "prefetch 8": iterate(8),
};
const rounds: Record<string, { ms: number; cpu: number }>[] = [];
// Interleaved, so that what else the machine does strikes all alike; the first round warms up.
for (let round = 0; round < 8; round++) {
  const measured: (typeof rounds)[number] = {};
  for (const [name, way] of Object.entries(ways)) {
    const [begin, used] = [performance.now(), process.cpuUsage()];
    const seen = await way();
    if (seen !== total) throw new Error(`${name} gave ${seen} of ${total} records`);
    const { user, system } = process.cpuUsage(used);
    measured[name] = { ms: performance.now() - begin, cpu: (user + system) / 1000 };
  }
  if (round) rounds.push(measured);
}
console.log(JSON.stringify({ total, rounds }));

// How many files and calls of this package the third call of a list walks through: `node test/bench/steps.ts` prints them.
import { Session } from "node:inspector/promises";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";

const root = new URL("../../src/", import.meta.url).href;

/** The files with the calls of their functions, by precise coverage; awaiting counts as another call. */
async function stepsOf(call: () => PromiseLike<unknown>): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await call();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const calls = result
    .filter(({ url }) => url.startsWith(root))
    .map(({ functions, url }): [string, number] => [
      url.slice(root.length),
      functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0),
    ]);
  return new Map(calls.filter(([, count]) => count > 0));
}

const builder = buildChain();
const [alice, bob] = [builder.account({ balance: coins(1) }), builder.account()];
builder.transfer(alice, bob, 1n);
builder.mine();
const mock = createExplorer({ chain: builder });
// The double decodes and encodes with the same models: its response is taken beforehand.
const path = `/v1/accounts/${alice}/transactions?limit=10`;
const body = await (
  await mock.fetch(mock.baseUrl + path, { headers: { "api-key": "any" } })
).text();
const explorer = new ExplorerClient({
  baseUrl: mock.baseUrl,
  apiKey: "any-key",
  fetch: async () => new Response(body, { headers: { "content-type": "application/json" } }),
});
const call = () => explorer.accounts.transactions(alice, { limit: 10 });
for (let warming = 0; warming < 2; warming++) await call();
const steps = await stepsOf(call);
for (const [file, count] of steps) console.info(`${count}`.padStart(5), file);
const calls = [...steps.values()].reduce((sum, count) => sum + count, 0);
console.log(JSON.stringify({ files: steps.size, calls }));

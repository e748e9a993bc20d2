// How many files and calls of this package the third call of a list and the third block of a
// followed node walk through: `node test/bench/steps.ts` prints them.
import { Session } from "node:inspector/promises";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { followNode } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { FakeNode } from "../support/fake-node.ts";

const root = new URL("../../", import.meta.url).href;

interface Steps {
  readonly files: number;
  /** Functions that were called. */
  readonly functions: number;
  /** How often; awaiting counts as another call. */
  readonly calls: number;
}

/**
 * What a job walks through of these folders, by precise coverage; with its files on the console.
 */
async function stepsOf(
  name: string,
  folders: RegExp,
  job: () => PromiseLike<unknown>,
): Promise<Steps> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await job();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const files = result.flatMap(({ url, functions }) => {
    const path = url.startsWith(root) ? url.slice(root.length) : "";
    const counts = functions.map(({ ranges }) => ranges[0]?.count ?? 0).filter(Boolean);
    return folders.test(path) && counts.length > 0 ? [{ path, counts }] : [];
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  for (const { path, counts } of files) console.info(`${sum(counts)}`.padStart(5), path);
  const steps = {
    files: files.length,
    functions: sum(files.map(({ counts }) => counts.length)),
    calls: sum(files.flatMap(({ counts }) => counts)),
  };
  console.info(name, steps);
  return steps;
}

/**
 * The third call of a list. The double decodes and encodes with the same models: its response is
 * taken beforehand.
 */
async function listCall(): Promise<Steps> {
  const builder = buildChain();
  const [alice, bob] = [builder.account({ balance: coins(1) }), builder.account()];
  builder.transfer(alice, bob, 1n);
  builder.mine();
  const { baseUrl, fetch } = createExplorer({ chain: builder });
  const path = `/v1/accounts/${alice}/transactions?limit=10`;
  const response = await fetch(baseUrl + path, { headers: { "api-key": "any" } });
  const body = await response.text();
  const { accounts } = new ExplorerClient({
    ...{ baseUrl, apiKey: "any-key" },
    fetch: async () => new Response(body, { headers: { "content-type": "application/json" } }),
  });
  const call = () => accounts.transactions(alice, { limit: 10 });
  for (let warming = 0; warming < 2; warming++) await call();
  return await stepsOf("list call", /^src\//, call);
}

/** The third block after those that a node had. */
async function followedBlock(): Promise<Steps> {
  const node = new FakeNode();
  const last = node.head;
  node.head = last - 3;
  const { update, close } = await followNode(node.url, { fetch: node.fetch, interval: 60_000 });
  const follow = () => {
    node.head++;
    return update();
  };
  for (let warming = 0; warming < 2; warming++) await follow();
  const steps = await stepsOf("followed block", /^(src|mocks)\//, follow);
  await close();
  return steps;
}

console.log(JSON.stringify({ listCall: await listCall(), followedBlock: await followedBlock() }));

// The packed client without Node: in workerd (Cloudflare), and bundled by Metro (React Native).
import { cpSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { type ServedExplorer, serveExplorer } from "../../mocks/node.ts";
import { type Address, ExplorerClient } from "../../src/index.ts";
import { environmentFolder, isInstalled } from "../support/environments.ts";
import { type Consumer, createConsumer } from "./consumer.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const edge = environmentFolder("edge");
const require = createRequire(edge);

/** Packing and bundling take their time on a busy machine. */
const PATIENCE = 600_000;

/** Reads a balance and a list, and names the error of a block that does not exist. */
const program = `
import { ExplorerClient, isExplorerError } from "mrc-explorer";
export async function read(baseUrl, account) {
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any" });
  const values = [];
  for await (const { value } of explorer.accounts.transactions(account, { limit: 2 })) values.push(String(value));
  const missing = await explorer.blocks.get(10n ** 6n).catch((error) => isExplorerError(error) && error.code);
  return { balance: String(await explorer.accounts.balance(account)), values, missing };
}
`;

describe.skipIf(!isInstalled(edge))("the packed client", () => {
  let project: Consumer;
  let served: ServedExplorer;
  let account: Address;
  let expected: object;

  beforeAll(async () => {
    project = createConsumer();
    project.write("read.js", program);
    const builder = buildChain();
    const alice = builder.account({ name: "alice", balance: coins(100) });
    const bob = builder.account({ name: "bob" });
    for (const amount of [1n, 2n, 3n]) {
      builder.transfer(alice, bob, amount);
      builder.mine();
    }
    served = await serveExplorer(createExplorer({ chain: builder }));
    account = bob;
    expected = { balance: "6", values: ["3", "2", "1"], missing: "NOT_FOUND" };
  }, PATIENCE);
  afterAll(async () => {
    project?.remove();
    await served?.close();
  });

  /** Bundles a worker of the project, and starts it in workerd. */
  async function startWorker(entry: string, bindings: Readonly<Record<string, string>>) {
    const outDir = join(project.folder, `of-${entry}`);
    await build({
      ...{ root: project.folder, configFile: false, logLevel: "warn" },
      build: { outDir, lib: { entry, formats: ["es"], fileName: () => "worker.js" } },
    });
    const { Miniflare } = require("miniflare");
    const runtime = new Miniflare({
      // The entry comes first.
      modules: ["worker.js", ...readdirSync(outDir).filter((name) => name !== "worker.js")].map(
        (name) => ({ type: "ESModule", path: join(outDir, name) }),
      ),
      modulesRoot: outDir,
      compatibilityDate: "2026-07-01",
      bindings,
    });
    onTestFinished(() => runtime.dispose());
    return runtime;
  }

  test(
    "runs in workerd, and needs nothing of Node there",
    async () => {
      project.write(
        "worker.js",
        `import { read } from "./read.js";
         export default {
           fetch: async (_, { URL: url, ACCOUNT }) => Response.json({ ...(await read(url, ACCOUNT)), process: typeof process }),
         };`,
      );
      const runtime = await startWorker("worker.js", { URL: served.url, ACCOUNT: account });
      const response = await runtime.dispatchFetch("http://worker.test/");
      expect(await response.json()).toEqual({ ...expected, process: "undefined" });
    },
    PATIENCE,
  );

  test(
    "is shared by requests in workerd, equal and different, at the pace of its rate limit",
    async () => {
      cpSync(`${root}examples/recipes/cloudflare.mts`, join(project.folder, "cloudflare.mts"));
      const mock = createExplorer();
      mock.faults.add({ fault: "latency", ms: 150 });
      const slow = await serveExplorer(mock);
      onTestFinished(() => slow.close());
      const runtime = await startWorker("cloudflare.mts", {
        EXPLORER_BASE_URL: slow.url,
        EXPLORER_API_KEY: "any",
      });
      const addresses = Array.from({ length: 80 }, (_, index) => {
        const number = index % 2 ? 7 : index;
        return `0x${number.toString(16).padStart(40, "0")}`;
      });
      const answers = addresses.map(async (address) => {
        const answer = await runtime.dispatchFetch(`http://worker.test/?address=${address}`);
        return answer.json();
      });
      expect(await Promise.all(answers)).toEqual(
        addresses.map((address) => ({ address, balance: "0" })),
      );
      const times = mock.journal.entries.map(({ at }) => at);
      expect(times).toHaveLength(80);
      // 50 start in any second.
      expect((times[50] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(900);
    },
    PATIENCE,
  );

  test(
    "remembers blocks, tokens and the dialect for other requests in workerd",
    async () => {
      const builder = buildChain();
      const alice = builder.account({ name: "alice", balance: coins(1) });
      const gold = builder.deployMRC20(alice, { symbol: "GLD", supply: 9n });
      gold.transfer(alice, builder.account(), 1n);
      // Only blocks that a reorganisation can no longer replace are remembered.
      builder.mine(300);
      const slow = await serveExplorer(createExplorer({ chain: builder }));
      onTestFinished(() => slow.close());
      const { timestamp } = await new ExplorerClient({
        baseUrl: slow.url,
        apiKey: "any",
      }).blocks.get(7);
      project.write(
        "remembering.js",
        `import { ExplorerClient } from "mrc-explorer";
         let clients;
         export default {
           async fetch(_, { URL: baseUrl, TOKEN, TIME }) {
             const options = { baseUrl, apiKey: async () => "any", cache: new Map(), retry: 0 };
             clients ??= [{}, { dialect: "wemix" }].map((more) => new ExplorerClient({ ...options, ...more }));
             const [explorer, wemix] = clients;
             const { block_number } = await explorer.blocks.at(TIME);
             const { data, response } = await explorer.tokens.info(TOKEN).withResponse();
             await response.text();
             const { miner } = await wemix.blocks.get(1);
             return Response.json([\`\${block_number}\`, data.symbol, miner.length]);
           },
         };`,
      );
      const bindings = { URL: slow.url, TOKEN: gold.address, TIME: timestamp.toISOString() };
      const runtime = await startWorker("remembering.js", bindings);
      const ask = async () => (await runtime.dispatchFetch("http://worker.test/")).text();
      for (let round = 0; round < 2; round++)
        expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(
          Array(20).fill('["7","GLD",42]'),
        );
    },
    PATIENCE,
  );

  test(
    "reads through the proxy in a worker, which shows the key nowhere",
    async () => {
      cpSync(`${root}examples/recipes/proxy-worker.mts`, join(project.folder, "proxy-worker.mts"));
      const key = "sk-worker-0123456789";
      const runtime = await startWorker("proxy-worker.mts", {
        EXPLORER_BASE_URL: served.url,
        EXPLORER_API_KEY: key,
      });
      const received: string[] = [];
      const explorer = new ExplorerClient({
        baseUrl: "https://worker.test/api/explorer",
        apiKey: "added-by-the-proxy",
        async fetch(url, init) {
          const { signal: _, ...rest } = init;
          const answer = await runtime.dispatchFetch(url, rest);
          const text = await answer.text();
          received.push(text, JSON.stringify([...answer.headers]));
          return new Response(text, { status: answer.status, headers: [...answer.headers] });
        },
      });
      expect(await explorer.accounts.balance(account)).toBe(6n);
      expect(await explorer.accounts.transactions(account, { limit: 2 }).collect()).toHaveLength(3);
      expect(received.join()).not.toContain(key);
      const submission = { method: "POST", body: "{}" };
      const refused = await runtime.dispatchFetch(
        `http://worker.test/api/explorer/v1/contracts/${account}/verify`,
        submission,
      );
      expect(refused.status).toBe(404);
    },
    PATIENCE,
  );

  test(
    "is bundled by Metro, and runs without Node",
    async () => {
      project.write(
        "app.js",
        'import { read } from "./read.js";\nglobalThis.done = read(globalThis.baseUrl, globalThis.account);',
      );
      project.write(
        "metro.config.cjs",
        `module.exports = {
           projectRoot: ${JSON.stringify(realpathSync(project.folder))},
           watchFolders: ${JSON.stringify([join(root, "node_modules"), join(edge, "node_modules")])},
           resolver: { unstable_conditionNames: ["react-native"], useWatchman: false, nodeModulesPaths: [${JSON.stringify(join(edge, "node_modules"))}] },
           transformer: { getTransformOptions: async () => ({ transform: { experimentalImportSupport: true } }) },
           reporter: { update() {} },
           maxWorkers: 1,
         };`,
      );
      const bundle = join(project.folder, "bundle.js");
      const metro = join(edge, "node_modules/.bin/metro");
      const ran = project.run(process.execPath, [
        ...[metro, "build", "app.js", "--config", "metro.config.cjs"],
        ...["--out", bundle, "--platform", "ios", "--dev", "false"],
      ]);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      const app = createContext({
        ...{
          baseUrl: served.url,
          account,
          fetch,
          Headers,
          Response,
          Request,
          URL,
          URLSearchParams,
        },
        ...{ AbortController, AbortSignal, TextDecoder, TextEncoder, performance, console },
        ...{ setTimeout, clearTimeout, ReadableStream, btoa },
      });
      new Script(readFileSync(bundle, "utf8")).runInContext(app);
      expect(await app.done).toEqual(expected);
    },
    PATIENCE,
  );
});

// The recipes for Node run as they stand, in a project that has the package as it is published.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { buildChain, coins, createExplorer, generateChain } from "../../mocks/index.ts";
import { type Explorer, serveExplorer } from "../../mocks/node.ts";
import { type Address, ExplorerClient, isExplorerError } from "../../src/index.ts";
import {
  bun,
  type Consumer,
  createConsumer,
  deno,
  hasRecipes,
  userEnv,
} from "../package/consumer.ts";
import { freePort } from "../support/free-port.ts";
import { hasRedis, startRedis } from "./redis.ts";

const recipes = fileURLToPath(new URL("../../examples/recipes", import.meta.url));
const key = "sk-recipe-0123456789abcdef";

const installed = hasRecipes();

let project: Consumer;
beforeAll(() => {
  project = createConsumer([
    "rate-limiter-flexible",
    "redis",
    "bullmq",
    "@opentelemetry/api",
    "@opentelemetry/sdk-trace-node",
    "express",
    "hono",
    "vite",
    "vue",
    ...["svelte", "@sveltejs/kit", "typescript"],
  ]);
  for (const name of readdirSync(recipes).filter((one) => /^vue.ts$|\.mts$/.test(one)))
    cpSync(join(recipes, name), join(project.folder, name));
});
afterAll(() => project?.remove());

/** Builds an app of SvelteKit around the recipe, in the project, and checks its types. */
function buildSvelteKit(): void {
  const route = "src/routes/api/explorer/[...path]/+server.ts";
  project.write(route, readFileSync(join(recipes, "proxy-sveltekit.ts"), "utf8"));
  project.write("src/app.html", "%sveltekit.head%%sveltekit.body%");
  project.write("vite.config.mjs", svelteKit);
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: "preserve", types: ["@sveltejs/kit"] },
    rootDirs: [".", ".svelte-kit/types"],
  };
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, include: [route] }));
  for (const words of [["vite/bin/vite.js", "build"], ["typescript/bin/tsc"]])
    expect(project.node([`node_modules/${words[0]}`, ...words.slice(1)])).toMatchObject({
      code: 0,
    });
}

const svelteKit = `import { sveltekit } from "@sveltejs/kit/vite";
  export default { plugins: [sveltekit()], preview: { host: "127.0.0.1", port: Number(process.env.PORT) } };`;

/** Serves an explorer on a port until the test ends. */
async function serve(mock: Explorer): Promise<string> {
  const served = await serveExplorer(mock);
  onTestFinished(() => served.close());
  return served.url;
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Starts a recipe, which ends with the test at the latest. */
function start(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  runtime: string = process.execPath,
): ChildProcess {
  const quiet = runtime === process.execPath ? ["--disable-warning=ExperimentalWarning"] : [];
  const child = spawn(runtime, [...quiet, ...words], {
    cwd: project.folder,
    env: { ...userEnv, EXPLORER_API_KEY: key, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

/** Runs a recipe to its end, and returns what it prints. */
async function run(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = start(words, env);
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error("the recipe has no output");
  const [printed, complaints, [code]] = await Promise.all([
    text(stdout),
    text(stderr),
    once(child, "exit"),
  ]);
  expect([code, complaints]).toEqual([0, ""]);
  return printed;
}

describe("syncing into SQLite", () => {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(100) });
  const bob = builder.account({ name: "bob", balance: coins(100) });
  const gold = builder.deployMRC20(alice, {
    name: "Gold",
    symbol: "GLD",
    decimals: 2,
    supply: 999n,
  });
  builder.mine();
  const pay = (blocks: number) => {
    for (let count = 0; count < blocks; count++) {
      builder.transfer(alice, bob, BigInt(count + 1));
      if (count % 3 === 0) gold.transfer(alice, bob, 1n);
      builder.mine();
    }
  };
  pay(150);
  const mock = createExplorer({ chain: builder, apiKeys: [key] });
  const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: key, fetch: mock.fetch });
  const file = () => join(project.folder, "sync.db");

  const stored = () => {
    const db = new DatabaseSync(file(), { readOnly: true });
    const rows = db.prepare("SELECT kind, hash, block, value FROM records").all();
    db.close();
    return rows.map(({ kind, hash, block, value }) => `${kind} ${hash} ${block} ${value}`).sort();
  };
  const onChain = async () => {
    const [transactions, transfers] = await Promise.all([
      explorer.accounts.transactions(bob).collect(),
      explorer.accounts.mrc20Transfers(bob).collect(),
    ]);
    const lineOf = (kind: string) => (record: (typeof transfers)[0] | (typeof transactions)[0]) =>
      `${kind} ${record.transaction_hash} ${record.block_number} ${record.value}`;
    return [
      ...transactions.map(lineOf("transactions")),
      ...transfers.map(lineOf("mrc20Transfers")),
    ].sort();
  };
  const sync = async () => {
    mock.journal.clear();
    return run(["sync.mts", bob, file()], { EXPLORER_BASE_URL: await serve(mock) });
  };
  const kinds = ["transactions", "mrc20Transfers"] as const;
  const blockOf = (row: string) => Number(row.split(" ")[2]);
  const newest = (kind: string, rows: readonly string[]) =>
    Math.max(...rows.filter((row) => row.startsWith(kind)).map(blockOf));

  test("stores everything, then only what is new, and repairs what a reorganisation replaced", async () => {
    expect(await sync()).toBe(
      "transactions: 150 since block 0\nmrc20Transfers: 50 since block 0\n",
    );
    expect(stored()).toEqual(await onChain());

    const since = Object.fromEntries(kinds.map((kind) => [kind, newest(kind, stored()) - 127]));
    pay(5);
    const printed = await sync();
    const rows = await onChain();
    expect(stored()).toEqual(rows);
    const lines = kinds.map((kind) => {
      const read = rows.filter(
        (row) => row.startsWith(kind) && blockOf(row) >= Number(since[kind]),
      );
      return `${kind}: ${read.length} since block ${since[kind]}\n`;
    });
    expect(printed).toBe(lines.join(""));
    const { transactions = 0 } = since;
    expect(transactions).toBeGreaterThan(0);
    mock.journal.expect("accounts.transactions", { startBlock: BigInt(transactions) });

    const lost = builder.transfer(alice, bob, 77n);
    builder.mine();
    await sync();
    expect(stored().join()).toContain(lost.hash);
    builder.reorg(3, { drop: [lost] });
    await sync();
    expect(stored().join()).not.toContain(lost.hash);
    expect(stored()).toEqual(await onChain());
  });

  test("changes nothing if it is killed, and the next run makes up for it", async () => {
    const before = stored();
    pay(4);
    const url = await serve(mock);
    mock.journal.clear();
    mock.faults.add({ fault: "never", operation: "accounts.mrc20Transfers" });
    const child = start(["sync.mts", bob, file()], { EXPLORER_BASE_URL: url });
    const ended = once(child, "exit");
    await expect.poll(() => mock.journal.count("accounts.mrc20Transfers")).toBe(1);
    child.kill("SIGKILL");
    await ended;
    mock.faults.clear();
    // The list that was complete is stored, the one that was not is as it was.
    const kept = (rows: readonly string[]) =>
      rows.filter((row) => row.startsWith("mrc20Transfers"));
    expect(kept(stored())).toEqual(kept(before));
    await sync();
    expect(stored()).toEqual(await onChain());
  });
});

/** The recipes that are servers: the runtime with its words, if it is here, and how to build one. */
type Server = readonly [string, string | undefined, readonly string[], () => void];
const notBuilt = () => {};
const ifInstalled = installed ? process.execPath : undefined;
const servers: readonly Server[] = [
  ["Node", process.execPath, ["proxy.mts"], notBuilt],
  ["Express", ifInstalled, ["proxy-express.mts"], notBuilt],
  ["SvelteKit", ifInstalled, ["node_modules/vite/bin/vite.js", "preview"], buildSvelteKit],
  ["Hono on Bun", installed ? bun : undefined, ["run", "proxy-hono.mts"], notBuilt],
  ["Bun", bun, ["run", "proxy-serve.mts"], notBuilt],
  [
    "Deno",
    deno,
    ["serve", "--allow-env", "--allow-net", "--allow-read", "--node-modules-dir=manual"],
    notBuilt,
  ],
];

describe.each(servers)("a proxy that adds the API key, on %s", (_, runtime, words, build) => {
  const builder = buildChain();
  const alice: Address = builder.account({ name: "alice", balance: coins(3) });
  builder.mine();

  /** The proxy before a service, and everything that browsers receive from it. */
  async function startProxy(service: string) {
    const port = `${await freePort()}`;
    const own =
      words[0] === "serve" ? ["--host", "127.0.0.1", "--port", port, "proxy-serve.mts"] : [];
    start([...words, ...own], { EXPLORER_BASE_URL: service, PORT: port }, runtime);
    const url = `http://127.0.0.1:${port}`;
    const isUp = () =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(isUp, { timeout: 60_000 }).toBe(404);
    const received: string[] = [];
    const fetching: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      received.push(JSON.stringify([...response.headers]), await response.clone().text());
      return response;
    };
    const explorer = new ExplorerClient({
      baseUrl: `${url}/api/explorer`,
      apiKey: "added-by-the-proxy",
      fetch: fetching,
      retry: 0,
    });
    return { url, explorer, received };
  }

  test.skipIf(runtime === undefined)(
    "answers like the explorer, shows the key nowhere, and passes on what reads only",
    async () => {
      build();
      const mock = createExplorer({ chain: builder, apiKeys: [key] });
      const { explorer, received, url } = await startProxy(await serve(mock));
      expect(await explorer.accounts.balance(alice)).toBe(coins(3));
      expect((await explorer.blocks.get(0)).block_number).toBe(0n);
      expect(await explorer.accounts.transactions(alice).collect()).toEqual([]);
      await expect(explorer.blocks.get(99)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(explorer.contracts.abi(alice)).rejects.toMatchObject({ code: "NOT_VERIFIED" });
      mock.faults.add({ fault: "rate-limit", retryAfter: 7, once: true });
      const limited = await explorer.blocks.get(0).catch((error: unknown) => error);
      expect(isExplorerError(limited, "RATE_LIMIT") && limited.retryAfter).toBe(7_000);
      expect(received.length).toBeGreaterThan(8);
      expect(received.join()).not.toContain(key);

      // The explorer would still be limited.
      mock.reset();
      const json = { body: "{}", headers: { "content-type": "application/json" } };
      const ask = async (method: string, path: string) =>
        (await fetch(`${url}${path}`, { method, ...(method === "POST" && json) })).status;
      expect(await ask("POST", `/api/explorer/v1/contracts/${alice}/verify`)).toBe(404);
      expect(await ask("GET", "/api/explorer/health")).toBe(404);
      expect(await ask("GET", "/api/explorer/v1/../health")).toBe(404);
      expect(await ask("GET", "/elsewhere")).toBe(404);
      expect(mock.journal.count()).toBe(0);
      expect(await ask("GET", "/api/explorer/v1/blocks/0")).toBe(200);
    },
    120_000,
  );
});

test("Vite's server adds the key to a page's requests, and shows it nowhere", async () => {
  const mock = createExplorer({ apiKeys: [key] });
  const port = `${await freePort()}`;
  const vite = ["node_modules/vite/bin/vite.js", "--config", "proxy-vite.config.mts"];
  const env = { EXPLORER_BASE_URL: await serve(mock) };
  start([...vite, "--port", port, "--strictPort", "--host", "127.0.0.1"], env);
  const url = `http://127.0.0.1:${port}/api/explorer`;
  const ask = () => fetch(`${url}/v1/blocks/0`, { headers: { "api-key": "any" } });
  await vi.waitFor(ask, { timeout: 60_000, interval: 100 });
  const explorer = new ExplorerClient({ baseUrl: url, apiKey: "added-by-the-proxy", retry: 0 });
  const account = "0x00000000000000000000000000000000000000ff";
  expect(await explorer.accounts.balance(account)).toBe(0n);
  const { data, response } = await explorer.blocks.get(0).withResponse();
  expect(data.block_number).toBe(0n);
  expect(JSON.stringify([...response.headers]) + (await response.text())).not.toContain(key);
});

test.skipIf(!installed)(
  "a Vue component shows new transactions until it is unmounted",
  async () => {
    project.write(
      "vue-program.mts",
      `import { ExplorerClient } from "mrc-explorer";
     import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";
     import { effectScope, reactive } from "vue";
     import { useNewTransactions } from "./vue.ts";
     const builder = buildChain();
     const alice = builder.account({ name: "alice", balance: coins(10) });
     const bob = builder.account({ name: "bob" });
     const mock = createExplorer({ chain: builder });
     const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch, retry: 0 });
     const until = async (isReached: () => boolean) => {
       while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 1));
     };
     const polls = () => mock.journal.count("accounts.transactions");
     const component = effectScope();
     const { records, error } = component.run(() => useNewTransactions(explorer, bob, 1))!;
     // The watch has begun: records before its first poll are not new.
     await until(() => polls() > 3);
     const outage = mock.faults.add({ fault: "status", status: 503 });
     await until(() => error.value !== undefined);
     outage.remove();
     for (const amount of [1n, 2n]) {
       builder.transfer(alice, bob, amount);
       builder.mine();
       await until(() => records.value[0]?.value === amount);
     }
     console.log(records.value.length, error.value);
     component.stop();
     await new Promise((resolve) => setTimeout(resolve, 20));
     const before = polls();
     await new Promise((resolve) => setTimeout(resolve, 100));
     console.log(polls() - before);
     await (async () => reactive(explorer).blocks.get(0))().catch(({ name }) => console.log(name));\n`,
    );
    const child = start(["vue-program.mts"], {});
    const [printed] = await Promise.all([text(child.stdout ?? process.stdin), once(child, "exit")]);
    expect(printed).toBe("2 undefined\n0\nTypeError\n");
  },
);

test.skipIf(!hasRedis || !installed)(
  "workers that share a key stay within its limit together",
  async () => {
    const builder = buildChain();
    builder.mine(180);
    const mock = createExplorer({ chain: builder, apiKeys: [key] });
    const { url: redis, stop } = await startRedis(project.folder);
    const env = { EXPLORER_BASE_URL: await serve(mock), REDIS_URL: redis };
    const workers = [1, 61, 121].map((first) =>
      run(["workers.mts", `${first}`, `${first + 59}`], env),
    );
    const printed = await Promise.all(workers);
    await stop();
    expect(printed.map((line) => line.split(",")[0])).toEqual(Array(3).fill("60 blocks"));

    // 180 requests at 50 per second begin a fourth second, whoever sends them; each worker alone
    // would need two.
    const times = mock.journal.find("blocks.get").map(({ at }) => Number(new Date(at)));
    expect(times).toHaveLength(180);
    const [first = 0, last = 0] = [Math.min(...times), Math.max(...times)];
    expect(last - first).toBeGreaterThan(2_000);
  },
);

/** An account with many transactions, and their hashes. */
function busyAccount(transactions: number) {
  const options = { seed: "export", blocks: 5_000, transactions, accounts: 2, tokens: 0 };
  const chain = generateChain(options);
  const hashes = new Map<Address, string[]>();
  for (let number = 0; number <= chain.head.number; number++)
    for (const { transaction } of chain.blockInput(number)?.executions ?? []) {
      const { from, hash, to } = transaction;
      for (const one of new Set([from, to])) {
        const known = one && hashes.get(one);
        if (known) known.push(hash);
        else if (one) hashes.set(one, [hash]);
      }
    }
  const [busiest] = [...hashes].sort(([, one], [, other]) => other.length - one.length);
  if (!busiest) throw new Error("the chain has no transactions");
  return { chain, address: busiest[0], hashes: busiest[1] };
}

test.skipIf(!hasRedis || !installed)(
  "three workers export 20,000 transactions without a gap or repetition, though one of them is killed",
  async () => {
    const { address, chain, hashes } = busyAccount(26_000);
    expect(hashes.length).toBeGreaterThan(20_000);
    const mock = createExplorer({ chain, apiKeys: [key] });
    const { url: redis, stop } = await startRedis(project.folder);
    const env = { EXPLORER_BASE_URL: await serve(mock), REDIS_URL: redis };
    const workers = [1, 2, 3].map(() => start(["export.mts", "work"], env));
    const exported = run(["export.mts", "start", address, "6"], env);
    const sizeOf = (part: number) =>
      statSync(join(project.folder, `${address}.${part}.jsonl`), { throwIfNoEntry: false })?.size ??
      0;
    // Each of the workers is within a part.
    await expect.poll(() => [0, 1, 2].every((part) => sizeOf(part) > 0)).toBe(true);
    workers[0]?.kill("SIGKILL");
    await exported;
    const rest = workers.slice(1).map((worker) => once(worker, "exit"));
    for (const worker of workers.slice(1)) worker.kill("SIGTERM");
    expect((await Promise.all(rest)).map(([code]) => code)).toEqual([0, 0]);
    await stop();

    const lines = readFileSync(join(project.folder, `${address}.jsonl`), "utf8")
      .trimEnd()
      .split("\n");
    const got = lines.map((line): string => JSON.parse(line).transaction_hash);
    expect(got.length).toBe(hashes.length);
    expect(got.sort()).toEqual(hashes.sort());
  },
);

test.skipIf(!installed)("what the recipes import besides fits their types", () => {
  const tsc = fileURLToPath(new URL("../../node_modules/typescript-7/bin/tsc", import.meta.url));
  const ran = spawnSync(process.execPath, [tsc, "-p", recipes], { encoding: "utf8" });
  expect(ran.stdout + ran.stderr).toBe("");
});

test.skipIf(!installed)(
  "OpenTelemetry has a span for each request, within the one that is active",
  async () => {
    const builder = buildChain();
    builder.mine(2);
    const mock = createExplorer({ chain: builder, apiKeys: [key] });
    mock.faults.add({ preset: "503 twice" });
    const printed = await run(["tracing.mts"], { EXPLORER_BASE_URL: await serve(mock) });
    expect(printed).toContain("block 1\n");
    expect(printed).toContain("no such block\n");
    expect(printed).not.toContain(key);
    /** The spans as the console exporter prints them, in the order of their ends. */
    const spans = printed.split(/^(?=\{$)/m).filter((part) => part.startsWith("{"));
    const [busy = "", , found = "", missing = "", whole = ""] = spans;
    expect(spans).toHaveLength(5);
    expect(whole).toContain("name: 'show a block'");
    const parent = whole.match(/^ {2}id: '(\w+)'/m)?.[1];
    expect(parent).toMatch(/^\w{16}$/);
    for (const span of [busy, found, missing]) {
      expect(span).toContain("name: 'blocks.get'");
      expect(span).toContain("'explorer.operation': 'B1'");
      expect(span).toContain(`spanId: '${parent}'`);
    }
    for (const [span, status, attempt, code] of [
      [busy, 503, 0, 2],
      [found, 200, 2, 0],
      [missing, 404, 0, 2],
    ] as const) {
      expect(span).toContain(`'http.response.status_code': ${status}`);
      expect(span).toContain(`'http.request.resend_count': ${attempt}`);
      expect(span).toMatch(new RegExp(`status: \\{\\s*code: ${code}`));
    }
    // The explorer's own spans would continue the trace.
    expect(mock.journal.count("blocks.get")).toBe(4);
  },
);

// The packed package in others' runtimes, test runners and bundlers: installed into a project that `npm init` would make.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Consumer, createConsumer, hasTools, tools, userEnv } from "./consumer.ts";

/** Packing and bundling take their time on a busy machine. */
const PATIENCE = 600_000;

/** Asks a double in memory for a payment. */
const program = (imports: string, check: string): string => `${imports}
const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
const bob = builder.account({ name: "bob" });
builder.transfer(alice, bob, coins(1));
builder.mine();
const mock = createExplorer({ chain: builder });
const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
${check}
`;
const imports = `import { ExplorerClient } from "mrc-explorer";
import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";`;
const required = `const { ExplorerClient } = require("mrc-explorer");
const { buildChain, coins, createExplorer } = require("mrc-explorer/mocks");`;
const printed =
  "explorer.accounts.balance(bob).then((balance) => console.log(String(balance === coins(1))));";
const tested = (equal: string) =>
  `test("pays", async () => { ${equal.replace("VALUE", "await explorer.accounts.balance(bob)")}; });`;

let project: Consumer;
beforeAll(() => {
  const installed = ["vitest", "vite", "webpack", "@types/node"];
  project = createConsumer(installed, [], "npm init");
  project.write("program.mjs", program(imports, printed));
  project.write("program.cjs", program(required, printed));
}, PATIENCE);
afterAll(() => project?.remove());

const succeeds = { code: 0, stdout: "true\n" };

describe("tests run by", () => {
  test(
    "vitest",
    () => {
      const test = 'import { expect, test } from "vitest";\n';
      project.write(
        "pays.vitest.mts",
        test + program(imports, tested("expect(VALUE).toBe(coins(1))")),
      );
      project.write("vitest.config.mts", 'export default { test: { include: ["*.vitest.mts"] } };');
      const ran = project.bin("vitest", ["run"]);
      expect(ran.stdout + ran.stderr).toContain("1 passed");
      expect(ran.code).toBe(0);
    },
    PATIENCE,
  );

  test("node:test", () => {
    const test = 'import assert from "node:assert";\nimport { test } from "node:test";\n';
    project.write(
      "pays.node.mjs",
      test + program(imports, tested("assert.equal(VALUE, coins(1))")),
    );
    const ran = project.node(["--test", "--test-reporter=tap", "pays.node.mjs"]);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("# pass 1") });
  });
});

describe("bundled by", () => {
  test(
    "Vite, for browsers, it needs nothing of Node",
    () => {
      project.write(
        "vite.config.mjs",
        `export default { logLevel: "warn", build: { outDir: "vite-out", target: "es2022",
           lib: { entry: "program.mjs", formats: ["es"], fileName: () => "bundle.mjs" } } };`,
      );
      expect(project.bin("vite", ["build"])).toMatchObject({ code: 0, stderr: "" });
      expect(readdirSync(join(project.folder, "vite-out"))).toContain("bundle.mjs");
      expect(project.node(["vite-out/bundle.mjs"])).toMatchObject(succeeds);
    },
    PATIENCE,
  );

  test.skipIf(!hasTools).each(["program.mjs", "program.cjs"])(
    "webpack, for browsers, from %s",
    (entry) => {
      project.write(
        "build.cjs",
        `const webpack = require("webpack");
         webpack({ mode: "none", performance: false, target: ["web", "es2022"], entry: "./${entry}",
           output: { path: __dirname + "/webpack-out", filename: "bundle.cjs", chunkLoading: false, asyncChunks: false },
         }, (error, stats) => {
           if (error || stats.hasErrors() || stats.hasWarnings()) { console.error(error ?? stats.toString()); process.exit(1); }
         });`,
      );
      expect(project.node(["build.cjs"])).toMatchObject({ code: 0, stderr: "" });
      expect(project.node(["webpack-out/bundle.cjs"])).toMatchObject(succeeds);
    },
    PATIENCE,
  );
});

/** The binary of a runtime, where npm has one for this machine. */
function binary(scope: string, name: string): string | undefined {
  const folder = join(tools, scope);
  const platforms = existsSync(folder) ? readdirSync(folder) : [];
  return platforms
    .flatMap((platform) => [join(folder, platform, name), join(folder, platform, "bin", name)])
    .find((path) => existsSync(path));
}

describe.each([
  ["Bun", binary("@oven", "bun"), ["run"]],
  ["Deno", binary("@deno", "deno"), ["run", "--allow-all", "--node-modules-dir=manual"]],
] as const)("run by %s", (_, runtime, words) => {
  test.skipIf(runtime === undefined)(
    "it asks a double in memory and on a port",
    () => {
      project.write(
        "served.mjs",
        `import { ExplorerClient } from "mrc-explorer";
         import { createExplorer, loadDemo, serveExplorer } from "mrc-explorer/mocks/node";
         const served = await serveExplorer(createExplorer({ chain: await loadDemo() }));
         const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any" });
         console.log(String((await explorer.blocks.get(1)).block_number === 1n));
         await served.close();`,
      );
      for (const file of ["program.mjs", "served.mjs"])
        expect(project.run(runtime ?? "", [...words, file])).toMatchObject(succeeds);
    },
    PATIENCE,
  );
});

test(
  "a service that npx started ends when npx is killed",
  async () => {
    const npx = spawn("npx", ["--no-install", "mrc-explorer", "serve", "--port", "0"], {
      cwd: project.folder,
      env: userEnv,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line = ""] = (await once(createInterface(npx.stdout), "line")) as [string];
    const health = `${line.slice(line.indexOf("http"))}/health`;
    expect((await fetch(health)).status).toBe(200);
    npx.kill("SIGKILL");
    const answers = () =>
      fetch(health).then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(false);
  },
  PATIENCE,
);

// The packed package in Bun and Deno, and run by npx, in a project as `npm init` makes it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/project.ts";
import { bun, type Consumer, createConsumer, deno, userEnv } from "./consumer.ts";
import { packed } from "./packed.ts";

/** Packing takes its time on a busy machine. */
const PATIENCE = 600_000;

/** Asks a double in memory for a payment. */
const program = `import { ExplorerClient } from "mrc-explorer";
import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";
const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
const bob = builder.account({ name: "bob" });
builder.transfer(alice, bob, coins(1));
builder.mine();
const mock = createExplorer({ chain: builder });
const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
explorer.accounts.balance(bob).then((balance) => console.log(String(balance === coins(1))));
`;

let project: Consumer;
beforeAll(() => {
  project = createConsumer([], [], "npm init");
  project.write("program.mjs", program);
}, PATIENCE);
afterAll(() => project?.remove());

const succeeds = { code: 0, stdout: "true\n" };

describe.each([
  ["Bun", bun, ["run"]],
  ["Deno", deno, ["run", "--allow-all", "--node-modules-dir=manual"]],
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
  "npx runs the tools for agents in an empty folder, as docs/cli.md says",
  async () => {
    const client = new Client({ name: "test", version: "1" });
    const cwd = temporaryFolder("npx-mcp", onTestFinished);
    const args = ["-y", "--package", packed(), "mrc-explorer", "mcp", "--demo"];
    const env = userEnv as Record<string, string>;
    await client.connect(new StdioClientTransport({ command: "npx", args, cwd, env }));
    onTestFinished(() => client.close());
    const { content, isError } = await client.callTool({ name: "blocks_latest", arguments: {} });
    expect([isError, JSON.stringify(content)]).toEqual([
      undefined,
      expect.stringContaining("block_number"),
    ]);
  },
  PATIENCE,
);

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

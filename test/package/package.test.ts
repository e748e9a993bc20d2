// The package as users get it: packed, installed into a project, imported, and run as the README
// says.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { type Consumer, createConsumer, served } from "./consumer.ts";
import { oldestNode } from "./oldest-node.ts";

/** Building and packing takes its time on a busy machine. */
const PATIENCE = 600_000;

/** The programs of the README, by the file name in their first line. */
const programs = new Map(
  [
    ...packageFile("README.md")
      .read()
      .matchAll(/```ts\n\/\/ (\S+)\n([^`]*(?:`(?!``)[^`]*)*)```/g),
  ].map(([, name = "", text = ""]) => [name, text]),
);

let project: Consumer;
beforeAll(() => {
  project = createConsumer(["viem", "vitest"], [], "npm init");
  for (const [name, text] of programs) project.write(name, text);
}, PATIENCE);
afterAll(() => project?.remove());

describe("the packed package", () => {
  test("is imported as ESM, every name of every entry point in Node", () => {
    project.write(
      "names.mjs",
      `for (const entry of ["mrc-explorer", "mrc-explorer/tanstack", "mrc-explorer/proxy", "mrc-explorer/mocks", "mrc-explorer/mocks/node", "mrc-explorer/mocks/msw"])
         console.log(entry, typeof Object.values(await import(entry))[0], Object.keys(await import(entry)).length > (/tanstack|proxy/.test(entry) ? 0 : 5));`,
    );
    expect(project.node(["names.mjs"])).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^(mrc-explorer\S* (function|object) true\n){6}$/),
    });
  });

  test("is required from CommonJS, with the same names", () => {
    project.write(
      "names.cjs",
      `const assert = require("node:assert");
       (async () => {
         for (const entry of ["mrc-explorer", "mrc-explorer/tanstack", "mrc-explorer/mocks", "mrc-explorer/mocks/node", "mrc-explorer/mocks/msw"])
           assert.deepEqual(Object.keys(require(entry)).sort(), Object.keys(await import(entry)).filter((name) => name !== "default" && name !== "module.exports").sort());
         const { createExplorer, loadDemo } = require("mrc-explorer/mocks/node");
         const { ExplorerClient } = require("mrc-explorer");
         const mock = createExplorer({ chain: await loadDemo() });
         const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
         console.log((await explorer.blocks.get(1)).block_number);
       })();`,
    );
    expect(project.node(["names.cjs"])).toMatchObject({ code: 0, stderr: "", stdout: "1n\n" });
  });

  test("brings a command line that knows its version, serves and asks", async () => {
    const { version } = JSON.parse(packageFile("package.json").read());
    expect(project.bin("mrc-explorer", ["--version"]).stdout).toBe(`${version}\n`);
    await served(project, [], (url) => {
      const env = { EXPLORER_BASE_URL: url, EXPLORER_API_KEY: "any" };
      const query = project.bin("mrc-explorer", ["blocks", "get", "1", "--format", "ndjson"], env);
      expect(query).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.parse(query.stdout)).toMatchObject({ block_number: "1" });
    });
  });
});

describe("without msw", () => {
  let bare: Consumer;
  beforeAll(() => {
    bare = createConsumer([], ["msw"]);
  }, PATIENCE);
  afterAll(() => bare?.remove());

  test("a double on a port and in place runs", () => {
    bare.write(
      "bare.mjs",
      `import { createExplorer } from "mrc-explorer/mocks";
       import { serveExplorer } from "mrc-explorer/mocks/node";
       const mock = createExplorer();
       const served = await serveExplorer(mock);
       const ask = async (fetch, base) => (await fetch(base + "/v1/blocks/0", { headers: { "api-key": "any" } })).status;
       console.log(await ask(mock.fetch, mock.baseUrl), await ask(fetch, served.url));
       await served.close();`,
    );
    expect(bare.node(["bare.mjs"])).toMatchObject({ code: 0, stderr: "", stdout: "200 200\n" });
  });

  test("serve and client speak the dialect of another explorer", async () => {
    const program = `import { ExplorerClient } from "mrc-explorer";
       const [baseUrl] = process.argv.slice(2);
       const path = "/v1/accounts/0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266/token-transfer/erc20";
       const { results } = await (await fetch(baseUrl + path + "?start_block=1&end_block=99")).json();
       const explorer = new ExplorerClient({ baseUrl, dialect: "wemix" });
       const ours = await explorer.accounts.mrc20Transfers(path.split("/")[3], { startBlock: 1n, endBlock: 99n });
       console.log(results.data.length > 0 && results.count === String(ours.count));
       const wrong = new ExplorerClient({ baseUrl, apiKey: "k" });
       console.log(await wrong.accounts.mrc20Transfers(path.split("/")[3]).catch(({ code }) => code));`;
    bare.write("wemix.mjs", program);
    await served(bare, ["--dialect", "wemix"], (url) =>
      expect(bare.node(["wemix.mjs", url])).toMatchObject({
        code: 0,
        stderr: "",
        stdout: "true\nNOT_FOUND\n",
      }),
    );
  });

  test("what needs it says so", () => {
    const ran = bare.node(["--input-type=module", "-e", 'import "mrc-explorer/mocks/msw"']);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("package 'msw'")]);
  });
});

describe("the README", () => {
  test("has a test of a user, which passes", { timeout: PATIENCE }, () => {
    const tested = project.bin("vitest", ["run", "wallet.test.mts"]);
    expect(tested.stdout + tested.stderr).toContain("1 passed");
  });

  test(
    "has programs that print on the oldest supported Node what the README shows",
    async ({ skip }) => {
      const node = oldestNode() ?? skip("npm could not install it");
      const [, shown = ""] =
        /^```text\n(.*coins[\s\S]*?)^…/m.exec(packageFile("README.md").read()) ?? [];
      expect(shown.split("\n").length).toBe(3);
      await served(project, [], (url) => {
        const env = { EXPLORER_BASE_URL: url, EXPLORER_API_KEY: "any" };
        const run = (name: string) => project.run(node, ["--experimental-strip-types", name], env);
        expect(run("account.mts")).toMatchObject({ code: 0 });
        expect(run("account.mts").stdout.startsWith(shown)).toBe(true);
        expect(run("fees.mts")).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(
            / paid \d+ in fees\n\d+ of the \d+ token senders hold coins\n$/,
          ),
        });
        expect(run("names.cjs")).toMatchObject({ code: 0, stdout: "1n\n" });
      });
    },
    PATIENCE,
  );
});

// The packed package with each major version of MSW in its peer range: the same tests of a user
// under node:test.
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createProject } from "../support/project.ts";
import { type Consumer, createConsumer, hasTools, userEnv } from "./consumer.ts";
import { packed } from "./packed.ts";

const imports = `import assert from "node:assert/strict";
import { createServer } from "node:http";
import * as hooks from "node:test";
import { http, HttpResponse } from "msw";
import { ExplorerClient } from "mrc-explorer";
import { buildChain, coins, createExplorer, setupExplorer } from "mrc-explorer/mocks/msw";
const { test } = hooks;
const baseUrl = "https://explorer.example:8443/path";
const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
for (const _ of [1, 2, 3]) builder.mine();
const mock = createExplorer({ baseUrl, chain: builder, conformance: "throw" });
const explorer = new ExplorerClient({ baseUrl, apiKey: "any", retry: 0 });
/** A server of the test's own on this machine, which nothing intercepts. */
async function local() {
  const server = createServer((_, response) => response.end("local")).listen(0, "127.0.0.1");
  hooks.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return "http://127.0.0.1:" + server.address().port;
}
`;

const ofATestFile = `${imports}
const { server, isolated } = setupExplorer(mock, { hooks });

test("the global fetch reaches the mock server", async () => {
  assert.equal(await explorer.accounts.balance(alice), coins(10));
  const statusOf = async (path, init) => (await fetch(baseUrl + path, { headers: { "api-key": "k" }, ...init })).status;
  assert.equal(await statusOf("/v1/blocks/0?unknown=1"), 200);
  assert.equal(await statusOf("/v1/nothing"), 404);
  assert.equal(await statusOf("/v1/blocks/0", { method: "POST" }), 405);
  assert.equal(mock.journal.count(), 4);
});
test("an override answers, for one test", async () => {
  server.use(http.post(baseUrl + "/v1/accounts/balance", () => HttpResponse.json({ status: "503", message: "down", results: null }, { status: 503 })));
  await assert.rejects(explorer.accounts.balance(alice), { code: "SERVER" });
  assert.equal(mock.journal.count(), 0);
});
test("the test after it has the mock server's own response, and an empty journal", async () => {
  assert.equal(mock.journal.count(), 0);
  assert.equal(await explorer.accounts.balance(alice), coins(10));
});
test("a fault is deliberate: it is no violation of the contract", async () => {
  mock.faults.add({ fault: "field", path: "data.*.balance", value: [], once: true });
  await assert.rejects(explorer.accounts.balance(alice), { code: "RESPONSE_VALIDATION" });
  mock.faults.add({ fault: "reset", once: true });
  await assert.rejects(explorer.accounts.balance(alice), { code: "CONNECTION" });
});
hooks.describe("isolated tests have chains and journals of their own", { concurrency: 8 }, () => {
  for (let index = 0; index < 16; index++) {
    const client = new ExplorerClient({ baseUrl, apiKey: "any", retry: 0 });
    const depth = index % 4;
    const asks = async (head) => {
      for (let round = 0; round < 5; round++) {
        assert.equal((await client.blocks.get(head)).block_number, BigInt(head));
        await assert.rejects(client.blocks.get(head + 1), { code: "NOT_FOUND" });
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    // The first of four is not isolated: its connections are there for the others to take.
    test("chain " + index, depth === 0 ? () => asks(3) : isolated(async (mine) => {
      mine.chain.rewind(depth);
      await asks(3 - depth);
      assert.equal(mine.journal.count(), 10);
    }));
  }
});
test("requests to other machines fail, those to this one pass", async () => {
  await assert.rejects(fetch("https://elsewhere.example/"), TypeError);
  assert.equal(await (await fetch(await local())).text(), "local");
});
`;

/** Each version has its own name for it; both are taken. */
const unhandled = `${imports}
const unhandled = [];
setupExplorer(mock, {
  hooks,
  onUnhandledFrame: ({ frame }) => void unhandled.push(frame.data.request.url),
  onUnhandledRequest: (request) => void unhandled.push(request.url),
});
test("a test's own way with unhandled requests is asked", async () => {
  const url = await local();
  assert.equal(await (await fetch(url + "/unhandled")).text(), "local");
  assert.deepEqual(unhandled, [url + "/unhandled"]);
});
`;

/** Before 2.2, MSW had no boundaries. */
const beforeBoundaries = `${imports}
const { isolated } = setupExplorer(mock, { hooks });
test("the global fetch reaches the mock server", async () => {
  assert.equal(await explorer.accounts.balance(alice), coins(10));
});
test("isolated names the version it needs", async () => {
  await assert.rejects(isolated(() => {})(), /isolated needs MSW 2.2 or later/);
});
`;

describe.each([
  ["msw 3", "msw"],
  ["msw 2", "msw=msw-2"],
  ["msw 2.0", "msw=msw-2.0"],
])("beside %s", (_, msw) => {
  let project: Consumer;
  beforeAll(() => {
    project = createConsumer([msw], [], "npm init");
    project.write("file.test.mjs", ofATestFile);
    project.write("unhandled.test.mjs", unhandled);
    project.write("oldest.test.mjs", beforeBoundaries);
  });
  afterAll(() => project?.remove());

  const files = { "file.test.mjs": 21, "unhandled.test.mjs": 1 };
  test
    .skipIf(!hasTools && msw !== "msw")
    .each(Object.entries(msw.endsWith("2.0") ? { "oldest.test.mjs": 2 } : files))(
    "%s passes",
    (file, count) => {
      const ran = project.node(["--test", "--test-reporter=tap", file]);
      expect(ran.stdout).toContain(`# pass ${count}\n`);
      expect(ran.code).toBe(0);
    },
  );
});

// With msw 3 `npm ci` installs it here.
test("npm installs the package where a project has msw 2", () => {
  const project = createProject("msw-2");
  onTestFinished(project.remove);
  const dependencies = { "mrc-explorer": `file:${packed()}`, msw: "2" };
  project.write("package.json", JSON.stringify({ private: true, dependencies }));
  const words = ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status: code, stderr } = spawnSync("npm", words, {
    cwd: project.folder,
    env: userEnv,
    encoding: "utf8",
  });
  expect({ code, conflict: /ERESOLVE.*/.exec(stderr)?.[0] }).toEqual({ code: 0 });
});

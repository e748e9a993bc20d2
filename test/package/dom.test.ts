// The packed mock in the DOM environments of component tests: axios, fetch and the client through
// MSW 3, from a page of another origin.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Consumer, createConsumer, hasTools } from "./consumer.ts";

/** Packing, and the start of each runner, on a busy machine. */
const PATIENCE = 600_000;

const body = `
const address = "0x" + "ab".repeat(20);
const headers = { "API-Key": "k" };
const mock = createExplorer({ baseUrl: "https://explorer.example" });
setupExplorer(mock, { hooks, strict: true });
const block = mock.baseUrl + "/v1/blocks/0";

test("axios reads, posts and sees the status of an error", async () => {
  const { data } = await axios.get(block, { headers });
  expect(data.results.data.block_number).toBe("0");
  const posted = await axios.post(mock.baseUrl + "/v1/accounts/balance", { addresses: [address] }, { headers });
  expect(posted.data.results.data).toEqual([{ address, balance: "0" }]);
  mock.faults.add({ fault: "status", status: 503, headers: { "retry-after": "7" }, once: true });
  const failed = await axios.get(block, { headers }).catch((error) => error);
  expect([failed.response.status, failed.response.headers["retry-after"]]).toEqual([503, "7"]);
  expect(mock.journal.entries.map(({ method, status }) => method + " " + status)).toEqual(["GET 200", "POST 200", "GET 503"]);
});
test("a broken connection is a network error, and nothing else is", async () => {
  mock.faults.add({ fault: "reset", once: true });
  await expect(axios.get(block, { headers })).rejects.toThrow(/network error/i);
  mock.faults.expectMatched();
  await expect(axios.get(block, { headers })).resolves.toMatchObject({ status: 200 });
});
test("fetch and the client answer, with headers in any case", async () => {
  expect((await fetch(block, { headers })).status).toBe(200);
  expect((await mock.fetch(block, { headers })).status).toBe(200);
  const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "k" });
  expect(await explorer.accounts.balance(address)).toBe(0n);
});
`;

describe.skipIf(!hasTools)("setupExplorer with MSW 3", () => {
  let project: Consumer;
  beforeAll(() => {
    const packages = ["vitest", "jest", "jest-fixed-jsdom", "jest-environment-jsdom"];
    project = createConsumer([...packages, "happy-dom", "jsdom", "axios", "msw"], [], "npm init");
    // Vitest is a link, beside which there is no environment: each is found beside the tests.
    project.write(
      "environments.mjs",
      `import { registerHooks } from "node:module";
       registerHooks({
         resolve: (name, context, next) =>
           next(name, /^(happy-dom|jsdom)$/.test(name) ? { ...context, parentURL: import.meta.url } : context),
       });`,
    );
  }, PATIENCE);
  afterAll(() => project?.remove());

  test.each(["jsdom", "happy-dom"])(
    "works in Vitest's %s",
    { timeout: PATIENCE },
    (environment) => {
      project.write(
        `${environment}.vitest.test.mjs`,
        `// @vitest-environment ${environment}
       import * as hooks from "vitest";
       import { expect, test } from "vitest";
       import axios from "axios";
       import { ExplorerClient } from "mrc-explorer";
       import { createExplorer, setupExplorer } from "mrc-explorer/mocks/msw";
       ${body}`,
      );
      const env = { NODE_OPTIONS: `--import ${project.folder}/environments.mjs` };
      const words = ["run", "--dir", ".", `${environment}.vitest.test.mjs`];
      const { stdout, stderr } = project.bin("vitest", words, env);
      expect(/Tests +(.*)/.exec(stdout)?.[1] ?? stdout + stderr, stdout + stderr).toContain(
        "3 passed",
      );
    },
  );

  test(
    "works in jest's jest-fixed-jsdom; jest-environment-jsdom is refused with its name",
    () => {
      for (const environment of ["jest-fixed-jsdom", "jest-environment-jsdom"])
        project.write(
          `${environment}.test.js`,
          `/** @jest-environment ${environment} */
         const { createExplorer } = require("mrc-explorer/mocks");
         test("answers", async () => {
           const mock = createExplorer();
           const headers = { "API-Key": "k" };
           expect((await mock.fetch(mock.baseUrl + "/v1/blocks/0", { headers })).status).toBe(200);
         });`,
        );
      const run = (environment: string) =>
        project.bin("jest", ["--rootDir", ".", `${environment}.test.js`]).stderr;
      expect(run("jest-fixed-jsdom")).toMatch(/^Tests: +1 passed/m);
      expect(run("jest-environment-jsdom")).toContain(
        "Use jest-fixed-jsdom, which keeps those of Node",
      );
    },
    PATIENCE,
  );
});

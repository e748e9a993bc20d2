// The packed mock explorer in jest and Vitest: in each of their environments, and under every timer
// that they can fake.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Consumer, createConsumer, hasTools } from "./consumer.ts";

/** Packing, and the start of each runner, on a busy machine. */
const PATIENCE = 600_000;

/** Runs in each environment; `use` are its runner's functions. */
const body = `
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  for (const value of [1n, 2n, 3n]) {
    builder.transfer(alice, bob, value);
    builder.mine();
  }
  const mock = createExplorer({ chain: builder });
  const created = () => new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "k", fetch: mock.fetch, retry: 0 });
  const explorer = created();

  test("answers under fake timers, and by their clock", async () => {
    fake();
    try {
      expect(await explorer.accounts.balance(bob)).toBe(6n);
      const values = [];
      for await (const { value } of explorer.accounts.transactions(bob, { limit: 2 })) values.push(value);
      expect(values).toEqual([3n, 2n, 1n]);
      for await (const { record } of explorer.accounts.watch(bob, { from: 0n })) {
        expect(record.value).toBe(1n);
        break;
      }
      mock.faults.add({ fault: "rate-limit", retryAfter: 5, times: 1 });
      await expect(explorer.blocks.get(0)).rejects.toThrow("too many requests");
      pass(6000);
      expect((await created().blocks.get(0)).block_number).toBe(0n);
      mock.faults.expectMatched();
    } finally {
      // Its limit holds on: by the real clock it is not over.
      mock.reset();
      real();
    }
  });

  test("answers for longer than one turn of the event loop", async () => {
    for (let count = 0; count < 3; count++) {
      expect((await explorer.blocks.get(0)).block_number).toBe(0n);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  });
`;

const imports = `
  const { ExplorerClient } = require("mrc-explorer");
  const { buildChain, coins, createExplorer } = require("mrc-explorer/mocks");
`;

/** Vitest is a link, beside which there is no happy-dom: it is found beside the tests, as users have it. */
const besideTests = `import { registerHooks } from "node:module";
  registerHooks({
    resolve: (name, context, next) =>
      next(name, name === "happy-dom" ? { ...context, parentURL: import.meta.url } : context),
  });`;

const environments = [
  "node",
  "jest-fixed-jsdom",
  "@happy-dom/jest-environment",
  "@edge-runtime/jest-environment",
];

describe.skipIf(!hasTools)("the packed double", () => {
  let project: Consumer;
  beforeAll(() => {
    const jestEnvironments = environments.slice(1);
    project = createConsumer(["jest", "vitest", "happy-dom", ...jestEnvironments], [], "npm init");
    project.write("happy-dom.mjs", besideTests);
  }, PATIENCE);
  afterAll(() => project?.remove());

  test(`in jest's ${environments.join(", ")}`, { timeout: PATIENCE }, () => {
    for (const [index, environment] of environments.entries())
      project.write(
        `double-${index}.test.js`,
        `/** @jest-environment ${environment} */
         ${imports}
         // jest fakes only the timers that an environment has.
         const fake = () => jest.useFakeTimers();
         const pass = (ms) => jest.setSystemTime(Date.now() + ms);
         const real = () => jest.useRealTimers();
         ${body}`,
      );
    const words = ["--rootDir", ".", "--runInBand", "--testTimeout", "20000"];
    const { stderr } = project.bin("jest", words);
    expect(stderr).toMatch(/^Tests: +8 passed, 8 total$/m);
  });

  test("in Vitest's node and happy-dom, with every timer faked", { timeout: PATIENCE }, () => {
    for (const environment of ["node", "happy-dom"])
      project.write(
        `${environment}.vitest.test.mjs`,
        `// @vitest-environment ${environment}
       import { expect, test, vi } from "vitest";
       import { ExplorerClient } from "mrc-explorer";
       import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";
       const toFake = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "Date", "performance"];
       const fake = () => vi.useFakeTimers({ toFake });
       const pass = (ms) => vi.setSystemTime(Date.now() + ms);
       const real = () => vi.useRealTimers();
       ${body}`,
      );
    const words = ["run", "--dir", ".", "--no-file-parallelism", "vitest.test.mjs"];
    const env = { NODE_OPTIONS: `--import ${project.folder}/happy-dom.mjs` };
    const { stdout, stderr } = project.bin("vitest", words, env);
    expect(/Tests +(.*)/.exec(stdout)?.[1] ?? stdout + stderr).toContain("4 passed");
  });
});

// The packed package in jest without any flag: compiled by @swc/jest and ts-jest.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { type Consumer, createConsumer, hasTools } from "./consumer.ts";

const examples = fileURLToPath(new URL("../../examples/testing/", import.meta.url));

let project: Consumer;
afterEach(() => project?.remove());

function run(config: object): {
  readonly passed: string | undefined;
  readonly code: number | null;
} {
  project.write("jest.config.json", JSON.stringify(config));
  const { stderr, code } = project.bin("jest", ["--config", "jest.config.json"]);
  return { passed: /Tests: +(.*)/.exec(stderr)?.[1] ?? stderr, code };
}

const pays = `test("pays", async () => {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const mock = createExplorer({ chain: builder });
  const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
  expect(await explorer.accounts.balance(alice)).toBe(coins(10));
});
`;

test.skipIf(!hasTools)("@swc/jest, for the example of the docs as it is", () => {
  project = createConsumer(["jest", "@swc/core", "@swc/jest"], [], "npm init");
  for (const file of ["jest.test.mjs", "wallet.mjs"])
    cpSync(join(examples, file), join(project.folder, file));
  const config = { transform: { "\\.m?[jt]s$": "@swc/jest" }, testMatch: ["**/*.test.mjs"] };
  expect(run(config)).toEqual({ passed: "3 passed, 3 total", code: 0 });
});

test.skipIf(!hasTools)("ts-jest under node16, which checks the types, too", () => {
  project = createConsumer(["jest", "@jest/globals", "ts-jest", "@types/node"], [], "npm init");
  const compilerOptions = { module: "node16", moduleResolution: "node16", isolatedModules: true };
  const settings = { strict: true, target: "es2022", esModuleInterop: true, types: ["node"] };
  project.write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...settings } }),
  );
  project.write(
    "pays.test.ts",
    `import { expect, test } from "@jest/globals";
     import { ExplorerClient } from "mrc-explorer";
     import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";
     ${pays}`,
  );
  expect(run({ preset: "ts-jest" })).toEqual({ passed: "1 passed, 1 total", code: 0 });
});

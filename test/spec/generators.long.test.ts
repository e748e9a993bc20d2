// openapi.json in the hands of others: validators accept it, and what generators make of it compiles and works against the port.
import { fileURLToPath } from "node:url";
import SwaggerParser from "@apidevtools/swagger-parser";
import { runnerImport } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExplorer, loadDemo, type ServedExplorer, serveExplorer } from "../../mocks/node.ts";
import { packageFile } from "../../scripts/package-file.ts";
import { ExplorerClient } from "../../src/index.ts";
import { knownIn } from "../support/requests.ts";
import type { Asked, Questions } from "./clients/questions.ts";
import { type GeneratedClients, generateClients } from "./generate-clients.ts";

/** Four generators and a compiler, on a machine that does other things as well. */
const PATIENCE = 600_000;

let served: ServedExplorer;
let clients: GeneratedClients;
let questions: Questions;
beforeAll(async () => {
  const chain = await loadDemo();
  const { tokens, transactions } = knownIn(chain);
  questions = { address: transactions[0]?.from ?? "0x", token: tokens[0] ?? "0x", block: "7" };
  served = await serveExplorer(createExplorer({ chain }));
  clients = await generateClients(served.url);
}, PATIENCE);
afterAll(async () => {
  clients?.remove();
  await served?.close();
});

/** A module of the generated project. */
async function load<Module>(name: string): Promise<Module> {
  const { module } = await runnerImport<Module>(clients.file(name), { logLevel: "error" });
  return module;
}

/** The answers, by the client of this package. */
async function expected(): Promise<Asked> {
  const { address, token, block } = questions;
  const explorer = new ExplorerClient({ baseUrl: served.url, apiKey: "any" });
  const rewards = await explorer.blocks.get(BigInt(block));
  const supply = await explorer.tokens.totalSupply(token);
  const balance = await explorer.accounts.balance(address);
  const { data } = await explorer.accounts.transactions(address, { limit: 2, condition: "from" });
  return {
    miner: rewards.miner,
    supply: `${supply}`,
    balances: [{ address, balance: `${balance}` }],
    hashes: data.map(({ transaction_hash }) => transaction_hash),
    missing: "404",
  };
}

test("swagger-parser finds it valid", async () => {
  const document = JSON.parse(packageFile("openapi.json").read());
  await expect(SwaggerParser.validate(document)).resolves.toHaveProperty("openapi", "3.1.1");
});

test(
  "redocly has nothing to say",
  async () => {
    const path = fileURLToPath(new URL("../../openapi.json", import.meta.url));
    const said = await clients.bin("redocly", ["lint", path]);
    expect(said).toContain("Your API description is valid");
    expect(said).not.toContain("warning");
  },
  PATIENCE,
);

test(
  "what is generated compiles, and so do programs that use it",
  async () => {
    expect(await clients.bin("tsc", ["-p", "."])).toBe("");
  },
  PATIENCE,
);

test.each(["openapi-fetch", "hey-api", "orval"])(
  "the client of %s asks the service",
  async (name) => {
    const { ask } = await load<{ ask(url: string, of: Questions): Promise<Asked> }>(`${name}.ts`);
    expect(await ask(served.url, questions)).toEqual(await expected());
  },
);

test("the MSW mocks of orval answer what its zod schemas take", async () => {
  const { askMocks } = await load<{ askMocks(of: Questions): Promise<Asked> }>("orval.ts");
  expect(await askMocks(questions)).toMatchObject({
    miner: expect.stringMatching(/^0x/),
    supply: expect.stringMatching(/^[0-9]+$/),
  });
});

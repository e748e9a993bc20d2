// openapi.json in the hands of others: what a generator makes of it compiles, and works against the port.
import { execFileSync } from "node:child_process";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { createExplorer, loadDemo, serveExplorer } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import type { Asked, Questions } from "../environments/openapi/questions.ts";
import { environmentFolder, isInstalled } from "../support/environments.ts";
import { temporaryFolder } from "../support/project.ts";
import { knownIn } from "../support/requests.ts";

const generator = environmentFolder("openapi");
const document = fileURLToPath(new URL("../../openapi.json", import.meta.url));

/** The answers, by the client of this package. */
async function expected(url: string, { address, token, block }: Questions): Promise<Asked> {
  const explorer = new ExplorerClient({ baseUrl: url, apiKey: "any" });
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

test.skipIf(!isInstalled(generator))(
  "openapi-typescript's types compile, and a client that uses them asks the service",
  async () => {
    const folder = temporaryFolder("generated", onTestFinished);
    symlinkSync(join(generator, "node_modules"), join(folder, "node_modules"));
    for (const name of ["client.ts", "questions.ts"])
      cpSync(join(generator, name), join(folder, name));
    const compilerOptions = {
      ...{ target: "es2023", module: "esnext", moduleResolution: "bundler", strict: true },
      ...{ skipLibCheck: true, allowImportingTsExtensions: true, noEmit: true, types: [] },
      lib: ["es2023", "dom", "dom.iterable"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const run = (program: string, ...words: readonly string[]) =>
      execFileSync(process.execPath, [join(folder, "node_modules", program), ...words], {
        cwd: folder,
        encoding: "utf8",
      });
    run("openapi-typescript/bin/cli.js", document, "-o", "types.ts");
    expect(run("typescript/bin/tsc", "-p", ".")).toBe("");

    const chain = await loadDemo();
    const { tokens, transactions } = knownIn(chain);
    const questions: Questions = {
      address: transactions[0]?.from ?? "0x",
      token: tokens[0] ?? "0x",
      block: "7",
    };
    const served = await serveExplorer(createExplorer({ chain }));
    onTestFinished(() => served.close());
    const { module } = await runnerImport<{ ask(url: string, of: Questions): Promise<Asked> }>(
      join(folder, "client.ts"),
      { logLevel: "error" },
    );
    expect(await module.ask(served.url, questions)).toEqual(await expected(served.url, questions));
  },
);

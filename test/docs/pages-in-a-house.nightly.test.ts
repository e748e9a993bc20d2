// Every program of README and docs, as a user has it: compiled under plain `strict`, and run with
// the packed package in a folder made by `npm init -y`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, createConsumer, hasRecipes, userEnv } from "../package/consumer.ts";
import { DEMO, readRecords } from "../support/chains.ts";
import { checkedProgram } from "./program.ts";
import { exampleFiles, type PageProgram, pagePrograms } from "./snippets.ts";

const { programs } = pagePrograms();
const installed = hasRecipes();

/** Programs that cannot run here, by a word in them, and the place where they run. */
const elsewhere: Readonly<Record<string, string>> = {
  followNode: "needs a node: test/follow/follow-node.served.test.ts",
  setupExplorerWorker: "needs a page: test/browser",
  "app/accounts": "needs Next: test/package/next.nightly.test.ts",
  "my-dapp.example": "needs a proxy: test/examples/recipes.long.test.ts",
};

const folderOf = ({ page, file }: PageProgram): string =>
  join(page.replaceAll("/", "-").replace(/\.md$/, ""), file.replace(/\.m?tsx?$/, ""));
const codeOf = ({ blocks }: PageProgram): string => blocks.map(({ code }) => code).join("\n\n");

let project: Consumer;
let server: ChildProcess;
let env: Record<string, string>;
beforeAll(async () => {
  project = createConsumer(
    [
      "@types/node",
      "@types/react",
      "@tanstack/query-core",
      "@tanstack/react-query",
      "react",
      "playwright",
      "typescript",
      "viem",
      "ox",
      "vitest",
      "zod",
      "wagmi",
      "redis",
      "undici",
      "express",
      "@types/express",
      "hono",
      "rate-limiter-flexible",
      "bullmq",
      "vite",
      "vue",
      "@opentelemetry/api",
      "@opentelemetry/sdk-trace-node",
    ],
    [],
    "npm init",
  );
  for (const program of programs)
    project.write(join(folderOf(program), program.file), codeOf(program));
  // Next and SvelteKit resolve what Node does not: test/package/next.nightly.test.ts.
  const inFrameworks = /account-(live|prefetch|cached|revalidate)|proxy-sveltekit/;
  for (const { path, code } of exampleFiles())
    if (!inFrameworks.test(path)) project.write(path, code);
  cpSync(
    new URL("../../examples/testing/wallet.mjs", import.meta.url),
    join(project.folder, "examples/testing/wallet.mjs"),
  );
  const cli = join(project.folder, "node_modules/.bin/mrc-explorer");
  server = spawn(process.execPath, [cli, "serve", "--port", "0"], {
    // Where the compilers are.
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    env: userEnv,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(createInterface(server.stdout ?? process.stdin), "line")) as [string];
  env = {
    ...userEnv,
    EXPLORER_BASE_URL: line.slice(line.indexOf("http")),
    EXPLORER_API_KEY: "sk-docs-0123456789",
  } as Record<string, string>;
});
afterAll(async () => {
  server?.kill();
  if (server?.exitCode === null) await once(server, "exit");
  project?.remove();
});

test.skipIf(!installed)("each program compiles alone under plain strict", () => {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowJs: true, types: ["node"] },
    ...{ module: "nodenext", target: "esnext", lib: ["esnext", "dom"], jsx: "react-jsx" },
  };
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*/**/*"] }));
  expect(project.bin("tsc", ["-p", "."])).toMatchObject({ stdout: "", code: 0 });
});

/** Ends a program, and returns what it printed. One that watches ends with its first line. */
async function ended(child: ChildProcess, watches: boolean) {
  if (!child.stdout || !child.stderr) throw new Error("no output");
  if (watches) child.stdout.once("data", () => child.kill());
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
  return { code: watches ? 0 : (code as number | null), printed, complaints };
}

test
  .skipIf(!installed)
  .each(
    programs
      .filter((program) => !Object.keys(elsewhere).some((word) => codeOf(program).includes(word)))
      .map((program) => [`${program.page} ${program.file}`, program] as const),
  )("%s runs", async (_, program) => {
  const folder = join(project.folder, folderOf(program));
  const code = codeOf(program);
  const path = join(folder, program.file);
  prepare(folder);
  if (program.file.includes(".test.")) {
    const vitest = [
      join(project.folder, "node_modules/vitest/vitest.mjs"),
      "run",
      "--root",
      folder,
      program.file,
    ];
    const ran = project.node(vitest, env);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/ 1 passed/) });
    return;
  }
  writeFileSync(path, checkedProgram(code));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", path], {
    cwd: folder,
    env,
  });
  const { code: exitCode, printed, complaints } = await ended(child, code.includes(".watch("));
  expect({ exitCode, complaints }).toEqual({ exitCode: 0, complaints: "" });
  // A loop over nothing shows nothing.
  expect(printed.length > 0).toBe(code.includes("console.log("));
});

/** The files that programs read. */
function prepare(folder: string): void {
  const demo = join(project.folder, "node_modules/mrc-explorer/mocks/demo");
  mkdirSync(join(folder, "test"), { recursive: true });
  cpSync(demo, join(folder, "test/staging"), { recursive: true });
  writeFileSync(join(folder, "api-key.txt"), "any\n");
  writeFileSync(join(folder, "Market.sol"), marketSource());
}

const marketSource = (): string => {
  const source = readRecords(DEMO, "sources").find(
    ({ fileName }) => fileName === "Market.sol",
  )?.source;
  if (typeof source !== "string") throw new Error("the demo chain has no Market.sol");
  return source;
};

// `npm run mutate -- <folders or files>`: changes the source in small ways, one at a time, and says which changes no test notices.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";
import { unit } from "../vitest.config.ts";

const root = resolve(import.meta.dirname, "..");

/** Tests that take too long to run for each change, by their names, and what others of them import. */
const slowTest =
  /\.(browser|long|node|oracle)\.test\.ts$|^test\/(docs|examples|fuzz|package|stall|verification\/suites)\//;
const slowImport =
  /^test\/support\/(anvil|chromium|compiled-project|real-nodes|redis|test-node)\.ts$/;

/** The files and packages that a file imports. */
const importsOf = (file: string): string[] =>
  ts
    .preProcessFile(readFileSync(join(root, file), "utf8"))
    .importedFiles.map(({ fileName: name }) =>
      name.startsWith(".") ? relative(root, resolve(root, dirname(file), name)) : name,
    );

/** The tests at the paths of these files, and those that import one of them. */
function testsOf(files: readonly string[]): string[] {
  const places = files.map((file) => file.replace(/^(src|mocks)\//, "test/").replace(/tsx?$/, ""));
  return globSync("test/**/*.test.ts", { cwd: root, exclude: ["**/node_modules/**"] }).filter(
    (test) => {
      if (slowTest.test(test)) return false;
      const imports = importsOf(test);
      if (imports.some((name) => slowImport.test(name))) return false;
      return (
        places.some((place) => test.startsWith(place)) ||
        imports.some((name) => files.includes(name))
      );
    },
  );
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
}

/** Sentences are for people: no test checks their wording. Stryker loads this file as a plugin for it. */
export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "sentences",
    value: {
      shouldIgnore: ({ node: { type, value = "", quasis = [] } }: { node: Node }) =>
        [type === "StringLiteral" ? value : "", ...quasis.map(({ value }) => value.raw)].some(
          (text) => text.includes(" "),
        )
          ? "a sentence"
          : undefined,
    },
  },
];

/** Stryker is no dependency: few need it, and it has 129 packages (docs/dependencies.md). */
const packages = ["core", "vitest-runner"].map(
  (name) => `--package=@stryker-mutator/${name}@10.1.1`,
);

function mutate(paths: readonly string[], concurrency: number): void {
  const files = paths
    .flatMap((path) => globSync([path, `${path}/**/*`], { cwd: root }))
    .filter((path) => /\.tsx?$/.test(path));
  const tests = testsOf(files);
  if (files.length === 0 || tests.length === 0)
    throw new Error(`No ${files.length === 0 ? "source" : "tests"} at "${paths.join(" ")}"`);
  console.log(`${files.length} files, held to these tests:\n  ${tests.join("\n  ")}`);
  const temporary = mkdtempSync(join(tmpdir(), "mrc-explorer-mutate-"));
  // Not Stryker's `testFiles`: with it, changes of what runs when a file is loaded never take effect.
  const configFile = join(temporary, "vitest.config.mjs");
  const project = unit({ include: tests, exclude: [], factor: 0.25 });
  const config = {
    mutate: files,
    testRunner: "vitest",
    vitest: { related: false, configFile, pool: "forks" },
    plugins: ["@stryker-mutator/vitest-runner", import.meta.filename],
    ignorers: ["sentences"],
    concurrency,
    disableTypeChecks: false,
    // Otherwise Stryker rewrites it for its copy, and needs TypeScript for that.
    tsconfigFile: "none",
    // A busy machine is slow, and a change that is only slow is not noticed by a test.
    timeoutMS: 20_000,
    ignorePatterns: ["coverage", "dist", "docs/api"],
    tempDirName: temporary,
    reporters: ["progress-append-only", "clear-text"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  };
  try {
    writeFileSync(configFile, `export default ${JSON.stringify(project)};`);
    const file = join(temporary, "stryker.config.json");
    writeFileSync(file, JSON.stringify(config));
    const command = ["--yes", ...packages, "--", "stryker", "run", file];
    process.exitCode = spawnSync("npx", command, { cwd: root, stdio: "inherit" }).status ?? 1;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const options = { concurrency: { type: "string", default: "2" } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  mutate(positionals, Number(values.concurrency));
}

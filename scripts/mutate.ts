// `npm run mutate -- <folders or files>`: changes the source in small ways, one at a time, and says which changes no test notices.
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";
import { createVitest } from "vitest/node";
import { unit } from "../vitest.config.ts";
import { flagsOf } from "./flags.ts";
import type { Line, Task } from "./mutation-runner.ts";

const root = resolve(import.meta.dirname, "..");

/** Tests that take too long to run for each change, by their names, and what others of them import. */
const slowTest =
  /\.(browser|long|node|oracle)\.test\.ts$|^test\/(docs|examples|fuzz|laws|package|stall|verification\/suites)\//;
const slowImport =
  /^test\/support\/(anvil|chromium|compiled-project|real-nodes|redis|test-node)\.ts$/;

/** The files and packages that a file imports. */
const importsOf = (file: string): string[] =>
  ts
    .preProcessFile(readFileSync(join(root, file), "utf8"))
    .importedFiles.map(({ fileName: name }) =>
      name.startsWith(".") ? relative(root, resolve(root, dirname(file), name)) : name,
    );

/** Whether a test is at the path of a file: it notices most changes. */
const isBeside = (test: string, file: string): boolean =>
  test.startsWith(file.replace(/^(src|mocks)\//, "test/").replace(/tsx?$/, ""));

/** The test of the whole folder of a file. */
const ofFolder = (file: string): string =>
  `${dirname(file).replace(/^(src|mocks)/, "test")}.test.ts`;

/** The tests at the paths of these files, and unless `onlyBeside` those of their folders and those that import one of them. */
const testsOf = (files: readonly string[], onlyBeside: boolean): string[] =>
  globSync("test/**/*.test.ts", { cwd: root, exclude: ["**/node_modules/**"] })
    .filter((test) => !slowTest.test(test))
    .map((test) => ({ test, imports: importsOf(test) }))
    .filter(({ imports }) => !imports.some((name) => slowImport.test(name)))
    .filter(({ test, imports }) =>
      files.some(
        (file) =>
          isBeside(test, file) ||
          (!onlyBeside && (test === ofFolder(file) || imports.includes(file))),
      ),
    )
    .map(({ test }) => test);

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
}

/** Sentences are for people: no test checks their wording. */
const sentences = {
  shouldIgnore: ({ node: { type, value = "", quasis = [] } }: { node: Node }) =>
    [type === "StringLiteral" ? value : "", ...quasis.map(({ value }) => value.raw)].some((text) =>
      text.includes(" "),
    )
      ? "a sentence"
      : undefined,
};

interface Change {
  readonly id: string;
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
  readonly mutatorName: string;
  readonly replacement: string;
  readonly static?: boolean;
  readonly statusReason?: string;
}

type Verdict = "killed" | "timed out" | "survived" | "not reached";

/** Puts every change into these files, each behind a condition. Stryker's instrumenter is no dependency: few need it (docs/dependencies.md). */
async function instrument(files: readonly string[]) {
  const { PATH = "" } = process.env;
  const packages = PATH.split(delimiter)
    .map((folder) => join(folder, "../@stryker-mutator/instrumenter/dist/src/index.js"))
    .find((path) => existsSync(path));
  if (packages === undefined) throw new Error("Run this as `npm run mutate`");
  const { Instrumenter } = await import(packages);
  const quiet = { debug() {}, info() {}, isDebugEnabled: () => false };
  const sources = files.map((name) => ({
    name: resolve(root, name),
    mutate: true,
    content: readFileSync(join(root, name), "utf8"),
  }));
  const options = { plugins: null, excludedMutations: [], ignorers: [sentences] };
  const { files: changed, mutants } = await new Instrumenter(quiet).instrument(sources, options);
  return {
    sources: new Map<string, string>(
      changed.map(({ name, content }: { name: string; content: string }) => [name, content]),
    ),
    changes: (mutants as Change[]).filter(({ statusReason }) => statusReason === undefined),
  };
}

/** Where a change is and what it is, with its verdict. */
function describe({ fileName, location, mutatorName, replacement }: Change, verdict: Verdict) {
  const { line, column } = location.start;
  const text = readFileSync(fileName, "utf8").split("\n")[line]?.trim();
  const change = replacement.replaceAll(/\s+/g, " ").slice(0, 120);
  return `${relative(root, fileName)}:${line + 1}:${column + 1} ${verdict} ${mutatorName}\n  ${text}\n  => ${change}`;
}

function report(changes: readonly Change[], verdicts: ReadonlyMap<string, Verdict>): void {
  for (const fileName of new Set(changes.map((change) => change.fileName))) {
    const all = changes.filter((change) => change.fileName === fileName);
    const count = (verdict: Verdict) => all.filter(({ id }) => verdicts.get(id) === verdict).length;
    console.log(
      `${relative(root, fileName)}: ${all.length} changes, ${count("killed")} found, ${count("timed out")} timed out, ${count("survived")} not found, ${count("not reached")} not reached`,
    );
  }
}

/** The time limit of a test with a change, in ms; of one that is quick without, a fifth. */
const limit = 10_000;

/** Runs tests on the changed source, each file in its own process; what it returns gives the lines that they wrote and whether one failed. */
async function createRuns(sources: ReadonlyMap<string, string>, tests: readonly string[]) {
  const temporary = mkdtempSync(join(tmpdir(), "mrc-explorer-mutate-"));
  const taskFile = join(temporary, "task.json");
  const log = join(temporary, "log");
  Object.assign(process.env, { MUTATION_TASK: taskFile });
  const { resolve = {}, test } = unit({ include: [...tests], exclude: [], factor: 0.25 });
  const vitest = await createVitest(
    "test",
    {
      ...test,
      root,
      config: false,
      watch: false,
      // It knows a file by its content before the changes.
      fsModuleCache: false,
      pool: "forks",
      maxWorkers: 1,
      runner: join(import.meta.dirname, "mutation-runner.ts"),
      reporters: [{}],
      silent: true,
      update: "none",
      testTimeout: 10 * limit,
      hookTimeout: limit,
      expect: { poll: { timeout: limit / 2 } },
    },
    {
      resolve,
      plugins: [
        { name: "changes", enforce: "pre", load: (id) => sources.get(id.replace(/\?.*/, "")) },
      ],
    },
  );
  const lines = () =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line): Line => JSON.parse(line));
  async function run(task: Omit<Task, "log" | "limit">, files: readonly string[]) {
    writeFileSync(taskFile, JSON.stringify({ ...task, limit, log }));
    writeFileSync(log, "");
    let ended = false;
    /** Ends a process in which a change runs for ever: no test with its hooks takes so long. */
    const watchdog = setInterval(() => {
      const line = lines().at(-1);
      if (line === undefined || !("begun" in line)) return;
      if (Date.now() - statSync(log).mtimeMs < 2.5 * limit) return;
      appendFileSync(log, `${JSON.stringify({ change: line.begun, verdict: "timed out" })}\n`);
      process.kill(line.pid, "SIGKILL");
      ended = true;
    }, limit / 4);
    vitest.state.filesMap.clear();
    vitest.state.errorsSet.clear();
    await vitest.start([...files]);
    clearInterval(watchdog);
    const failed = vitest.state.getFiles().some(({ result }) => result?.state === "fail");
    return { lines: lines(), failed, ended };
  }
  async function close() {
    await vitest.close();
    rmSync(temporary, { recursive: true, force: true });
  }
  return { run, close };
}

type Run = Awaited<ReturnType<typeof createRuns>>["run"];

/** A test file, and which changes its tests pass. */
type Reached = Extract<Line, { readonly passed: unknown }> & { readonly test: string };

/**
 * Holds each change to the tests that reach it: many in one process, and what runs when a file is loaded, or is in doubt, alone in a new one.
 * Those that are not found are printed at once: the last ones take most of the time.
 */
async function judge(changes: readonly Change[], tests: readonly string[], run: Run) {
  const fileOf = new Map(changes.map(({ id, fileName }) => [id, relative(root, fileName)]));
  const reached = (await run({ skip: [] }, tests)).lines
    .filter((line) => "passed" in line)
    .map((line) => ({ ...line, test: relative(root, line.file) }));
  const skip = reached.flatMap(({ failed }) => failed);
  const slow = reached.flatMap((line) => line.slow);
  if (skip.length > 0) console.log(`${skip.length} tests fail without a change and do not count`);
  const verdicts = new Map<string, Verdict>();
  const unsure = new Set<string>();
  /** Changes of what is computed once and kept: any test of a file may use it. */
  const kept = new Set<string>();
  const isOpen = (change: string) => !verdicts.has(change) && !unsure.has(change);
  const stages = [
    { beside: true, quick: true },
    { beside: false, quick: true },
    { beside: false, quick: false },
  ];
  for (const { beside, quick } of stages)
    for (let again = true; again; ) {
      const todo: Record<string, Record<string, number>> = {};
      const files = new Set<string>();
      for (const { test, passed } of reached)
        for (const [id, times] of Object.entries(passed.perTest)) {
          const open = Object.entries(times).filter(
            ([change]) => isOpen(change) && !(beside && !isBeside(test, fileOf.get(change) ?? "")),
          );
          if (open.length === 0 || (quick && slow.includes(id))) continue;
          todo[id] = Object.fromEntries(open);
          files.add(test);
        }
      again = false;
      if (files.size === 0) continue;
      const { lines, ended } = await run({ todo, slow, skip }, [...files]);
      // What came after it in the same process is still to do.
      again = ended;
      for (const line of lines)
        if (!("change" in line)) continue;
        else if (line.verdict === "not passed") kept.add(line.change);
        else if (line.verdict !== "unsure") verdicts.set(line.change, line.verdict);
        else again = unsure.add(line.change).size > 0;
      console.log(`${verdicts.size} of ${changes.length} found`);
    }
  const print = (change: Change) => {
    const verdict = verdicts.get(change.id) ?? "not reached";
    if (verdict !== "killed") console.log(describe(change, verdict));
  };
  const isAtLoad = ({ id }: Change) => reached.some(({ passed }) => id in passed.static);
  const rest = changes.filter(({ id }) => !verdicts.has(id));
  changes.filter(({ id }) => verdicts.has(id)).forEach(print);
  for (const change of rest.toSorted((one, other) => +isAtLoad(one) - +isAtLoad(other))) {
    const { id } = change;
    const isReached = reached.some(({ passed: { perTest } }) =>
      Object.values(perTest).some((times) => id in times),
    );
    verdicts.set(id, isReached ? "survived" : "not reached");
    if (unsure.has(id) || kept.has(id) || isAtLoad(change))
      verdicts.set(id, await judgeAlone(change, reached, kept.has(id), skip, run));
    print(change);
  }
  return verdicts;
}

/** Holds a change to the tests that reach it, each file in a process of its own. */
async function judgeAlone(
  { id, fileName }: Change,
  reached: readonly Reached[],
  isKept: boolean,
  skip: readonly string[],
  run: Run,
): Promise<Verdict> {
  const beside = ({ test }: Reached) => Number(isBeside(test, relative(root, fileName)));
  for (const { test, passed } of reached.toSorted((one, other) => beside(other) - beside(one))) {
    const inTests = Object.keys(passed.perTest).filter((name) => passed.perTest[name]?.[id]);
    const atLoad = id in passed.static;
    if (!atLoad && inTests.length === 0) continue;
    const tests = atLoad || isKept ? "all" : inTests;
    const { lines, failed } = await run({ only: { change: id, tests }, skip }, [test]);
    if (lines.some((line) => "verdict" in line && line.verdict === "timed out")) return "timed out";
    if (failed) return "killed";
  }
  return "survived";
}

async function mutate(
  paths: readonly string[],
  moreTests: readonly string[],
  onlyBeside: boolean,
): Promise<void> {
  const files = paths
    .flatMap((path) => globSync([path, `${path}/**/*`], { cwd: root }))
    .filter((path) => /\.tsx?$/.test(path));
  const tests = [...new Set([...testsOf(files, onlyBeside), ...moreTests])];
  if (files.length === 0 || tests.length === 0)
    throw new Error(`No ${files.length === 0 ? "source" : "tests"} at "${paths.join(" ")}"`);
  console.log(`${files.length} files, held to these tests:\n  ${tests.join("\n  ")}`);
  const { sources, changes } = await instrument(files);
  const { run, close } = await createRuns(sources, tests);
  try {
    report(changes, await judge(changes, tests, run));
  } finally {
    await close();
  }
}

const usage = `Usage: npm run mutate -- <folders or files> [flags]

Makes small changes to the source, one at a time, and lists the changes that no test notices.

  --tests FILE  also run this test; may be repeated
  --beside      run only the tests at the path of each file, and those of --tests
  --help        print this help`;

if (import.meta.main) {
  const { values, positionals } = flagsOf(usage, () => {
    const options = {
      tests: { type: "string", multiple: true },
      beside: { type: "boolean" },
    } as const;
    const parsed = parseArgs({ allowPositionals: true, options });
    if (parsed.positionals.length === 0)
      throw new Error("Expected a folder or file, received none");
    return parsed;
  });
  await mutate(positionals, values.tests ?? [], values.beside ?? false);
}

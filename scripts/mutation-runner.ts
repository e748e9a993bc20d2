// Runs tests once for each change that `npm run mutate` holds to them, in one process, and writes down what they say.
import { appendFileSync, readFileSync } from "node:fs";
import { type RunnerTestCase as Test, TestRunner } from "vitest";

/** What scripts/mutate.ts asks of a process. */
export interface Task {
  /** The changes of each test, by its id, and how often the test passes each unchanged. Without them, tests run once and say what they pass. */
  readonly todo?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The one change that is in force from the start, and the tests that run; all, if something passes it while a file is loaded. */
  readonly only?: { readonly change: string; readonly tests: readonly string[] | "all" };
  /** Of the tests with changes, those that took over 50 ms: the others get a fifth of the time limit, since hundreds of changes may let them wait. */
  readonly slow?: readonly string[];
  /** Tests that fail without a change, too. */
  readonly skip: readonly string[];
  /** The time limit of a test with a change, in milliseconds: without one, counting what it passes may take longer than any change. */
  readonly limit: number;
  /** Where the process writes its lines. */
  readonly log: string;
}

/** A line that a process writes. */
export type Line =
  | { readonly pid: number; readonly begun: string }
  | { readonly change: string; readonly verdict: "killed" | "timed out" | "unsure" | "not passed" }
  | {
      readonly file: string;
      readonly passed: Coverage;
      readonly failed: readonly string[];
      /** Tests that took over 50 ms: they judge only what others miss. */
      readonly slow: readonly string[];
    };

export interface Coverage {
  /** How often each change was passed while a file was loaded. */
  readonly static: Readonly<Record<string, number>>;
  readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** What the changed source reads: Stryker's names. */
interface Stryker {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: Coverage;
}

const { MUTATION_TASK: taskFile = "" } = process.env;
const task: Task = JSON.parse(readFileSync(taskFile, "utf8"));
const stryker: Stryker = {};
Object.assign(globalThis, { __stryker__: stryker });
if (task.only !== undefined)
  Object.assign(stryker, { activeMutant: task.only.change, hitCount: 0, hitLimit: 1e7 });

/** Tests replace them. */
const timers = { setTimeout, clearTimeout };

const write = (line: Line) => appendFileSync(task.log, `${JSON.stringify(line)}\n`);

const killed = new Set<string>();
/** A test failed without a change: an earlier change has left something behind, and the process says nothing more. */
let spoilt = false;
let failed: string[] = [];
let slow: string[] = [];

export default class MutationRunner extends TestRunner {
  private queue: [change: string, passed: number][] = [];
  /** The change that the last test noticed: the test runs unchanged before that counts. */
  private noticed: string | undefined;
  private verdict: "killed" | "timed out" = "killed";
  private idle = false;
  private began = 0;

  override async onBeforeRunTask(test: Test) {
    await super.onBeforeRunTask(test);
    if (task.skip.includes(test.id)) test.mode = "skip";
    if (task.only !== undefined) {
      const { change, tests } = task.only;
      if (spoilt || (tests !== "all" && !tests.includes(test.id))) test.mode = "skip";
      else write({ pid: process.pid, begun: change });
    }
    if (task.todo === undefined) return;
    this.queue = Object.entries(task.todo[test.id] ?? {}).filter(([change]) => !killed.has(change));
    if (spoilt || this.queue.length === 0) test.mode = "skip";
    // As often as it takes if each change is noticed.
    test.repeats = 2 * this.queue.length - 1;
  }

  override onBeforeTryTask(test: Test, options: { retry: number; repeats: number }) {
    super.onBeforeTryTask(test, options);
    this.began = performance.now();
    if (task.only === undefined && task.todo === undefined) stryker.currentTestId = test.id;
    if (task.todo === undefined) return;
    stryker.activeMutant = undefined;
    if (this.noticed !== undefined) return;
    const [change, passed = 0] = (spoilt ? undefined : this.queue.shift()) ?? [];
    this.idle = change === undefined;
    if (change === undefined) return;
    write({ pid: process.pid, begun: change });
    Object.assign(stryker, { activeMutant: change, hitCount: 0, hitLimit: 10 * passed + 1e5 });
  }

  async runTask(test: Test) {
    if (this.idle) return;
    const run = TestRunner.getTestFn(test)();
    if (stryker.activeMutant === undefined) return run;
    const limit = (task.slow?.includes(test.id) ?? true) ? task.limit : task.limit / 5;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = timers.setTimeout(() => reject(new Error(`timed out in ${limit} ms`)), limit);
    });
    return Promise.race([run, late]).finally(() => timers.clearTimeout(timer));
  }

  override async onAfterRetryTask(test: Test, options: { retry: number; repeats: number }) {
    await super.onAfterRetryTask(test, options);
    const { result } = test;
    if (result === undefined) return;
    const hasFailed = result.state === "fail";
    const change = stryker.activeMutant;
    stryker.currentTestId = undefined;
    if (hasFailed)
      this.verdict = result.errors?.some(({ message }) => /timed out in/.test(message))
        ? "timed out"
        : "killed";
    if (task.only !== undefined) {
      if (hasFailed) write({ change: task.only.change, verdict: this.verdict });
      spoilt = hasFailed;
    } else if (task.todo === undefined) {
      if (hasFailed) failed.push(test.id);
      if (performance.now() - this.began > 50) slow.push(test.id);
    } else if (change !== undefined) {
      if (hasFailed) this.noticed = change;
      // What it computes stays from an earlier run of the test.
      else if (stryker.hitCount === 0) write({ change, verdict: "not passed" });
    } else if (this.noticed !== undefined) {
      spoilt = hasFailed;
      write({ change: this.noticed, verdict: hasFailed ? "unsure" : this.verdict });
      killed.add(this.noticed);
      this.noticed = undefined;
    }
    if (task.todo !== undefined) result.errors = [];
  }

  override async onAfterRunSuite(suite: Parameters<TestRunner["onAfterRunSuite"]>[0]) {
    await super.onAfterRunSuite(suite);
    if (task.todo !== undefined || task.only !== undefined || !("filepath" in suite)) return;
    const passed = stryker.mutantCoverage ?? { static: {}, perTest: {} };
    write({ file: suite.file.filepath, passed, failed, slow });
    [failed, slow] = [[], []];
  }
}

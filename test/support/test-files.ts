// Which test files a command runs: by their names, by what they import, and by what an earlier run has proven.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob, sep } from "node:path";

export const every = "test/**/*.test.ts";

/** What takes half an hour together: `npm run test:all` runs it, each night, and CI leaves it out. */
export const nightly = [
  "test/verify/{attacks/attacks,attacks/free-bytes,code-form}.long.test.ts",
  "test/follow/{compare/compare,store/chain-store.kills}.long.test.ts",
  "test/{page/app.hostile,page/parts,page/views.accessibility,inspect/calls.real-nodes}.long.test.ts",
  "test/port/{etherscan.plugins,etherscan.real-tools,connections.slow}.long.test.ts",
  "test/{client,stall,cli}/**/*.long.test.ts",
  "test/docs/{recipes,examples.types,pages-in-a-house,site}.long.test.ts",
  "test/package/{next,edge-runtimes,dapp,hostile,types,notices}.test.ts",
  "test/verify/compiler-worker.hostile.long.test.ts",
  "test/page/tasks/tasks.long.test.ts",
  "test/{examples/{dapp,tour},msw/memory}.long.test.ts",
];

export const fuzz = "test/fuzz/**";

/** What `npm test` leaves out: the tests that take the longest, by their name, those of the built package, and generated requests. */
const long = ["test/**/*.long.test.ts", "test/package/**", fuzz];

const isInstalled = (path: string) => path.includes("node_modules");

/** The files of a pattern, without those of others. */
export function filesOf(pattern: string, exclude: readonly string[] = []): readonly string[] {
  const found = globSync(pattern, { exclude: isInstalled });
  return found.filter((path) => !exclude.some((other) => matchesGlob(path, other)));
}

const RUNS = join("test", "support", "runs.ts");
const imports = /\b(?:from|import)\s*\(?\s*"([^"]+)"/g;

/** Whether a test draws at random, by itself or by a module of the tests: each command has its own number of cases. */
export function drawsAtRandom(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !file.startsWith(`test${sep}`) || !existsSync(file)) return false;
  seen.add(file);
  return [...readFileSync(file, "utf8").matchAll(imports)].some(([, name = ""]) => {
    const path = join(dirname(file), name);
    if (name === "fast-check" || path === RUNS) return true;
    return name.startsWith(".") && drawsAtRandom(path, seen);
  });
}

/** What of the modules of a run says which are proven. */
export interface RunModule {
  /** The file, from the folder of the project. */
  readonly relativeModuleId: string;
  ok(): boolean;
  readonly children: {
    allTests(): Iterable<{ result(): { readonly state: string } }>;
  };
}

/** The files of which every test ran and passed. */
export const provenBy = (modules: readonly RunModule[]): readonly string[] =>
  modules
    .filter((module) => {
      const tests = [...module.children.allTests()];
      return module.ok() && tests.length > 0 && tests.every((test) => isPassed(test));
    })
    .map(({ relativeModuleId }) => relativeModuleId);

const isPassed = (test: { result(): { readonly state: string } }) =>
  test.result().state === "passed";

/**
 * What a command leaves out: `npm test` what takes long, `npm run test:rest` what a run of it has proven and what only the night has time for,
 * `npm run test:all` nothing.
 */
export function leftOut(
  command: "test" | "rest" | "all",
  proven: readonly string[] = [],
): readonly string[] {
  if (command === "test") return [...long];
  if (command === "all") return [];
  return [...nightly, ...proven];
}

// How the tests run: in Node, against the types, and in a real browser; and what each command runs of them.
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { playwright } from "@vitest/browser-playwright";
import { msw } from "msw/vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { commands } from "./test/browser/commands.ts";
import { chromiumPath, hasChromium } from "./test/support/chromium.ts";
import LongestFirst from "./test/support/longest-first.ts";
import { drawsAtRandom, every, filesOf, fuzz, leftOut } from "./test/support/test-files.ts";

if (!hasChromium)
  console.warn(
    "\n*** No Chromium: the tests that need a browser are SKIPPED. npm run test:install installs one. ***\n",
  );

// What a machine says of colours, proxies and its own mode is not what is tested: requests to loopback go nowhere else, and text is plain.
for (const name of Object.keys(process.env))
  if (/^(ci|force_color|(https?|all|no)_proxy|node_use_env_proxy)$/i.test(name))
    delete process.env[name];
process.env.NODE_ENV = "test";
// The processes that tests start compile what they load once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

/** The examples import the package by its name: from the sources, as tsconfig.json says. */
const resolve = { tsconfigPaths: true };

/** What `npm run test:quick` leaves out besides: what needs a node, a compiler, a browser or other processes, and the slower laws. */
const slow = [
  "test/{cli/compare,e2e,examples,fuzz,laws,types,follow,page,inspect,recording,port,verify}/**",
  "test/{builder,ingest}/*node.test.ts",
  "test/cli/{compare,completion,connection,exit-codes,export-file,main,run,serve*,project,watch}.test.ts",
  "test/docs/examples.test.ts",
  "test/inspect/views.changes.test.ts",
  "test/port/{connections,doors.chromium}.test.ts",
];

/** The file to which `npm test` writes the tests that it has proven, and from which `npm run test:rest` reads them. */
const { TEST_PROOF: proof } = process.env;

const proven = (): readonly string[] =>
  proof === undefined ? [] : JSON.parse(readFileSync(proof, "utf8"));

interface Mode {
  readonly include?: string[];
  readonly exclude: readonly string[];
  /** How often properties draw, of the number they give. */
  readonly factor: number;
  /** Whether they draw from a new seed in each run. */
  readonly draws?: boolean;
}

/** What a command runs, by its `--mode`. */
function modeNamed(name: string): Mode {
  switch (name) {
    case "quick":
      return { exclude: [...slow, ...leftOut("test")], factor: 0.25 };
    case "all":
      return { exclude: leftOut("all"), factor: 1 };
    case "rest":
      return { exclude: leftOut("rest", proven()), factor: 0.25 };
    case "laws":
      return {
        include: filesOf(every).filter((file) => drawsAtRandom(file)),
        exclude: [fuzz],
        factor: 10,
        draws: true,
      };
    case "fuzz":
      return { include: [fuzz], exclude: [], factor: 50, draws: true };
    default:
      return { exclude: leftOut("test"), factor: 0.25 };
  }
}

/**
 * The time limit of a test: ten times what any takes where nothing else runs, so that no verdict depends on the load of the machine, and what
 * hangs fails in a minute. Tests of many minutes, and of many cases, have more.
 */
const patienceOf = ({ factor }: Mode) => (factor < 1 ? 60_000 : 900_000 * factor);

const limits = (mode: Mode) => {
  const patience = patienceOf(mode);
  return {
    testTimeout: patience,
    hookTimeout: patience,
    // Half of it, so that the poll names what it waited for; a minute even where tests have more, because what never comes is not waited for.
    expect: { poll: { timeout: Math.min(60_000, patience / 2) } },
  };
};

/** The seed and the number of cases of property tests (test/support/runs.ts); both can be set. */
function properties({ factor, draws = false }: Mode): Record<string, string> {
  const { PROPERTY_SEED: seed = draws ? `${randomInt(1, 2 ** 31)}` : "1717" } = process.env;
  const { PROPERTY_RUNS: count = `${factor}` } = process.env;
  if (draws) console.log(`\nProperties draw from PROPERTY_SEED=${seed}\n`);
  return { PROPERTY_SEED: seed, PROPERTY_RUNS: count };
}

/** The tests that run in Node. */
export const unit = (mode: Mode): TestProjectInlineConfiguration => ({
  resolve,
  test: {
    name: "unit",
    environment: "node",
    include: mode.include ?? [every],
    exclude: ["**/node_modules/**", "test/browser/**", ...mode.exclude],
    setupFiles: ["test/support/runs.ts", "test/support/thrown.ts", "test/support/put-back.ts"],
    env: properties(mode),
    benchmark: { include: ["test/bench/**/*.bench.ts"] },
    // Workers run one file after another, and load each module once. No file needs more than half of this memory.
    isolate: false,
    execArgv: ["--max-old-space-size=1536"],
    ...limits(mode),
  },
});

const types = ({ exclude }: Mode): TestProjectInlineConfiguration => ({
  test: {
    name: "types",
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      checker: "node_modules/typescript-7/bin/tsc",
      include: ["test/types/**/*.test-d.ts"],
      exclude: [...exclude],
      tsconfig: "test/types/tsconfig.json",
    },
    benchmark: { include: [] },
  },
});

const browser = (executablePath: string, mode: Mode): TestProjectInlineConfiguration => ({
  resolve,
  plugins: [msw({ mode: "worker-only" })],
  // All at once: a dependency found later reloads the page in the middle of a test.
  optimizeDeps: {
    include: [
      ...["fast-check", "ky", "msw", "msw/browser", "zod/mini"],
      ...["ox/AbiItem", "ox/ContractAddress", "ox/Hash", "ox/Rlp"],
      ...["react", "react/jsx-runtime", "react/jsx-dev-runtime", "react-dom/client"],
      "@tanstack/react-query",
      ...["AbiParameters", "Base58", "Base64", "Hex"].map((name) => `ox/${name}`),
    ],
  },
  test: {
    name: "browser",
    include: ["test/browser/**/*.browser.test.ts"],
    exclude: [...mode.exclude],
    // A service worker is the whole origin's: the files take turns.
    fileParallelism: false,
    benchmark: { include: [] },
    ...limits(mode),
    browser: {
      enabled: true,
      headless: true,
      connectTimeout: patienceOf(mode),
      commands,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          executablePath,
          args: [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
          ],
        },
      }),
      instances: [{ browser: "chromium" }],
    },
  },
});

/** Stands in for the browser tests where there is no browser: one skipped test, so that the count shows it. */
const noBrowser: TestProjectInlineConfiguration = {
  test: {
    name: "browser",
    include: ["test/support/no-chromium.ts"],
    benchmark: { include: [] },
  },
};

export default defineConfig(({ mode: name }) => {
  const mode = modeNamed(name);
  const isDefault = name === "test";
  return {
    test: {
      // Every core works: of two, vitest would use one.
      maxWorkers: "100%",
      sequence: { sequencer: LongestFirst },
      reporters: [
        "default",
        ["./test/support/closing-line.ts", isDefault && proof !== undefined ? { proof } : {}],
      ],
      coverage: {
        provider: "v8",
        include: ["src/**/*.ts", "mocks/**/*.ts"],
        reporter: ["text", "lcov"],
      },
      projects: [
        unit(mode),
        types(mode),
        chromiumPath === undefined ? noBrowser : browser(chromiumPath, mode),
      ],
    },
  };
});

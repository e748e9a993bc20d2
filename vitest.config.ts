// How the tests run: in Node, against the types and in a real browser. Long tests are projects of
// their own.
import { randomInt } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { playwright } from "@vitest/browser-playwright";
import { msw } from "msw/vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { commands } from "./test/browser/commands.ts";
import { chromiumPath } from "./test/support/chromium.ts";

// A developer's settings for colours, proxies and CI must not change the outcome of a test.
for (const name of Object.keys(process.env))
  if (/^(ci|force_color|(https?|all|no)_proxy|node_use_env_proxy)$/i.test(name))
    delete process.env[name];
process.env.NODE_ENV = "test";
// Node caches compiled modules here, so that the processes which tests start load faster.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

/** Resolves `mrc-explorer` in examples to the sources, as tsconfig.json does. */
const resolve = { tsconfigPaths: true };

const LONG = ["test/**/*.long.test.ts", "test/package/**/*.test.ts"];
const NIGHTLY = "test/**/*.nightly.test.ts";

interface Selection {
  readonly include: string[];
  readonly exclude?: readonly string[];
  /** Time limit of a test in ms: generous, so that a busy machine fails no test. */
  readonly timeout: number;
  /** Factor for the number of cases of a property test; see `runs` in test/support/runs.ts. */
  readonly cases: number;
  readonly seed?: string;
}

function nodeProject(
  name: string,
  { include, exclude = [], timeout, cases, seed = "1717" }: Selection,
): TestProjectInlineConfiguration {
  const { PROPERTY_SEED = seed, PROPERTY_RUNS = `${cases}` } = process.env;
  return {
    resolve,
    test: {
      name,
      environment: "node",
      include,
      exclude: ["**/node_modules/**", "test/browser/**", ...exclude],
      setupFiles: ["test/support/runs.ts", "test/support/put-back.ts"],
      env: { PROPERTY_SEED, PROPERTY_RUNS },
      benchmark: { include: name === "node" ? ["test/bench/**/*.bench.ts"] : [] },
      // Loading the modules again for each of 250 files would double the time of `npm test`.
      isolate: false,
      execArgv: ["--max-old-space-size=1536"],
      testTimeout: timeout,
      hookTimeout: timeout,
      // Below the test's own limit, so that a poll that fails names the value it waited for.
      expect: { poll: { timeout: Math.min(60_000, timeout / 2) } },
      // 40 characters by default, so that messages and titles have "{ code: +0, …(1) }".
      chaiConfig: { truncateThreshold: 400 },
      taskTitleValueFormatTruncate: 100,
    },
  };
}

/** Property tests, with many cases from a new seed. */
function lawsProject(): TestProjectInlineConfiguration {
  const seed = `${randomInt(1, 2 ** 31)}`;
  const include = globSync("test/**/*.test.ts", {
    exclude: (path) => path.includes("node_modules"),
  }).filter((file) => /"fast-check"|\/runs\.ts"/.test(readFileSync(file, "utf8")));
  return nodeProject("laws", { include, timeout: 9_000_000, cases: 10, seed });
}

const types: TestProjectInlineConfiguration = {
  test: {
    name: "types",
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      checker: "node_modules/typescript-7/bin/tsc",
      include: ["test/types/**/*.test-d.ts"],
      tsconfig: "test/types/tsconfig.json",
    },
    benchmark: { include: [] },
  },
};

/** Without a browser, one skipped test takes the place of the browser tests, so that the count shows it. */
const noBrowser: TestProjectInlineConfiguration = {
  test: { name: "browser", include: ["test/support/no-chromium.ts"], benchmark: { include: [] } },
};

const browser = (executablePath: string): TestProjectInlineConfiguration => ({
  resolve,
  plugins: [msw({ mode: "worker-only" })],
  // Vite would reload the page in the middle of a test when it finds another dependency.
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
    // One file at a time, because a service worker belongs to the whole origin.
    fileParallelism: false,
    benchmark: { include: [] },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    browser: {
      enabled: true,
      headless: true,
      connectTimeout: 60_000,
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

export default defineConfig({
  test: {
    // Vitest leaves one core free by default, which is half of a small machine.
    maxWorkers: "100%",
    reporters: ["default", "./test/support/closing-line.ts"],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts", "mocks/**/*.ts"],
      reporter: ["text", "lcov"],
    },
    projects: [
      nodeProject("node", {
        include: ["test/**/*.test.ts"],
        exclude: [...LONG, NIGHTLY],
        timeout: 60_000,
        cases: 0.25,
      }),
      types,
      chromiumPath === undefined ? noBrowser : browser(chromiumPath),
      nodeProject("long", { include: LONG, exclude: [NIGHTLY], timeout: 300_000, cases: 0.25 }),
      nodeProject("nightly", { include: [NIGHTLY], timeout: 900_000, cases: 1 }),
      lawsProject(),
    ],
  },
});

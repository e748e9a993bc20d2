// How the tests run: in Node, against the types, and in a real browser.
import { existsSync } from "node:fs";
import { playwright } from "@vitest/browser-playwright";
import { msw } from "msw/vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { commands } from "./test/browser/commands.ts";

const chromium = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && existsSync(path),
);
if (chromium === undefined) {
  console.warn(
    "\n*** No Chromium: the browser tests will NOT run. Install it (apt-get install chromium) or set CHROMIUM_PATH. ***\n",
  );
}

/** The examples import the package by its name: from the sources, as tsconfig.json says. */
const resolve = { tsconfigPaths: true };

/** What `npm run test:quick` leaves out: the slowest tests, and those that need anvil, compilers, a package or a browser. */
const slow = [
  "test/{e2e,examples,fuzz,laws,package,verification}/**",
  "test/{builder,ingest}/*node.test.ts",
  "test/chain/oracle.test.ts",
  "test/cli/{kill,verify-project}.test.ts",
  "test/docs/examples.test.ts",
  "test/http/{load,memory}.test.ts",
  "test/follow/store-kills.test.ts",
  "test/lists/service.test.ts",
  "test/page/{hostile,node,views}.test.ts",
  "test/transports/{chromium,journal-budget,port-protocol,same-bytes}.test.ts",
];

/** CI runs a failed test once more, since its machines may be busy; the closing line's reporter tells which, and why. */
const retry = process.env.CI ? 1 : 0;

/** Judged from clones of other verifiers' repositories, by `npm run suites`. */
const suites = "test/verification/suites/**";

const unit = (mode: string): TestProjectInlineConfiguration => ({
  resolve,
  test: {
    name: "unit",
    environment: "node",
    include: ["test/**/*.test.ts"],
    exclude: [
      "**/node_modules/**",
      "test/browser/**",
      ...(mode === "suites" ? [] : [suites]),
      ...(mode === "quick" ? slow : []),
    ],
    benchmark: { include: ["test/bench/**/*.bench.ts"] },
    retry,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

const types: TestProjectInlineConfiguration = {
  test: {
    name: "types",
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      include: ["test/types/**/*.test-d.ts"],
      tsconfig: "test/types/tsconfig.json",
    },
    benchmark: { include: [] },
  },
};

const browser = (executablePath: string): TestProjectInlineConfiguration => ({
  resolve,
  plugins: [msw({ mode: "worker-only" })],
  // All at once: a dependency found later reloads the page in the middle of a test.
  optimizeDeps: {
    include: [
      ...["fast-check", "ky", "msw", "msw/browser", "zod/mini"],
      ...["ox/AbiItem", "ox/ContractAddress", "ox/Hash", "ox/Rlp"],
      ...["react", "react/jsx-runtime", "react/jsx-dev-runtime", "react-dom/client"],
      "@tanstack/react-query",
    ],
  },
  test: {
    name: "browser",
    include: ["test/browser/**/*.browser.test.ts"],
    // A service worker is the whole origin's: the files take turns.
    fileParallelism: false,
    benchmark: { include: [] },
    retry,
    testTimeout: 30_000,
    browser: {
      enabled: true,
      headless: true,
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

export default defineConfig(({ mode }) => ({
  test: {
    // Every core works: of two, vitest would use one.
    maxWorkers: "100%",
    reporters: ["default", "./test/support/closing-line.ts"],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts", "mocks/**/*.ts"],
      reporter: ["text", "lcov"],
    },
    projects: [unit(mode), types, chromium === undefined ? noBrowser : browser(chromium)],
  },
}));

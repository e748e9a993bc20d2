// The tests that `npm run mutate` runs: the quick ones in Node, without types and browsers.
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: [
      "test/{http,errors,lists,models,resources,contract,chain,operations,service,message}/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/*.long.test.ts"],
    testTimeout: 60_000,
    setupFiles: ["test/support/runs.ts", "test/support/put-back.ts"],
    env: { PROPERTY_SEED: "1717", PROPERTY_RUNS: "0.25" },
  },
});

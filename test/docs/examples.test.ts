// The examples of docstrings are true: each runs on the demo chain.
import { afterAll, expect, test } from "vitest";
import { run } from "./program.ts";
import { closeScope, createScope } from "./scope.ts";
import { examples } from "./snippets.ts";

afterAll(closeScope);

/** Examples that cannot run here, by a word in them, and the place where they run. */
const elsewhere: Readonly<Record<string, string>> = {
  setupExplorerWorker: "needs a page: test/browser",
  setupExplorer: "needs the hooks of a test file: test/msw/lifecycle.test.ts",
  isolated: "needs the hooks of a test file: test/msw/lifecycle.test.ts",
  followNode: "needs a node: test/follow/follow-node.served.test.ts",
  startFollowing: "needs a node: test/follow/follow-node.faults.test.ts",
  createProxy: "needs an explorer: test/recording.test.ts",
  createReplay: "needs a recording: test/recording.test.ts",
  loadChain: "needs a folder: test/ingest/load-chain.test.ts",
};

test.for(
  examples()
    .filter(({ code }) => !Object.keys(elsewhere).some((word) => code.includes(word)))
    .map((example) => [example.place, example] as const),
)("%s runs", async ([, example]) => {
  const scope = await createScope();
  await run(example, scope);
  // A loop over nothing shows nothing.
  expect(scope.printed.length > 0).toBe(example.code.includes("console.log("));
});

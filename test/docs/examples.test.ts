// The examples of docstrings are true: each has the right types, and runs on the demo chain.
import { afterAll, expect, test } from "vitest";
import { run, typeErrors } from "./program.ts";
import { closeScope, createScope } from "./scope.ts";
import { examples } from "./snippets.ts";

afterAll(closeScope);

const programs = examples().map((example) => ({ name: example.place, snippets: [example] }));

/** What is shown and cannot run here, by a word in it, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  setupExplorerWorker: "needs a page: test/browser",
  setupExplorer: "needs the hooks of a test file: test/transports/lifecycle.test.ts",
  isolated: "needs the hooks of a test file: test/transports/lifecycle.test.ts",
  followNode: "needs a node: test/follow/follow-node.test.ts",
  startFollowing: "needs a node: test/follow/node-faults.test.ts",
  loadChain: "needs a folder: test/follow/recorded-chain.test.ts",
};

test("every example has the right types", { timeout: 120_000 }, async () => {
  const names = Object.keys(await createScope());
  expect(
    typeErrors(
      programs.map(({ snippets }) => snippets),
      names,
    ),
  ).toEqual([]);
});

test.for(
  programs
    .map(({ name, snippets }) => ({
      name,
      snippets: snippets.filter(
        ({ code }) => !Object.keys(elsewhere).some((word) => code.includes(word)),
      ),
    }))
    .filter(({ snippets }) => snippets.length > 0),
)("$name runs", async ({ snippets }) => {
  const scope = await createScope();
  await run(snippets, scope);
  // A loop over nothing shows nothing.
  const prints = snippets.some(({ code }) => code.includes("console.log("));
  expect(scope.printed.length > 0).toBe(prints);
});

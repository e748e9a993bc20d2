// The check of comments and names, which `npm run check` runs.
import { expect, test } from "vitest";
import { problemsIn } from "../../scripts/check-comments.ts";

const placesIn = (text: string) => problemsIn("a.ts", text).map(({ kind, place }) => [kind, place]);

test.each([
  ["/** What a block has. */", "start"],
  ["  // By hash, of the newest block.", "start"],
  ["const given = 1;", "name"],
  [`// ${"x".repeat(120)}`, "wide"],
])("a reader stumbles over %s", (line, kind) => {
  expect(placesIn(`\n${line}\n`)).toEqual([[kind, "a.ts:2"]]);
});

test.each([
  "/** Returns the newest block. */",
  "// biome-ignore lint: What it says",
  "const { given, found } = options;",
  `const text = "${"x".repeat(120)}";`,
  'const url = "https://What.example";',
])("nobody stumbles over %s", (line) => {
  expect(placesIn(line)).toEqual([]);
});

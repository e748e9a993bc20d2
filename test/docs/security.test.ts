// docs/security.md: what it promises names the tests that show it, and they exist.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";

const [promises = ""] = packageFile("docs/security.md").read().split("## What is not defended");

/** The rows of its tables and the items of its lists, without those of a table's head. */
const statements = promises
  .replaceAll(/\n {2}(?=\S)/g, " ")
  .split("\n")
  .filter(
    (line, index, lines) =>
      /^(\||- )/.test(line) && !/^\|[-|]+$/.test(line) && !/^\|[-|]+$/.test(lines[index + 1] ?? ""),
  );

const testsIn = (text: string): string[] =>
  [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path = ""]) => path);

test("every statement names a test", () => {
  expect(statements.length).toBeGreaterThan(35);
  expect(statements.filter((text) => testsIn(text).length === 0)).toEqual([]);
});

test("every test that it names exists", () => {
  const missing = testsIn(promises).filter(
    (path) => !existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url))),
  );
  expect(missing).toEqual([]);
});

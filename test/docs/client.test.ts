// docs/client.md has every option and every error, and docstrings have the limits of the contract.
import { expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { limits } from "../../src/contract/index.ts";

const page = packageFile("docs/client.md").read();

/** The names in the first column of the table below a heading. */
function firstColumn(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = ""]) => name);
}

test("every option of the client is in the table", () => {
  const [, options = ""] =
    /export interface ExplorerClientOptions \{([\s\S]*?)\n\}/.exec(
      packageFile("src/settings.ts").read(),
    ) ?? [];
  const names = [...options.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(firstColumn("Create a client")).toEqual(names);
});

test("every error is in the table, with what to do", () => {
  const [, codes = ""] =
    /export type ErrorCode =([\s\S]*?);/.exec(packageFile("src/errors/base.ts").read()) ?? [];
  const names = [...codes.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(firstColumn("Handle errors").sort()).toEqual(names.sort());
});

test("the docstring of `limit` has the limits of the contract", () => {
  const [, text = "", size = ""] =
    /(number of records per page[\s\S]*?)@default (\d+)\n {3}\*\/\n {2}readonly limit\?/.exec(
      packageFile("src/resources/queries.ts").read(),
    ) ?? [];
  expect(text).toContain(`, from ${limits.min} to ${limits.max}.`);
  expect(Number(size)).toBe(limits.default);
});

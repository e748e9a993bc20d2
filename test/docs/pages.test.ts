// The generated pages are committed as they are generated.
import { expect, test } from "vitest";
import { pages } from "../../scripts/docs.ts";
import { packageFile } from "../../scripts/package-file.ts";
import { decisions } from "../../src/contract/decisions.ts";

test.each(Object.keys(pages))("%s is the latest", (path) => {
  expect(packageFile(path).read(), "run: npm run ci:pages").toBe(pages[path]?.());
});

test("decisions are numbered once each, without gaps", () => {
  for (const letter of ["R", "S"]) {
    const ids = decisions.map(({ id }) => id).filter((id) => id.startsWith(letter));
    expect(ids).toEqual(ids.map((_, index) => `${letter}${index + 1}`));
  }
});

/** Characters of code in a README on GitHub: 830 px less padding, at 13.6 px. */
const GITHUB_COLUMNS = 96;

test("no code block of the README scrolls on GitHub, and its first picture comes with its first lines", () => {
  const readme = packageFile("README.md").read();
  const blocks = [...readme.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  expect(blocks.length).toBeGreaterThan(10);
  const lines = blocks.flatMap((code) => code.split("\n"));
  expect(lines.filter((line) => line.length > GITHUB_COLUMNS)).toEqual([]);
  expect(readme.split("\n").findIndex((line) => line.startsWith("!["))).toBeLessThan(20);
});

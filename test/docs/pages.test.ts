// The generated pages are committed as they are generated.
import { expect, test } from "vitest";
import { pages } from "../../scripts/docs.ts";
import { packageFile } from "../../scripts/package-file.ts";

test.each(Object.keys(pages))("%s is the latest", (path) => {
  expect(packageFile(path).read(), "run: npm run ci:pages").toBe(pages[path]?.());
});

const decisions = packageFile("docs/decisions.md").read();

test("decisions are numbered once each, without gaps", () => {
  for (const letter of ["R", "S"]) {
    const rows = decisions.matchAll(new RegExp(`^\\| (${letter}\\d+) \\|`, "gm"));
    const ids = [...rows].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(20);
    expect(ids).toEqual(ids.map((_, index) => `${letter}${index + 1}`));
  }
});

/** Characters of code in a README on GitHub: 830 px less padding, at 13.6 px. */
const GITHUB_COLUMNS = 96;

const readme = packageFile("README.md").read();

test("no code block of the README scrolls on GitHub", () => {
  const blocks = [...readme.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  expect(blocks.length).toBeGreaterThan(10);
  const lines = blocks.flatMap((code) => code.split("\n"));
  expect(lines.filter((line) => line.length > GITHUB_COLUMNS)).toEqual([]);
});

test("the first screen of the README has the install command, a program and a picture", () => {
  const screen = readme.split("\n").slice(0, 30).join("\n");
  expect(screen).toContain("npm install mrc-explorer");
  expect(screen).toMatch(/^```ts$/m);
  expect(screen).toMatch(/^!\[.+\]\(docs\/page\.png\)$/m);
});

// The generated pages are committed as they are generated.
import { expect, test } from "vitest";
import { pages } from "../../scripts/docs.ts";
import { packageFile } from "../../scripts/package-file.ts";
import { decisions } from "../../src/contract/decisions.ts";

test.each(Object.keys(pages))("%s is the latest", (path) => {
  expect(packageFile(path).read(), "run: npm run docs:pages").toBe(pages[path]?.());
});

test("decisions are numbered once each, without gaps", () => {
  for (const letter of ["R", "S"]) {
    const ids = decisions.map(({ id }) => id).filter((id) => id.startsWith(letter));
    expect(ids).toEqual(ids.map((_, index) => `${letter}${index + 1}`));
  }
});

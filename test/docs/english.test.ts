// Plain English in what people read: phrases that a native reader stumbled over stay gone.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Pages, messages and comments; not what is generated. */
const written = globSync(
  ["*.md", "docs/**/*.md", ".changeset/*.md", "{src,mocks,examples,scripts}/**/*.{ts,mts,mjs,tsx}"],
  { cwd: root, exclude: ["**/node_modules"] },
).filter((path) => !/^(docs\/api\/|NOTICE|docs\/(decisions|operations))/.test(path));

/** What readers of pages and messages see. */
const pages = written.filter((path) => !/^(src\/(?!cli)|mocks|scripts)/.test(path));

const anywhere = [
  ...["does not tell", "only those behind them", "this is for reading", "At most so often"],
  ...["So often in a row", "So many are kept", "So many polls", "fails aloud", "So it is for"],
  ...["leaves nothing behind", "brings one: a mock", "goes on behind", "on what reads only"],
  ...["leave cells as they are", "What requires", "address in digits", "name counts"],
  ...["asking a filter", "is asked when it is read", "mean one thing only"],
  ...["what the methods leave out", "secret on its way", "who sent it tokens", "as they come"],
  ...["asked for alone", "says of itself", "is no fault of"],
];
const habits = ["goes on", "go on ", "as far as", " told ", " tells ", "brings"];

test.each([
  ...anywhere.map((phrase) => [phrase, written] as const),
  ...habits.map((phrase) => [phrase, pages] as const),
])('nobody has to read "%s"', (phrase, files) => {
  expect(files.length).toBeGreaterThan(30);
  const found = files.flatMap((path) =>
    readFileSync(`${root}${path}`, "utf8")
      .split("\n")
      .flatMap((line, index) =>
        line.includes(phrase) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
  expect(found).toEqual([]);
});

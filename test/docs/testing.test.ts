// The page about testing shows the examples as they are run.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";

const page = packageFile("docs/testing.md").read();

test.each(readdirSync(new URL("../../examples/testing", import.meta.url)))("%s", (name) => {
  const example = packageFile(`examples/testing/${name}`).read();
  expect(page.includes(example), `docs/testing.md shows another examples/testing/${name}`).toBe(
    true,
  );
});

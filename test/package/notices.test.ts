// NOTICE.md has the licence of every package whose code is in the files of `dist`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Consumer, createConsumer } from "./consumer.ts";

let project: Consumer;
beforeAll(() => {
  project = createConsumer();
}, 240_000);
afterAll(() => project?.remove());

/** The packages that the source maps of a folder name. */
function bundledIn(folder: string): string[] {
  const maps = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".map"),
  );
  const sources = maps.flatMap(
    (name) =>
      (JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly sources: string[] })
        .sources,
  );
  const names = sources.flatMap(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

test("NOTICE.md names the bundled packages, all and no others", () => {
  const installed = join(project.folder, "node_modules/mrc-explorer");
  const notices = readFileSync(join(installed, "NOTICE.md"), "utf8");
  const named = [...notices.matchAll(/^## (.+)$/gm)].map(([, name]) => name).sort();
  const bundled = bundledIn(join(installed, "dist"));
  expect(bundled).toContain("ky");
  expect(named).toEqual(bundled);
});

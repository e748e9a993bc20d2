// NOTICE.md has the licence of every package whose code is in the files of `dist`.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import { build as buildPage } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { programs } from "../../tsup.config.ts";
import { temporaryFolder } from "../support/project.ts";

/** The packages in the files that a build writes to a folder, by their source maps. */
async function bundledBy(build: (folder: string) => Promise<unknown>): Promise<string[]> {
  const folder = temporaryFolder("bundled", onTestFinished);
  await build(folder);
  const maps = globSync(join(folder, "**/*.map")).map(
    (path) => JSON.parse(readFileSync(path, "utf8")) as { readonly sources: readonly string[] },
  );
  return maps.flatMap(({ sources }) =>
    sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
}

test("NOTICE.md names the bundled packages, all and no others", async () => {
  const named = [
    ...packageFile("NOTICE.md")
      .read()
      .matchAll(/^## (.+)$/gm),
  ].map(([, name]) => name);
  const builds = programs.map(
    (options) => (outDir: string) =>
      build({ ...options, outDir, sourcemap: true, config: false, silent: true }),
  );
  const configFile = "vite.config.ts";
  const page = (outDir: string) =>
    buildPage({ configFile, logLevel: "error", build: { outDir, sourcemap: true } });
  const bundled = new Set((await Promise.all([...builds, page].map(bundledBy))).flat());
  expect(bundled).toContain("ky");
  expect(named.sort()).toEqual([...bundled].sort());
});

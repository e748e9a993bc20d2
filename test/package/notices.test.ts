// NOTICE.md has the licence of every package whose code is in the files of `dist`.
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { expect, onTestFinished, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { programs } from "../../tsup.config.ts";

/** The packages in the files of a build, by the source maps that it can make. */
async function bundledBy(options: (typeof programs)[number]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "mrc-explorer-bundled-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await build({ ...options, outDir: folder, sourcemap: true, config: false, silent: true });
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
  const bundled = new Set((await Promise.all(programs.map(bundledBy))).flat());
  expect(bundled).toContain("ky");
  expect(named.sort()).toEqual([...bundled].sort());
});

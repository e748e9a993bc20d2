// NOTICE.md has the licence of every package whose code is in the files of `dist`.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { afterAll, beforeAll, expect, test } from "vitest";
import { page } from "../../tsup.config.ts";
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
  return packagesOf(sources);
}

const packagesOf = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);

/** The packages in the page, which is published without source maps: those of the same build, as esbuild tells. */
async function bundledInPage(): Promise<string[]> {
  const outDir = mkdtempSync(join(tmpdir(), "mrc-explorer-page-"));
  await build({ ...page, outDir, metafile: true, config: false, silent: true });
  const { outputs } = JSON.parse(readFileSync(join(outDir, "metafile-esm.json"), "utf8")) as {
    readonly outputs: Readonly<Record<string, { readonly inputs: object }>>;
  };
  return packagesOf(Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)));
}

test("NOTICE.md names the bundled packages, all and no others", async () => {
  const installed = join(project.folder, "node_modules/mrc-explorer");
  const notices = readFileSync(join(installed, "NOTICE.md"), "utf8");
  const named = [...notices.matchAll(/^## (.+)$/gm)].map(([, name]) => name).sort();
  const inDist = bundledIn(join(installed, "dist"));
  const bundled = [...new Set([...inDist, ...(await bundledInPage())])].sort();
  expect(bundled).toContain("ky");
  expect(named).toEqual(bundled);
});

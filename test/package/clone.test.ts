// What npm packs in a fresh clone, which has no `dist`.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

const isClone = existsSync(join(root, ".git"));
if (!isClone) console.warn("\n*** SKIPPED, not tested: a fresh clone. This folder is none. ***\n");

test.skipIf(!isClone)(
  "npm builds and packs the whole package, and nothing that its users do not need",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "mrc-explorer-clone-"));
    try {
      const tracked = execFileSync(
        "git",
        ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        { cwd: root, encoding: "utf8" },
      );
      for (const path of tracked.split("\0").filter(Boolean))
        cpSync(join(root, path), join(folder, path), { recursive: true });
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
      const packed = execFileSync("npm", ["pack", "--json"], { cwd: folder, encoding: "utf8" });
      const [start, end] = [packed.indexOf("[\n"), packed.lastIndexOf("]") + 1];
      const [{ files, unpackedSize, filename }] = JSON.parse(packed.slice(start, end)) as [
        { files: { path: string; size: number }[]; unpackedSize: number; filename: string },
      ];
      const paths = files.map(({ path }) => path);
      for (const name of [
        "index",
        "tanstack",
        "proxy",
        "mocks/index",
        "mocks/node",
        "mocks/msw",
        "mocks/browser",
      ])
        for (const ending of ["js", "cjs", "d.ts", "d.cts"])
          expect(paths).toContain(`dist/${name}.${ending}`);
      expect(paths).toEqual(expect.arrayContaining(["dist/cli.js", "NOTICE.md", "openapi.json"]));
      // The mock server is the one large file of each format, beside that for pages without a bundler: a copy for the command line would be another.
      const large = files.filter(({ size }) => size > 250_000).map(({ path }) => path);
      expect(large).toContain("dist/browser.js");
      expect(large.filter((path) => /^dist\/[^/]+$/.test(path))).toHaveLength(3);
      expect(paths.filter((path) => /\.map$|helpers|^(src|scripts|test)\//.test(path))).toEqual([]);
      expect(unpackedSize).toBeLessThan(4_800_000);
      // npm would run it where somebody installs the unpacked package, which has nothing to build.
      const published = execFileSync("tar", [
        "-xzOf",
        join(folder, filename),
        "package/package.json",
      ]);
      expect(JSON.parse(`${published}`).scripts).not.toHaveProperty("prepare");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  // It builds the package.
  300_000,
);

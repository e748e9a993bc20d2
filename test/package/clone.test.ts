// A fresh clone has no `dist`: npm builds before it packs, and where it installs from git.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("npm packs a whole package from a clone without dist", () => {
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
    const [{ files }] = JSON.parse(packed.slice(start, end)) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    for (const name of ["index", "mocks/index", "mocks/node", "mocks/msw", "mocks/browser"])
      for (const ending of ["js", "cjs", "d.ts", "d.cts"])
        expect(paths).toContain(`dist/${name}.${ending}`);
    expect(paths).toEqual(expect.arrayContaining(["dist/cli.js", "NOTICE.md", "openapi.json"]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);

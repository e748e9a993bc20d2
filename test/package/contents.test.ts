// The contents of the package: all that users need, and nothing else.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packed } from "./packed.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Contents {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly unpackedSize: number;
}

test("it has every entry with its types, the page, the notices and the documents", () => {
  const tarball = packed();
  const words = ["pack", "--json", "--dry-run", "--ignore-scripts"];
  const listed = execFileSync("npm", words, { cwd: root, encoding: "utf8" });
  const [contents] = JSON.parse(listed) as [Contents];
  const { files, unpackedSize } = contents;
  const paths = files.map(({ path }) => path);
  const entries = ["index", "tanstack", "proxy"];
  for (const name of [
    ...entries,
    ...["index", "node", "msw", "browser"].map((of) => `mocks/${of}`),
  ])
    for (const ending of ["js", "cjs", "d.ts", "d.cts"])
      expect(paths).toContain(`dist/${name}.${ending}`);
  expect(paths).toEqual(
    expect.arrayContaining(["dist/cli.js", "dist/page/index.html.br", "NOTICE.md", "openapi.json"]),
  );
  // The pages for users, so that an editor or an agent finds them offline.
  const pages = files.filter(({ path }) => path.startsWith("docs/"));
  expect(pages.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["docs/testing.md", "docs/faults.md", "docs/recipes/react.md"]),
  );
  expect(pages.filter(({ path }) => !/^docs\/(recipes\/)?[\w-]+\.md$/.test(path))).toEqual([]);
  expect(pages.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(400_000);
  // The mock explorer is one large file per format, which the command line shares. The others are
  // browser.js, and the MCP server, which only one command loads.
  const large = files.filter(({ size }) => size > 220_000).map(({ path }) => path);
  expect(large).toContain("dist/browser.js");
  expect(large.filter((path) => /^dist\/[^/]+$/.test(path))).toHaveLength(4);
  expect(paths.filter((path) => /\.map$|helpers|^(src|scripts|test)\//.test(path))).toEqual([]);
  expect(unpackedSize).toBeLessThan(5_700_000);
  // npm would run it where somebody installs the unpacked package, which has nothing to build.
  const published = execFileSync("tar", ["-xzOf", tarball, "package/package.json"]);
  expect(JSON.parse(`${published}`).scripts).not.toHaveProperty("prepare");
});

// The weight of the packed package: the table in docs/dependencies.md is written from it.
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { packed } from "./packed.ts";

/** The parts of the package, with the files that each consists of. */
const parts = [
  [
    "ESM, with the command line",
    /^dist\/.*\.js$/,
    "not minified, so that stack traces and debuggers show readable code",
  ],
  ["CommonJS", /\.cjs$/, "for `require` in jest and in older programs"],
  ["types", /\.d\.c?ts$/, "for both formats"],
  [
    "the demo chain and `openapi.json`",
    /^(mocks\/demo\/|openapi)/,
    "`loadDemo()` and `serve` work without a network",
  ],
  ["the page, licences, README", /./, "the page that a served mock server has at `/`"],
] as const;

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

function bytesOf(path: string): number {
  const { size, ...stats } = statSync(path);
  return (stats.mode & 0o170000) === 0o040000
    ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
    : size;
}

test("docs/dependencies.md says it", () => {
  const listing = execFileSync("npm", ["pack", packed(), "--json", "--dry-run"], {
    encoding: "utf8",
  });
  const [{ files, size, unpackedSize }] = JSON.parse(listing.slice(listing.indexOf("["))) as [
    { files: { path: string; size: number }[]; size: number; unpackedSize: number },
  ];
  const sums = new Map<string, number>();
  for (const { path, size: bytes } of files) {
    const isPage = path.startsWith("dist/page/");
    const [name] = parts.find(([, pattern]) => !isPage && pattern.test(path)) ?? parts[4];
    sums.set(name, (sums.get(name) ?? 0) + bytes);
  }
  const { dependencies } = JSON.parse(packageFile("package.json").read()) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const installed = Object.keys(dependencies).map((name) => ({
    name,
    bytes: bytesOf(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))),
  }));
  const total = installed.reduce((sum, { bytes }) => sum + bytes, unpackedSize);
  const lines = [
    `\`npm install mrc-explorer\` installs ${megabytes(total)} MB in ${installed.length + 1} packages; ${megabytes(size)} MB are downloaded of ours:`,
    "",
    "| part | MB | why |",
    "| --- | --- | --- |",
    ...parts.map(
      ([name, , why]) =>
        `| \`mrc-explorer\`: ${name} | ${megabytes(sums.get(name) ?? 0)} | ${why} |`,
    ),
    ...installed.map(({ name, bytes }) => `| \`${name}\` | ${megabytes(bytes)} | see above |`),
  ].join("\n");

  const page = packageFile("docs/dependencies.md");
  const between = /(?<=<!-- weight -->\n)[\s\S]*?(?=\n<!-- \/weight -->)/;
  const [written = ""] = between.exec(page.read()) ?? [];
  if (process.env.UPDATE_DOCS) return page.write(page.read().replace(between, lines));
  // A tenth of a megabyte comes and goes with the work of a week.
  const figures = (text: string) => [...text.matchAll(/\d+\.\d/g)].map(Number);
  const words = (text: string) => text.replaceAll(/\d+\.\d/g, "…");
  expect(words(written), "UPDATE_DOCS=1 writes it").toBe(words(lines));
  const now = figures(lines);
  for (const [index, figure] of figures(written).entries())
    expect(Math.abs(figure - (now[index] ?? 0)), "UPDATE_DOCS=1 writes it").toBeLessThan(0.35);
});

// Pages show the examples as they are run, name the file of each program, and have a place on the site.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { pagePrograms } from "./snippets.ts";

const filesOf = (folder: string) =>
  readdirSync(new URL(`../../examples/${folder}`, import.meta.url))
    .filter((name) => /\.(m?[jt]sx?|py|sh)$/.test(name))
    .map((name) => `examples/${folder}/${name}`);
const recipePages = readdirSync(new URL("../../docs/recipes", import.meta.url)).map(
  (name) => `docs/recipes/${name}`,
);

test.each([
  ...filesOf("testing").map((name) => [name, ["docs/testing.md"]] as const),
  ...filesOf("accounting").map((name) => [name, ["docs/accounting.md"]] as const),
  ...filesOf("recipes").map((name) => [name, recipePages] as const),
])("%s is shown as it is", (name, pages) => {
  const example = packageFile(name).read();
  const shown = pages.some((page) => packageFile(page).read().includes(example));
  expect(shown, `no page of ${pages.join()} shows ${name} as it is`).toBe(true);
});

test.each<[string, string, string, RegExp, (name: string) => string]>([
  [
    "fault",
    "docs/faults.md",
    "mocks/faults/parse-fault.ts",
    /^(?: {2}|const \w+ = )fault\("([\w-]+)"/gm,
    (name) => `| \`${name}\` |`,
  ],
  [
    "view of the page",
    "docs/page.md",
    "mocks/page/app.tsx",
    /^ {2}(\w+): (?:\w+View|Search|async \(\) => \(await import)\b/gm,
    (name) => `\`#/${name}`,
  ],
  [
    "query for TanStack with another name than its method",
    "docs/recipes/react.md",
    "src/tanstack.ts",
    /^ {2}(\w+): (?:result|list)\("\w+", "(?!\1")\w+"\)/gm,
    (name) => `\`${name}\``,
  ],
])("every %s is in a table of %s", (_, page, file, names, shown) => {
  const testNames = [...packageFile(file).read().matchAll(names)].map(([, name = ""]) => name);
  expect(testNames.length).toBeGreaterThan(8);
  const text = packageFile(page).read();
  expect(testNames.filter((name) => !text.includes(shown(name)))).toEqual([]);
});

test("the states by the mock and by hand have the bytes of their code", () => {
  const [mock, byHand] = ["scenarios", "by-hand"].map((name) =>
    packageFile(`examples/testing/${name}.test.mts`).read(),
  ) as [string, string];
  const parts = (file: string) => [...file.split(/\n(?=test\()/).map((part) => part.trim()), file];
  const bytes = (text = "") => Buffer.byteLength(text).toLocaleString("en");
  const rows = parts(mock).map((part, index) => {
    const [, name = index === 0 ? "what all tests share" : "**the file**"] =
      /^test\("(.*?)"/.exec(part) ?? [];
    return `| ${name} | ${bytes(part)} | ${bytes(parts(byHand)[index])} |`;
  });
  expect(rows).toHaveLength(14);
  const page = packageFile("docs/testing.md").read();
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

test("every block of TypeScript on a page names its file", () => {
  const { programs, nameless } = pagePrograms();
  expect(programs.length).toBeGreaterThan(25);
  expect(nameless).toEqual([]);
});

test("every page has a place in the site's navigation", () => {
  const folder = new URL("../../docs/", import.meta.url);
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".md") && !name.startsWith("api"),
  );
  const { projectDocuments } = JSON.parse(packageFile("typedoc.json").read()) as {
    readonly projectDocuments: readonly string[];
  };
  const places = projectDocuments.flatMap((page) => [
    page.replace("docs/", ""),
    ...[
      ...packageFile(page)
        .read()
        .matchAll(/^ {2}- (\S+\.md)$/gm),
    ].map(([, child]) => child),
  ]);
  // The first page of the site is not in its navigation.
  expect([...places, "home.md"].sort()).toEqual(pages.sort());
});

// The code that documentation shows: the examples of docstrings, and the programs on pages.
import { readdirSync, readFileSync } from "node:fs";

/** A piece of code as a reader finds it. */
export interface Snippet {
  /** Where it stands: "src/client.ts:48". */
  readonly place: string;
  readonly code: string;
}

const root = new URL("../../", import.meta.url);

const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length;

const filesBelow = (folder: string, ends: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ends))
    .sort()
    .map((name) => `${folder}${name}`);

function inFile(path: string, pattern: RegExp, codeOf: (found: string) => string): Snippet[] {
  const text = readFileSync(new URL(path, root), "utf8");
  return [...text.matchAll(pattern)].map(({ 1: found = "", index }) => ({
    place: `${path}:${lineAt(text, index)}`,
    code: codeOf(found),
  }));
}

/** Returns the text of a docstring without its stars and the fence of its code. */
const plain = (found: string) =>
  found
    .replaceAll(/^[ \t]*\*[ ]?/gm, "")
    .replaceAll(/^```.*$/gm, "")
    .trim();

const EXAMPLE = /@example\n((?:[ \t]*\*(?! @|\/).*\n)+)/g;
const FENCE = /^```tsx?\n([\s\S]*?)^```$/gm;

/** Every `@example` of the sources. */
export const examples = (): Snippet[] =>
  ["src/", "mocks/"].flatMap((folder) =>
    filesBelow(folder, ".ts").flatMap((path) => inFile(path, EXAMPLE, plain)),
  );

/** A program as a page shows it, in one block or several: those whose first lines name the same file. */
export interface PageProgram {
  readonly page: string;
  readonly file: string;
  readonly blocks: readonly Snippet[];
}

/** The files of examples/ that pages show whole. They run in tests of their own. */
export const exampleFiles = (): { readonly path: string; readonly code: string }[] =>
  ["examples/accounting/", "examples/testing/", "examples/recipes/"].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => /\.m?tsx?$/.test(name))
      .map((name) => ({
        path: `${folder}${name}`,
        code: readFileSync(new URL(`${folder}${name}`, root), "utf8").trim(),
      })),
  );

/** The first line of a program: the name of its file. */
const NAME = /^\/\/ (\S+\.m?tsx?)\n/;

/** The blocks of TypeScript on pages: programs by their file, and the places of blocks that name none. */
export function pagePrograms(): {
  readonly programs: readonly PageProgram[];
  readonly nameless: readonly string[];
} {
  const shown = new Set(exampleFiles().map(({ code }) => code));
  const pages = ["README.md", ...filesBelow("docs/", ".md")].filter(
    (path) => !path.includes("/api/"),
  );
  const programs: PageProgram[] = [];
  const nameless: string[] = [];
  for (const page of pages) {
    const files = new Map<string, Snippet[]>();
    for (const block of inFile(page, FENCE, (found) => found.trim())) {
      if (shown.has(block.code)) continue;
      const [, file] = NAME.exec(block.code) ?? [];
      if (file === undefined) nameless.push(block.place);
      else files.set(file, [...(files.get(file) ?? []), block]);
    }
    for (const [file, blocks] of files) programs.push({ page, file, blocks });
  }
  return { programs, nameless };
}

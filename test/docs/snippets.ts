// The code that documentation shows: the examples of docstrings, and the blocks of TypeScript on pages.
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

/** What stands in a docstring, with neither its stars nor the fence around it. */
const plain = (found: string) =>
  found
    .replaceAll(/^[ \t]*\*[ ]?/gm, "")
    .replaceAll(/^```.*$/gm, "")
    .trim();

const EXAMPLE = /@example\n((?:[ \t]*\*(?! @|\/).*\n)+)/g;
const FENCE = /^```ts\n([\s\S]*?)^```$/gm;

/** Every `@example` of the sources. */
export const examples = (): Snippet[] =>
  ["src/", "mocks/"].flatMap((folder) =>
    filesBelow(folder, ".ts").flatMap((path) => inFile(path, EXAMPLE, plain)),
  );

/** The pages with their blocks of TypeScript, but those that are files in examples/ (they run by themselves). */
export const pages = (): { readonly path: string; readonly blocks: readonly Snippet[] }[] => {
  const files = [
    ...filesBelow("examples/testing/", ".ts"),
    ...filesBelow("examples/recipes/", ".mts"),
  ].map((path) => readFileSync(new URL(path, root), "utf8").trim());
  return ["README.md", ...filesBelow("docs/", ".md").filter((path) => !path.includes("/api/"))]
    .map((path) => ({
      path,
      blocks: inFile(path, FENCE, (found) => found.trim()).filter(
        ({ code }) => !files.includes(code),
      ),
    }))
    .filter(({ blocks }) => blocks.length > 0);
};

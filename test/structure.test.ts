// The structure of the source: imports run one way, as the table of parts says; files hold one idea; tests lie at the path of what they test.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** Each row imports only itself and rows above it; `biome.json` states what no order can: see noRestrictedImports. */
const order: readonly (readonly string[])[] = [
  ["src/models"],
  ["src/errors"],
  ["src/contract"],
  ["src/http"],
  ["src/lists"],
  ["src/resources"],
  ["src/settings.ts"],
  ["src/client.ts"],
  ["src/index.ts", "src/helpers.ts", "src/proxy.ts"],
  ["src/tanstack.ts"],
  ["src/cli"],
  ["mocks/input"],
  ["mocks/chain"],
  ["mocks/builder", "mocks/ingest"],
  ["mocks/message"],
  ["mocks/operations", "mocks/faults", "mocks/journal"],
  ["mocks/service"],
  ["mocks/explorer.ts", "mocks/explorer.ts"],
  ["mocks/msw", "mocks/follow", "mocks/verify", "mocks/recording", "mocks/inspect"],
  ["mocks/port"],
  ["mocks/page"],
  ["mocks/index.ts"],
  ["mocks/node.ts", "mocks/msw.ts", "mocks/browser.ts", "mocks/standalone.ts"],
  ["mocks/cli"],
];

interface Source {
  readonly file: string;
  readonly text: string;
  /** The files it imports, statically, on demand or as a type. */
  readonly files: readonly string[];
}

const files: readonly Source[] = globSync("{src,mocks}/**/*.{ts,tsx}").map((file) => {
  const text = readFileSync(file, "utf8");
  const imported = text.matchAll(/^(?:import|export)[^;"]*?"(\.[^"]+)";|\bimport\("(\.[^"]+)"\)/gm);
  return {
    file,
    text,
    files: [...imported].map(([, name, lazy]) => join(dirname(file), name ?? lazy ?? "")),
  };
});

/** Each once, in order. */
const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

/** The row of a file: the longest path that it is below counts. */
function rowOf(file: string): number {
  const paths = order.flat().filter((path) => file === path || file.startsWith(`${path}/`));
  const longest = paths.sort((left, right) => right.length - left.length)[0] ?? "";
  return order.findIndex((row) => row.includes(longest));
}

test("every file belongs to a row, and every path of a row is there", () => {
  expect(files.filter(({ file }) => rowOf(file) < 0).map(({ file }) => file)).toEqual([]);
  expect(order.flat().filter((path) => !existsSync(path))).toEqual([]);
});

test("imports run one way, types included", () => {
  const upward = files.flatMap(({ file, files: imported }) =>
    imported
      .filter((other) => existsSync(other) && rowOf(other) > rowOf(file))
      .map((other) => `${file} imports ${other}`),
  );
  expect(sorted(upward)).toEqual([]);
});

test("what a client loads at first has no dialect", () => {
  const loaded = new Set(["src/client.ts"]);
  for (const file of loaded) {
    const text = files.find((one) => one.file === file)?.text ?? "";
    for (const [, name = ""] of text.matchAll(/^(?:import|export) (?!type )[^;"]*?"(\.[^"]+)";/gm))
      loaded.add(join(dirname(file), name));
  }
  expect(loaded).toContain("src/http/transport.ts");
  expect([...loaded].filter((file) => file.includes("dialect"))).toEqual([]);
});

test("mocks has no loose file but its entries", () => {
  expect(globSync("mocks/*.ts").sort()).toEqual(
    ["browser", "explorer", "index", "msw", "node", "standalone"].map((name) => `mocks/${name}.ts`),
  );
});

test("files import each other in no circle, types included", () => {
  const importsOf = new Map(files.map((source) => [source.file, source.files]));
  const done = new Set<string>();
  /** The first circle below a file. */
  const circleFrom = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const imported of importsOf.get(file) ?? []) {
      const circle = circleFrom(imported, [...path, file]);
      if (circle !== undefined) return circle;
    }
    done.add(file);
    return undefined;
  };
  expect(files.map(({ file }) => circleFrom(file, [])).find(Boolean)).toBeUndefined();
});

test("every file says in its first line what it holds", () => {
  const silent = files.filter(({ text }) => !/^(#!.*\n)?\/\/ [A-Z`]/.test(text));
  expect(silent.map(({ file }) => file)).toEqual([]);
});

/** An index names the files of its folder, such as one for each resource. */
const isIndex = (file = "") => file.endsWith("/index.ts");

test("a file under 30 lines is not for one other alone", () => {
  const small = files.filter(({ file, text }) => {
    const importers = files.filter((other) => other.files.includes(file));
    return text.split("\n").length <= 30 && importers.length === 1 && !isIndex(importers[0]?.file);
  });
  expect(small.map(({ file }) => file)).toEqual([]);
});

test("a file has at most 500 lines", () => {
  const long = files.filter(({ text }) => text.split("\n").length > 501);
  expect(long.map(({ file }) => file)).toEqual([]);
});

test("constants that are numbers, texts or patterns are in capitals", () => {
  const constant =
    /^(?:export )?const ([a-z]\w*) =\s+(?:[-\d][-\d_.n*+ /]*|"[^"\n]*"|\/(?:[^/\n\\]|\\.)+\/\w*);$/gm;
  const others = files.flatMap(({ file, text }) =>
    [...text.matchAll(constant)].map(([, name]) => `${file}: ${name}`),
  );
  expect(others).toEqual([]);
});

/** Exported names of several declarations, and what makes them the same word. Only take names away. */
const shared: Readonly<Record<string, readonly string[]>> = {
  "kinds of values, in the wire, in the store and from a node": [
    ...["address", "amount", "flag", "hash", "hex", "list", "number", "orNull", "text"],
  ],
  "operations and what answers them": [...["accounts", "send", "headReads"]],
  "a value, and what the page shows of it": ["ActiveFault", "Exchange", "Field"],
  "the same for another platform or side": ["createVerifier", "VerificationLevel"],
};

test("an exported name has one meaning", () => {
  const declared =
    /^export (?:abstract class|async function\*?|class|const|function\*?|interface|type) (\w+)/gm;
  const filesOf = new Map<string, Set<string>>();
  for (const { file, text } of files)
    for (const [, name = ""] of text.matchAll(declared))
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  const several = [...filesOf].filter(([, all]) => all.size > 1).map(([name]) => name);
  expect(sorted(several)).toEqual(sorted(Object.values(shared).flat()));
});

// The structure of the source: imports run one way, as the table of parts says; files hold one idea; tests lie at the path of what they test.
import { existsSync, globSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { partOf, parts, sources } from "../scripts/structure.ts";

const files = sources();

/** Each once, in order. */
const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

describe.each(parts)("$paths.0", ({ paths: [name], imports, packages }) => {
  const own = files.filter(({ file }) => partOf(file) === name);

  test("imports the parts that the table names, no others", () => {
    const used = own.flatMap((source) => source.files.map((file) => partOf(file) ?? file));
    expect(sorted(used.filter((part) => part !== name))).toEqual(sorted(imports));
  });

  test("imports the packages that the table names, no others", () => {
    expect(sorted(own.flatMap((source) => source.packages))).toEqual(sorted(packages));
  });

  test("imports only parts above it", () => {
    const above = parts.slice(
      0,
      parts.findIndex(({ paths }) => paths[0] === name),
    );
    const names = above.map(({ paths }) => paths[0]);
    expect(imports.filter((part) => !names.includes(part))).toEqual([]);
  });
});

test("every file belongs to a part, and every path of a part is there", () => {
  expect(files.filter(({ file }) => partOf(file) === undefined)).toEqual([]);
  const paths = parts.flatMap((part) => part.paths);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
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

/** `step` with its helpers is one idea that takes more. */
const longer = ["src/lists/machine.ts"];

test("a file has at most 500 lines", () => {
  const long = files.filter(({ text }) => text.split("\n").length > 501);
  expect(long.map(({ file }) => file)).toEqual(longer);
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
  "operations and what answers them": [
    ...[
      "accounts",
      "blocks",
      "contracts",
      "eventLogs",
      "tokens",
      "transactions",
      "send",
      "headReads",
    ],
  ],
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

// test/http/retry.test.ts tests src/http/retry.ts; a word after the name says which side of it: retry.laws.test.ts.
test("a test lies at the path of what it tests", () => {
  const inSource = (paths: readonly string[]) =>
    ["src", "mocks"].some((top) => paths.some((path) => existsSync(`${top}/${path}`)));
  const astray = globSync("test/*/**/*.test.ts")
    .filter((test) => !test.includes("node_modules"))
    .map((test) => test.slice("test/".length))
    .filter((test) => inSource([`${dirname(test)}/`]))
    .filter((test) => {
      const tested = test.replace(/(\.[\w-]+)?(\.long)?\.test\.ts$/, "");
      return !inSource([tested, `${tested}.ts`, `${tested}.tsx`]);
    });
  expect(astray).toEqual([]);
});

/** From so many branches on, a file has behaviour of its own. */
const MIN_BRANCHES = 20;

/** Files with behaviour that have no test of their own, by the tests that reach it. Only take names away. */
const testedThrough: Readonly<Record<string, readonly string[]>> = {
  "test/cli/query.test.ts": ["src/cli/parameters.ts", "src/cli/records.ts"],
  "test/double/sources/ingest/traces.test.ts": ["mocks/double/sources/ingest/step-frames.ts"],
  "test/workbench/follow/rpc/http.test.ts": ["mocks/workbench/follow/rpc/post.ts"],
};

test("a file with behaviour is tested at its path, or named with the test that reaches it", () => {
  const tests = globSync("test/**/*.test.ts").map((path) =>
    path.slice("test/".length).replace(/(\.[\w-]+)?(\.long)?\.test\.ts$/, ""),
  );
  const branches = (text: string) =>
    text
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
      .match(/\bif \(|\bwhile \(|\bcase |\bcatch\b|\?\? |&& |\|\| | \? /g)?.length ?? 0;
  const untested = files
    .filter(({ text }) => branches(text) >= MIN_BRANCHES)
    .map(({ file }) => file)
    .filter((file) => {
      const path = file.replace(/^(src|mocks)\//, "").replace(/\.tsx?$/, "");
      // A test may be of a whole folder.
      return !tests.includes(path) && !tests.includes(dirname(path));
    });
  expect(untested.sort()).toEqual(Object.values(testedThrough).flat().sort());
  expect(Object.keys(testedThrough).filter((path) => !existsSync(path))).toEqual([]);
});

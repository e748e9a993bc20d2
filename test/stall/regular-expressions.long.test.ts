// Every regular expression that the main thread runs on a text from outside takes time in proportion to the text, whatever the text.
import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test, vi } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** All that a server runs: the page runs in a browser, the command line reads what its user writes. */
const files = globSync("{mocks,src}/**/*.ts", { cwd: root }).filter(
  (path) => !/^(mocks\/page|src\/cli)\//.test(path),
);

interface Found {
  readonly where: string;
  readonly pattern: RegExp;
}

/** The literals of a file, by its syntax tree. */
function patternsIn(path: string): Found[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(`${root}${path}`, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const flags = node.text.slice(end + 1);
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const pattern = new RegExp(node.text.slice(1, end), flags.replace("y", ""));
      found.push({ where: `${relative("", path)}:${line} ${node.text}`, pattern });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What a file passes to the constructor when it is loaded. */
async function constructedIn(path: string): Promise<Found[]> {
  const made: Found[] = [];
  const native = RegExp;
  class Noted extends native {
    constructor(...given: [string, string?]) {
      super(...given);
      const [, , caller = ""] = new Error().stack?.split("\n") ?? [];
      const pattern = new native(this.source, this.flags);
      if (caller.includes(path)) made.push({ where: `${path}: ${this.source}`, pattern });
    }
  }
  vi.resetModules();
  vi.stubGlobal("RegExp", Noted);
  await import(`${root}${path}`);
  vi.unstubAllGlobals();
  return made;
}

const constructing = files.filter((path) =>
  readFileSync(`${root}${path}`, "utf8").includes("new RegExp("),
);
const constructed: Found[] = [];
for (const path of constructing) constructed.push(...(await constructedIn(path)));

/** Those whose text is short, or given by the program itself: their places without the line, and why. */
const harmless: Readonly<Record<string, string>> = {
  "src/http/base-url.ts /\\/+$/": "the base address, which the program gives",
  "mocks/double/service/fetch-messages.ts /\\/+$/": "the base address, which the program gives",
  "src/errors/api.ts /^[\\s:;,-]+|[\\s:;,-]+$/g": "a server's message: at most 8,192 characters",
  "src/resources/display.ts /0+$/": "the fraction of an amount: at most 255 digits",
  "mocks/double/sources/ingest/head-state.ts /(?:00)+$/": "one word of 64 digits",
};
const isHarmless = ({ where }: Found) => Object.hasOwn(harmless, where.replace(/:\d+ /, " "));

const found = [...files.flatMap(patternsIn).filter((one) => !isHarmless(one)), ...constructed];

/** What an attacker repeats: every character that the pattern names, and those that its classes stand for. */
function pumpsFor({ source }: RegExp): string[] {
  const named = [...source.replaceAll(/\\[a-zA-Z]|[()[\]{}*+?|^$]/g, "")];
  const words = source.match(/[a-z]{3,}/gi) ?? [];
  return [
    ...new Set([...named, ...words, ..." \t\n\r0a,.:;/\"'\\<>=-_%()[]{}"]),
    "a ",
    "0x",
    "\\\\",
    "/*",
  ];
}

const cpuOf = (run: () => void): number => {
  const before = process.cpuUsage();
  run();
  const { user } = process.cpuUsage(before);
  return user / 1000;
};

/** Milliseconds that a pattern takes on a text of this length, which nearly matches. */
const timeOn = (pattern: RegExp, pump: string, length: number): number => {
  const text = pump.repeat(Math.ceil(length / pump.length));
  return cpuOf(() => {
    for (const given of [text, `${text}\u0000`, `x${text}!`]) given.replace(pattern, "");
  });
};

/** The least of some measurements: what else the machine does only adds. */
const leastOf = (time: () => number): number => Math.min(...Array.from({ length: 5 }, time));

test("none takes quadratic time", { timeout: 600_000 }, () => {
  expect(found.length).toBeGreaterThan(80);
  const slow: string[] = [];
  for (const { where, pattern } of found)
    for (const pump of pumpsFor(pattern)) {
      // A quadratic one takes a hundred milliseconds or more, and in proportion a text of this length takes one.
      if (timeOn(pattern, pump, 16_000) < 10) continue;
      const [small = 0, large = 0] = [8000, 32_000].map((length) =>
        leastOf(() => timeOn(pattern, pump, length)),
      );
      if (large <= 8 * small) continue;
      slow.push(`${where} on ${JSON.stringify(pump)}`);
      break;
    }
  expect(slow).toEqual([]);
});

test("of every file that constructs one, it is known", () => {
  expect(constructing.length).toBeGreaterThan(1);
  expect([...new Set(constructed.map(({ where }) => where.split(":")[0]))]).toEqual(constructing);
});

test("a quadratic one is found", () => {
  const pattern = /pragma\s+experimental\s*([^;]*);/;
  expect(pumpsFor(pattern)).toContain(" ");
  const text = (length: number) => `pragma experimental${" ".repeat(length)}`;
  const time = (length: number) => leastOf(() => cpuOf(() => pattern.exec(text(length))));
  time(1000);
  expect(time(16_000)).toBeGreaterThan(6 * time(4000));
});

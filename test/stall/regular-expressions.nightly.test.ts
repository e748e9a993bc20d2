// Every regular expression that the main thread runs on a text from outside takes time in proportion to the text, whatever the text.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** All that a server runs: the page runs in a browser but for its inspection, the command line reads what its user writes. */
const files = globSync("{mocks,src}/**/*.ts", { cwd: root }).filter(
  (path) => !/^(mocks\/page\/|src\/cli\/)/.test(path),
);

interface Found {
  readonly where: string;
  readonly pattern: RegExp;
}

/** The pattern that an expression stands for; in a template, any text is "a". Undefined for what is no pattern. */
function patternOf(node: ts.Node): RegExp | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    return new RegExp(node.text.slice(1, end), node.text.slice(end + 1).replace("y", ""));
  }
  if (!ts.isNewExpression(node) || node.expression.getText() !== "RegExp") return undefined;
  const [source, flags] = node.arguments ?? [];
  if (!source || !ts.isTemplateExpression(source))
    throw new Error(`${node.getText()}: expected a template, whose pattern can be tested`);
  const text = source.templateSpans.reduce(
    (before, { literal }) => `${before}a${literal.text}`,
    source.head.text,
  );
  return new RegExp(text, flags && ts.isStringLiteral(flags) ? flags.text : "");
}

/** The patterns of a file, by its syntax tree. */
function patternsIn(path: string): Found[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(`${root}${path}`, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const pattern = patternOf(node);
    if (pattern) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ where: `${path}:${line} ${node.getText()}`, pattern });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Those whose text is short, or given by the program itself: their places without the line, and why. */
const harmless: Readonly<Record<string, string>> = {
  "src/http/base-url.ts /\\/+$/": "the base address, which the program gives",
  "mocks/service/fetch.ts /\\/+$/": "the base address, which the program gives",
  "src/resources/display.ts /0+$/": "the fraction of an amount: at most 255 digits",
  "mocks/inspect/source-line.ts /[\\w$]+(?=\\s*\\(?$)/":
    "what another pattern found, which ends with the name",
  "mocks/follow/rpc/errors.ts /missing trie node|\\b(header|block|receipts?|transaction)\\b.*not (be )?(found|available)|unknown block|invalid block tag|block height|blockoutofrange|block is out of range|pruned|histor\\w+ .*(un|not |haven't )|(historical|old) (state|data)|no state (is )?available|state .*(not |un)available|not have state|ancient block|\\barchive\\b/i":
    "the first 2,000 characters of a node's message",
  "mocks/ingest/head-state.ts /(?:00)+$/": "one word of 64 digits",
};
const isHarmless = ({ where }: Found) => Object.hasOwn(harmless, where.replace(/:\d+ /, " "));

const all = files.flatMap(patternsIn);
const found = all.filter((one) => !isHarmless(one));

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
      // A quadratic one takes a hundred milliseconds or more; in proportion, a text of this length takes one, which a coarse clock cannot tell from none.
      if (timeOn(pattern, pump, 16_000) < 10) continue;
      const [small = 0, large = 0] = [8000, 32_000].map((length) =>
        leastOf(() => timeOn(pattern, pump, length)),
      );
      if (large < 100 || large <= 8 * small) continue;
      slow.push(`${where} on ${JSON.stringify(pump)}`);
      break;
    }
  expect(slow).toEqual([]);
});

test("those that are said to be harmless are there", () => {
  const places = new Set(all.filter(isHarmless).map(({ where }) => where.replace(/:\d+ /, " ")));
  expect([...places].toSorted()).toEqual(Object.keys(harmless).toSorted());
});

test("a quadratic one is found", () => {
  const pattern = /pragma\s+experimental\s*([^;]*);/;
  expect(pumpsFor(pattern)).toContain(" ");
  const text = (length: number) => `pragma experimental${" ".repeat(length)}`;
  const time = (length: number) => leastOf(() => cpuOf(() => pattern.exec(text(length))));
  time(1000);
  expect(time(16_000)).toBeGreaterThan(6 * time(4000));
  expect(time(32_000)).toBeGreaterThan(100);
});

// Reads versions of compilers, compares them, and orders them.
import { expect, test } from "vitest";
import {
  compareVersions,
  isSince,
  readVersion,
  sameVersion,
  writeVersion,
} from "../../mocks/verify/compiler-version.ts";

function version(text: string) {
  const found = readVersion(text);
  if (found === undefined) throw new Error(`expected a version, received ${text}`);
  return found;
}

test.each([
  ["V0.8.20+Commit.A1B79DE6", { release: "0.8.20", preview: null, commit: "a1b79de6" }],
  ["0.8.20", { release: "0.8.20", preview: null, commit: null }],
  ["0.4.11-nightly.1", { release: "0.4.11", preview: "nightly.1", commit: null }],
])("%s is read", (text, expected) => {
  expect(version(text)).toEqual(expected);
});

test("the shortest version is written, and read within blanks", () => {
  expect(writeVersion(version(" 0.8.20\n"))).toBe("v0.8.20");
});

test.each([
  "x0.8.20",
  "0.8.20x",
  "1000.8.20",
  "0.1000.20",
  "0.8.1000",
  "0.8.20+commit.a1b79de",
  `0.8.20+commit.${"a".repeat(41)}`,
  `0.8.20-${"a".repeat(41)}`,
  `0.8.20+commit.a1b79de6.${"a".repeat(41)}`,
])("%s is no version", (text) => expect(readVersion(text)).toBeUndefined());

test("the longest parts that a version may have are read", () => {
  const [preview, commit] = ["a".repeat(40), "b".repeat(40)];
  const longest = `0.8.20-${preview}+commit.${commit}`;
  expect(writeVersion(version(`${longest}.${preview}`))).toBe(`v${longest}`);
  expect(version("100.101.102").release).toBe("100.101.102");
});

test.each([
  ["0.8.20", "0.8.20", true],
  ["0.8.20", "0.8.21", false],
  ["0.8.20", "0.8.20+commit.a1b79de6", true],
  ["0.8.20+commit.a1b79de6", "0.8.20", true],
  ["0.8.20+commit.a1b79de6", "0.8.20+commit.a1b79de6ff", true],
  ["0.8.20+commit.a1b79de6ff", "0.8.20+commit.a1b79de6", true],
  ["0.8.20+commit.a1b79de6", "0.8.20+commit.b1b79de6", false],
  ["0.8.20-nightly.1", "0.8.20", false],
  ["0.8.20-nightly.1", "0.8.20-nightly.1", true],
])("%s and %s may be the same compiler: %s", (one, other, same) => {
  expect(sameVersion(version(one), version(other))).toBe(same);
});

test("versions are in the order of their numbers", () => {
  const ordered = ["0.4.9", "0.4.24", "0.5.0", "0.8.2", "0.8.18", "0.10.0", "1.0.0"].map(version);
  expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered);
  expect(isSince(version("0.8.18"), "0.8.2")).toBe(true);
  expect(isSince(version("0.8.18"), "0.8.18")).toBe(true);
  expect(isSince(version("0.8.17"), "0.8.18")).toBe(false);
});

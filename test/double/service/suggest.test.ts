// Which known word a mistyped one is taken for.
import { expect, test } from "vitest";
import { closestMatch, didYouMean, distance } from "../../../mocks/double/service/suggest.ts";

test("the distance counts letters that are added, left out or replaced", () => {
  const pairs = [
    ["", ""],
    ["", "abc"],
    ["abc", "abc"],
    ["abc", "ac"],
    ["ac", "abc"],
    ["abc", "abd"],
    ["kitten", "sitting"],
  ] as const;
  expect(pairs.map(([one, other]) => distance(one, other))).toEqual([0, 3, 0, 1, 1, 1, 3]);
});

test("the nearest word is found where at most half of the letters differ, in any case", () => {
  const known = ["startBlock", "endBlock", "limit"];
  expect(closestMatch("startblok", known)).toBe("startBlock");
  expect(closestMatch("LIMIT", known)).toBe("limit");
  expect(closestMatch("lixxx", known)).toBeUndefined();
  expect(closestMatch("lim", known)).toBeUndefined();
  expect(closestMatch("lixit", known)).toBe("limit");
  expect(closestMatch("a", ["b"])).toBe("b");
  expect(closestMatch("l".repeat(65), ["l".repeat(64)])).toBeUndefined();
  expect(closestMatch("l".repeat(64), ["l".repeat(65)])).toBe("l".repeat(65));
});

test("a word that is known is not suggested", () => {
  expect(didYouMean("limt", ["limit"])).toBe('; did you mean "limit"?');
  expect(didYouMean("limit", ["limit"])).toBe("");
  expect(didYouMean("offset", ["limit"])).toBe("");
});

// Which invalid responses have records to keep, and how many of their issues are kept.
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { findIssues } from "../../src/models/find-issues.ts";
import { list, model, records } from "../../src/models/model.ts";
import { integer, orNull } from "../../src/models/primitives.ts";

const record = model({
  size: integer,
  parts: z.optional(list(model({ x: integer }))),
  none: orNull(integer),
  whole: z._default(z.object({ y: integer }), { y: 1 }),
});
const page = model({
  count: orNull(integer),
  data: records(record),
  mrc_20: z.optional(model({})),
});
const valid = { size: "1" };

describe("a page", () => {
  test.each<[string, unknown, string[], boolean]>([
    ["that is none", "none", [""], true],
    ["without a list", { count: "1" }, ["data"], true],
    ["with a list that is none", { data: "none" }, ["data"], true],
    ["with a record that is none", { data: [valid, 7] }, ["data.1"], true],
    ["with a container that is none", { data: [], mrc_20: 7 }, ["mrc_20"], true],
    ["with an invalid field", { data: [{ size: "x" }] }, ["data.0.size"], false],
    ["with an invalid field of its own", { count: "x", data: [valid] }, ["count"], false],
    ["with a field that is no list", { data: [{ size: "1", parts: 7 }] }, ["data.0.parts"], false],
    ["with a part that is none", { data: [{ size: "1", parts: [7] }] }, ["data.0.parts.0"], false],
    [
      "with an invalid part",
      { data: [{ size: "1", parts: [{ x: "y" }] }] },
      ["data.0.parts.0.x"],
      false,
    ],
    [
      "with an invalid whole",
      { data: [{ size: "1", whole: { y: "z" } }] },
      ["data.0.whole.y"],
      false,
    ],
    [
      "with several",
      { count: "x", data: [{ size: "y", none: "z" }, valid, null] },
      ["count", "data.0.size", "data.0.none", "data.2"],
      true,
    ],
    ["that is valid", { data: [{ size: "1", parts: [{ x: "1" }], whole: { y: "1" } }] }, [], false],
    ["without records, in another form", { count: "", data: null }, [], false],
  ])("%s has its issues, and says whether its records can be kept", (_, value, paths, broken) => {
    const found = findIssues(page, value);
    expect(found.issues.map(({ path }) => path.join("."))).toEqual(paths);
    expect([found.issueCount, found.broken]).toEqual([paths.length, broken]);
  });

  test("of invalid records keeps twenty issues, and counts all", () => {
    const data = Array.from({ length: 30 }, () => ({ size: "x", none: "y" }));
    const found = findIssues(page, { data });
    expect([found.issues.length, found.issueCount, found.broken]).toEqual([20, 60, false]);
    expect(findIssues(page, { data: [...data, null] })).toMatchObject({
      issueCount: 61,
      broken: true,
    });
  });
});

test("a rule for a whole list or object is one issue of it", () => {
  const some = list(integer, 1, 2);
  const unequal = z
    .looseObject({ x: integer, y: integer })
    .check(z.refine(({ x, y }) => x !== y, "two numbers"));
  const schema = model({ some, unequal });
  expect(findIssues(schema, { some: [], unequal: { x: "1", y: "1" } })).toMatchObject({
    issueCount: 2,
    issues: [
      { path: ["some"], expected: "an array of at least 1 item" },
      { path: ["unequal"], expected: "two numbers" },
    ],
  });
  expect(findIssues(schema, { some: ["1"], unequal: { x: "1", y: "2" } }).issueCount).toBe(0);
});

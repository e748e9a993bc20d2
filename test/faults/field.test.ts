// Fields that a fault changes: every place of a path, and none beside it.
import { expect, test } from "vitest";
import {
  changeFields,
  type FieldChange,
  hasPath,
  inheritedStep,
} from "../../mocks/faults/field.ts";
import { jsonHeaders } from "../../mocks/message/message.ts";
import type { OperationId } from "../../src/contract/index.ts";

const results = { count: 2, none: null, data: [{ a: 1, deep: { b: 1 } }, { a: 2 }, null, "text"] };

/** The results after changes; `A2` has an envelope. */
function changed(...changes: FieldChange[]): unknown {
  const response = { status: 200, headers: jsonHeaders, body: JSON.stringify({ results }) };
  return JSON.parse(changeFields("A2", response, changes).body).results;
}

const { none, data } = results;
const [first, second, ...others] = data;

const gone = Symbol("gone");
test.each<[path: string, value: unknown, expected: unknown]>([
  ["count", "x", { ...results, count: "x" }],
  ["count", undefined, { none, data }],
  ["count", gone, { none, data }],
  ["new", 1, { ...results, new: 1 }],
  ["new", gone, results],
  ["data.0.deep.b", null, { ...results, data: [{ a: 1, deep: { b: null } }, ...data.slice(1)] }],
  ["data.*.a", gone, { ...results, data: [{ deep: { b: 1 } }, {}, ...others] }],
  [
    ...(["data.*.c", 1] as const),
    { ...results, data: [{ ...Object(first), c: 1 }, { ...Object(second), c: 1 }, ...others] },
  ],
  ["data.*.deep.b", 2, { ...results, data: [{ a: 1, deep: { b: 2 } }, ...data.slice(1)] }],
  ["data.4", 1, { ...results, data: [...data, 1] }],
  ["data.4", gone, results],
  ["*", 1, { count: 1, none: 1, data: 1 }],
  ...["new.below", "none.below", "count.below", "data.5", "data.4.a", "data.-1", "data.1a"]
    .concat("data.a1", "data.1e0", "data.0000000000", "data.toString.name")
    .map((path): [string, number, object] => [path, 1, results]),
])("%s set to %j", (path, value, expected) => {
  expect(changed({ path, ...(value !== gone && { value }) })).toEqual(expected);
});

test("changes follow one another, and only a success is changed", () => {
  expect(changed({ path: "new", value: { a: [] } }, { path: "new.a.0", value: 7 })).toEqual({
    ...{ ...results, new: { a: [7] } },
  });
  const given = { path: "new", value: { a: 1 } };
  expect(changed(given, { path: "new.a", value: 2 })).toMatchObject({ new: { a: 2 } });
  expect(given.value).toEqual({ a: 1 });
  const refused = { status: 404, headers: jsonHeaders, body: '{"results":null}' };
  expect(changeFields("A2", refused, [{ path: "count", value: 1 }])).toBe(refused);
  const odd = { status: 200, headers: jsonHeaders, body: "no JSON" };
  expect(changeFields("A2", odd, [])).toBe(odd);
});

test("results without an envelope are changed from their root", () => {
  const response = { status: 200, headers: jsonHeaders, body: '{"a":1}' };
  expect(changeFields("A6", response, [{ path: "a", value: 2 }]).body).toBe('{"a":2}');
});

test.each<[OperationId, string, boolean, boolean]>([
  ["A2", "count", false, true],
  ["A2", "data.*.value", false, true],
  ["A2", "data.*.confirmations", false, true],
  ["A2", "data.*.tx_fee", false, true],
  ["B1", "data.fees", false, true],
  ["A2", "data.7.value", false, true],
  ["A2", "data.70.value", false, true],
  ["A2", "data.x.value", false, false],
  ["A2", "data.1234567890.value", false, false],
  ["A2", "data.*.unknown", false, false],
  ["A2", "data.*.unknown", true, true],
  ["A2", "data.*.unknown.below", true, false],
  ["A2", "data.*.value.below", true, false],
  ["A2", "*", false, true],
  ["A2", "*.*.value", false, true],
  ["A2", "*.*.unknown", false, false],
  ["A2", "toString", false, false],
  ["B1", "count", false, false],
])("%s has %s, where it is added: %s: %s", (operation, path, adds, expected) => {
  expect(hasPath(operation, path.split("."), adds)).toBe(expected);
});

test.each([
  ["data.__proto__.a", "__proto__"],
  ["constructor", "constructor"],
  ["a.prototype", "prototype"],
  ["data.proto.a", undefined],
])("the step of %s that every object inherits: %s", (path, step) => {
  expect(inheritedStep(path)).toBe(step);
});

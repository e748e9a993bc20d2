// Which JSON texts are read, and that frozen JSON stays as it is.
import { expect, test } from "vitest";
import { deepFreeze, parseJson } from "../../src/models/json.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const inObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

test("64 levels are read, 65 are not", () => {
  const values = nested(64).replace("[]", '[1,"a",null]');
  for (const text of [nested(64), inObjects(64), values])
    expect(parseJson(text)).toEqual(JSON.parse(text));
  for (const text of [nested(65), inObjects(65)])
    expect(() => parseJson(text)).toThrow("the body is nested deeper than 64 levels");
});

test("a field that would set a prototype is refused wherever it is", () => {
  for (const text of ['{"__proto__":1}', '[{"a":[{"__proto__":null}]}]'])
    expect(() => parseJson(text)).toThrow('the body has a field "__proto__"');
  expect(parseJson('["__proto__"]')).toEqual(["__proto__"]);
});

test("what is no JSON says whether there is anything", () => {
  for (const text of ["", " \n"]) expect(() => parseJson(text)).toThrow("the body is empty");
  for (const text of ["<html>", "{", "[1,]"])
    expect(() => parseJson(text)).toThrow("the body is not JSON");
});

test("a text of over 1 MiB is refused if it is all structure, whatever its strings hold", () => {
  const list = (item: string, count: number) => `[${Array(count).fill(item).join()}]`;
  expect(parseJson(list("{}", 300_000))).toHaveLength(300_000);
  expect(() => parseJson(list("{}", 400_000))).toThrow("one object, list or field per 16");
  expect(() => parseJson(list('{"a":1}', 150_000))).toThrow("one object, list or field per 16");
  const fields = Array.from({ length: 150_000 }, (_, index) => `"${index}":1`);
  expect(() => parseJson(`{${fields.join()}}`)).toThrow("one object, list or field per 16");
  // Brackets in a string cost nothing, also after an escaped quote.
  expect(parseJson(list(String.raw`"\"{{{{{[[[[[:::::"`, 60_000))).toHaveLength(60_000);
});

test("a text of 1 MiB may be all structure, a longer one has a structure in 16 characters at most", () => {
  const dense = `[${"[],".repeat(99_998)}[]]`;
  const isRead = (length: number) => {
    try {
      return Array.isArray(parseJson(dense.padEnd(length)));
    } catch {
      return false;
    }
  };
  const lengths = [2 ** 20, 2 ** 20 + 1, 16 * 100_000 - 1, 16 * 100_000];
  expect(lengths.map(isRead)).toEqual([true, false, false, true]);
});

test("frozen JSON cannot be changed at any depth", () => {
  const value = { list: [{ deep: [1] }], none: null };
  deepFreeze(value);
  const parts = [value, value.list, value.list[0], value.list[0]?.deep];
  expect(parts.map((part) => Object.isFrozen(part))).toEqual([true, true, true, true]);
  expect([deepFreeze(null), deepFreeze("text")]).toEqual([undefined, undefined]);
});

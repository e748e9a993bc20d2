// CSV: what a cell holds, where it is quoted, and which texts a spreadsheet would run.
import { expect, test } from "vitest";
import { cellOf, csvLine, guarded, harmless } from "../../src/models/csv.ts";

test.each([
  [null, ""],
  [undefined, ""],
  ["", ""],
  [0, "0"],
  [false, "false"],
  [2n ** 64n, "18446744073709551616"],
  [{ a: [1] }, '{"a":[1]}'],
])("the cell of %o is %j", (value, cell) => {
  expect(cellOf(value)).toBe(cell);
});

test("a cell is quoted if it has a comma, a quote or an end of a line", () => {
  expect(csvLine(["a b", "a,b", 'a "b"', "a\rb", "a\nb", ""])).toBe(
    'a b,"a,b","a ""b""","a\rb","a\nb",\r\n',
  );
});

test.each(["=1", "=1-2", "+1", "-x1", "@a", "\ta", "\ra", "-1+a", "-a.1", "-1.a", "-"])(
  "a spreadsheet does not run %j",
  (text) => {
    expect([harmless(text), guarded(text)]).toEqual([`'${text}`, `'${text}`]);
  },
);

test.each(["", "a=b", "1", "1=1", "-12", "-1.25", "-12.5"])("%j stays as it is", (text) => {
  expect([harmless(text), guarded(text)]).toEqual([text, text]);
});

test("a value is guarded as the text of its cell", () => {
  expect([guarded(-1n), guarded(null), guarded({})]).toEqual(["-1", "", "{}"]);
});

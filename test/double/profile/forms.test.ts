// Other forms of values: each is found by its value, and gives it.
import { expect, test } from "vitest";
import { type FormName, formNames, formOf, inForm } from "../../../mocks/double/profile/forms.ts";

const examples: Readonly<
  Record<Exclude<FormName, "missing" | "missing for null">, [unknown, unknown]>
> = {
  "a number": ["42", 42],
  "a text": [true, "true"],
  "0 or 1": [false, 0],
  "an empty text for null": [null, ""],
  "null for an empty list": [[], null],
  "JSON text": [[{ a: 1 }], '[{"a":1}]'],
  hexadecimal: ["255", "0xff"],
  "seconds since 1970": ["2023-11-14T22:13:20Z", 1700000000],
  "seconds since 1970 in digits": ["2023-11-14T22:13:20Z", "1700000000"],
  milliseconds: ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20.000Z"],
  "an offset": ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20+00:00"],
  "milliseconds and an offset": ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20.000+00:00"],
  microseconds: ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20.000000Z"],
};

test.each(Object.entries(examples) as [FormName, [unknown, unknown]][])(
  "%s",
  (name, [value, other]) => {
    const isValue = (given: unknown) => JSON.stringify(given) === JSON.stringify(value);
    expect(formOf(other, isValue)).toBe(name);
    expect(inForm(name, value)).toEqual(other);
    // What is in the form already has no other.
    expect(inForm(name, other)).toBeUndefined();
  },
);

test("a value of no specified one has no form", () => {
  for (const value of ["0xzz", {}, "soon", -1, 1.5, undefined])
    expect(formOf(value, () => false)).toBeUndefined();
  for (const name of formNames) expect(inForm(name, "0xff")).toBeUndefined();
});

// A test that expects an error fails where `undefined` is thrown.
import { expect, test } from "vitest";

const nothing = () => {
  throw undefined;
};
const rejected = async () => nothing();

test("undefined is not what was to be thrown", async () => {
  for (const expected of ["text", /text/]) {
    expect(() => expect(nothing).toThrow(expected)).toThrow("undefined was thrown");
    await expect(expect(rejected()).rejects.toThrow(expected)).rejects.toThrow("was thrown");
  }
});

test("any error is what it was", async () => {
  const error = new TypeError("a text");
  const failing = () => {
    throw error;
  };
  for (const expected of ["text", /text/, TypeError, error, undefined]) {
    expect(failing).toThrow(expected as never);
    await expect(Promise.reject(error)).rejects.toThrow(expected as never);
  }
  expect(() => {}).not.toThrow();
  expect(() => expect(failing).toThrow("other")).toThrow("a text");
});

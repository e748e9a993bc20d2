// What of a key is left out of a recording: every form of it, and nothing of the data.
import { expect, test } from "vitest";
import { hideKey } from "../../mocks/recording/hide-key.ts";

const KEY = "s3cret/key of+alice";

test("a key is hidden in every form that programs write it in", () => {
  const { inTarget, inValue, inBody } = hideKey(KEY);
  const base64 = Buffer.from(KEY).toString("base64");
  const hex = [...Buffer.from(KEY)].map((byte) => `%${byte.toString(16)}`).join("");
  for (const form of [
    ...[KEY, KEY.toUpperCase(), encodeURIComponent(KEY), base64, encodeURIComponent(base64)],
    ...[Buffer.from(KEY).toString("base64url"), hex, hex.toUpperCase(), "s3cret%2Fkey+of%2Balice"],
  ])
    for (const hide of [inTarget, inValue, inBody])
      expect([form, hide(`<${form}>`)]).toEqual([form, "<[api-key]>"]);
  expect(hideKey('quo"ted-key').inBody('{"key":"quo\\"ted-key"}')).toBe('{"key":"[api-key]"}');
});

test("a key is hidden in base64 of more than the key, wherever it begins", () => {
  for (const before of ["", "a", "ab", "abc", "user:"])
    for (const after of ["", "z", "zy", "zyx"]) {
      const text = Buffer.from(`${before}${KEY}${after}`).toString("base64");
      const hidden = hideKey(KEY).inBody(text);
      expect(hidden).toContain("[api-key]");
      // What is left of it beside are halves of letters.
      expect(Buffer.from(hidden.replace("[api-key]", ""), "base64").length).toBeLessThan(
        before.length + after.length + 3,
      );
    }
});

test.each(["ab".repeat(20), "12345678", "0xAbCdEf12", "short"])(
  "of a key that could be data, %s, only what is exactly the key is hidden",
  (key) => {
    const { inTarget, inValue, inBody } = hideKey(key);
    const body = `{"miner":"0x${key}","hash":"0x00${key}ff","number":${key}1,"name":"a${key}"}`;
    expect(inBody(body)).toBe(body);
    expect(inBody(`{"key":"${key}"}`)).toBe('{"key":"[api-key]"}');
    expect(inTarget(`/v1/blocks/${key}`)).toBe(`/v1/blocks/${key}`);
    expect(inTarget(`/v1/blocks/1?a=${key}&b=1`)).toBe("/v1/blocks/1?a=[api-key]&b=1");
    expect(inValue(`Bearer ${key}`)).toBe("Bearer [api-key]");
    expect(inValue(`x${key}`)).toBe(`x${key}`);
  },
);

// An API key is found in a text however it was encoded, and nothing else is taken for it.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findKey, hideSpans, redactor, repeatsKey } from "../../src/errors/find-key.ts";

const code = (character: string) => character.charCodeAt(0);
const hexOf = (character: string, length = 2) => code(character).toString(16).padStart(length, "0");

/** An encoding that escapes all characters, or some marks and always the one that begins its escapes. */
const escaping =
  (mark: string, all: (character: string) => string, ...forms: ((character: string) => string)[]) =>
  (text: string, choices: readonly number[]) =>
    [...text]
      .map((character) => {
        if ((choices[0] ?? 0) % 2) return all(character);
        if (/\w/.test(character)) return character;
        const form = [all, ...forms][(choices[code(character) % choices.length] ?? 0) % 4];
        return (form ?? (character === mark ? all : undefined))?.(character) ?? character;
      })
      .join("");

/** Encodes a text with other characters around it. */
const wrapped =
  (encode: (text: string) => string) =>
  (text: string, [before = 0, after = 0]: readonly number[]) =>
    encode(`${"x".repeat(before % 5)}${text}${"y".repeat(after % 5)}`);

const base64 = (text: string, encoding: BufferEncoding = "latin1") =>
  Buffer.from(text, encoding).toString("base64");
const hex = (text: string, encoding: BufferEncoding = "latin1") =>
  Buffer.from(text, encoding).toString("hex");

/** What servers, loggers and pages do to a text. */
const encodings = {
  "JSON escapes": escaping(
    "\\",
    (one) => `\\u${hexOf(one, 4)}`,
    (one) => (/["\\/]/.test(one) ? `\\${one}` : one),
  ),
  "JavaScript escapes": escaping(
    "\\",
    (one) => `\\x${hexOf(one)}`,
    (one) => `\\u{${hexOf(one)}}`,
  ),
  percent: escaping(
    "%",
    (one) => `%${hexOf(one)}`,
    (one) => `%${hexOf(one).toUpperCase()}`,
  ),
  "HTML entities": escaping(
    "&",
    (one) => `&#${code(one)};`,
    (one) => `&#x${hexOf(one)};`,
    (one) => ({ "&": "&amp;", "/": "&sol;", "+": "&plus;", "=": "&equals;" })[one] ?? one,
  ),
  base64: wrapped(base64),
  "base64 of URLs": wrapped((text) => Buffer.from(text, "latin1").toString("base64url")),
  "base64 in lines": wrapped((text) => base64(text).replace(/.{10}/g, "$&\r\n")),
  "base64 of UTF-16": wrapped((text) => base64(text, "utf16le")),
  "hexadecimal digits": wrapped(hex),
  "hexadecimal digits with colons": wrapped((text) => hex(text).replace(/..(?=.)/g, "$&:")),
  "hexadecimal digits of UTF-16": wrapped((text) => hex(text, "utf16le")),
} as const;

const key = fc
  .string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((at) => String.fromCharCode(at)) })
  .filter(({ length }) => length >= 8);
const steps = fc.array(
  fc.tuple(
    fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[])),
    fc.array(fc.nat(9), { minLength: 2, maxLength: 8 }),
  ),
  { maxLength: 4 },
);
const surroundings = fc.constantFrom('{"results":"', "<p>", "key=", "/v1/blocks/", "");

test("a key is found and hidden in every chain of encodings", () => {
  fc.assert(
    fc.property(key, steps, surroundings, (secret, chain, before) => {
      const encoded = chain.reduce(
        (text, [name, choices]) => encodings[name](text, choices),
        secret,
      );
      const text = `${before}${encoded}" and more`;
      expect(repeatsKey(secret, text)).toBe(true);
      const hidden = hideSpans(text, findKey(secret)(text));
      expect(repeatsKey(secret, hidden)).toBe(false);
      expect(repeatsKey(secret, redactor(secret)(text))).toBe(false);
      for (const part of [secret.slice(0, 8), secret.slice(-8)])
        expect(redactor(secret)(`…${part}…`)).toBe("…[api-key]…");
    }),
    { numRuns: 3000 },
  );
});

test("a text without the key stays as it is", () => {
  fc.assert(
    fc.property(key, fc.string({ maxLength: 200 }), steps, (secret, other, chain) => {
      fc.pre(!other.toLowerCase().includes(secret.toLowerCase()));
      const text = chain.reduce(
        (encoded, [name, choices]) => encodings[name](encoded, choices),
        other,
      );
      expect(hideSpans(text, findKey(secret)(text))).toBe(text);
    }),
  );
});

describe("the place of a key", () => {
  const hide = (text: string, secret = "s3cret/key of+alice") =>
    hideSpans(text, findKey(secret)(text));

  test("is exactly what stands for it", () => {
    expect(hide('{"a":"s3cret\\/key of\\u002Balice"}\nnext')).toBe('{"a":"[api-key]"}\nnext');
    expect(hide("?q=s3cret%252Fkey+of%252Balice&b=%20")).toBe("?q=[api-key]&b=%20");
    expect(hide("s3cret\u200b/key \u0000of+alice\nnext")).toBe("[api-key]\nnext");
    expect(hide(`%20&#115;3cret/key of+alice\u200b.%20`)).toBe("%20[api-key]\u200b.%20");
    expect(hide("S3CRET/KEY OF+ALICE, s3cret/key of+alice")).toBe("[api-key], [api-key]");
    expect(hide("&copy; &lt; %zz \\q &#; s3cret")).toBe("&copy; &lt; %zz \\q &#; s3cret");
  });

  test("is the whole run of letters or digits that contains it", () => {
    expect(hide(`Basic ${base64("user:s3cret/key of+alice")}, more`)).toBe("Basic [api-key], more");
    expect(hide(`0x${hex("s3cret/key of+alice")}, is`)).toBe("0x[api-key]is");
  });

  test.each([
    ["escapes of URLs", "%41".repeat(2 ** 20 + 1)],
    ["backslashes", "\\\\".repeat(2 ** 20 + 1)],
    ["entities", "&amp;".repeat(2 ** 20 + 1)],
    ["invisible characters", "\u0000a".repeat(2 ** 20 + 1)],
    ["base64", Array.from({ length: 2 ** 18 + 1 }, (_, at) => `word${at}abcdefgh`).join(" ")],
    ["texts that were encoded often", `%${"25".repeat(40)}`.repeat(40_000)],
  ])("is the whole text where decoding it would take too long: %s", (_, text) => {
    expect(hide(text).slice(0, 20)).toBe("[api-key]");
    expect(hide(text.slice(0, text.length / 40)).includes("[api-key]")).toBe(false);
  });

  test.each([
    ["base64", 150_000, base64("s3cret/key of+alice")],
    ["escapes", 30_000, "s3cret%2Fkey%20of%2Balice"],
  ])("is each of many in %s", (_, length, form) => {
    const keys = Array.from({ length }, () => form);
    expect(hide(keys.join(" ")) === keys.fill("[api-key]").join(" ")).toBe(true);
  });

  test("is found where the key itself looks like an escape", () => {
    expect(hide('{"a":"ab%41\\/%42cd"}', "ab%41/%42cd")).toBe('{"a":"[api-key]"}');
    expect(hide("A", "%41%00%00")).toBe("A");
  });
});

// What tokens answer is decoded whatever form it has, and never throws.
import fc from "fast-check";
import { AbiParameters, Hex as OxHex } from "ox";
import { describe, expect, test } from "vitest";
import type { Hex } from "../../mocks/chain/records.ts";
import { decodeFlag, decodeNumber, decodeText } from "../../mocks/ingest/abi.ts";

const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes): Hex => OxHex.fromBytes(bytes));
// What UTF-8 can carry: no half of a surrogate pair.
const anyText = fc.string({ unit: "grapheme", maxLength: 100 });

describe("a text", () => {
  test("comes back from an ABI string", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const answer = AbiParameters.encode(AbiParameters.from(["string"]), [text]);
        expect(decodeText(answer)).toBe(text);
      }),
    );
  });

  test("comes back from a bytes32 padded with zeros, as the first tokens answered", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextEncoder().encode(text);
        fc.pre(bytes.length <= 32 && !text.endsWith("\0"));
        expect(decodeText(OxHex.padRight(OxHex.fromBytes(bytes), 32))).toBe(text);
      }),
    );
  });

  test("may be empty in both forms", () => {
    expect(decodeText(AbiParameters.encode(AbiParameters.from(["string"]), [""]))).toBe("");
    expect(decodeText(`0x${"0".repeat(64)}`)).toBe("");
  });

  test("is nothing where the contract answered nothing, or half an answer", () => {
    const whole = AbiParameters.encode(AbiParameters.from(["string"]), [
      "a text that is longer than a word",
    ]);
    expect(decodeText("0x")).toBeNull();
    expect(decodeText("0x1234")).toBeNull();
    expect(decodeText(whole.slice(0, -64) as Hex)).toBeNull();
    expect(decodeText(`0x${"f".repeat(128)}`)).toBeNull();
  });
});

test("a number and a flag take a whole word", () => {
  expect(decodeNumber("0x")).toBeNull();
  expect(decodeNumber(`0x${"f".repeat(64)}`)).toBe(2n ** 256n - 1n);
  expect(decodeFlag(`0x${"1".padStart(64, "0")}`)).toBe(true);
  expect(decodeFlag("0x")).toBe(false);
});

test("no answer makes decoding throw", () => {
  fc.assert(
    fc.property(anyBytes, (answer) => {
      decodeText(answer);
      decodeNumber(answer);
      decodeFlag(answer);
    }),
  );
});

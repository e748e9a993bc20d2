// Which texts are hexadecimal: addresses, hashes, bytes of any length.
import { expect, test } from "vitest";
import { isAddress, isHash, isHex } from "../../src/models/hex.ts";

const digits = (count: number) => "aF09".repeat(count).slice(0, count);

test.each([
  ["an address", isAddress, 40],
  ["a hash", isHash, 64],
])("%s has 0x and its number of digits", (_, is, count) => {
  expect(is(`0x${digits(count)}`)).toBe(true);
  const others = [
    `0x${digits(count - 2)}`,
    `0x${digits(count + 2)}`,
    digits(count + 2),
    ` 0x${digits(count - 1)}`,
    `0x${digits(count - 1)}g`,
    `0x${digits(count - 1)}\n`,
  ];
  expect(others.filter(is)).toEqual([]);
});

test("bytes have any even number of digits", () => {
  expect(["0x", "0xaF", "0x0011"].filter((text) => isHex(text))).toHaveLength(3);
  expect(
    ["", "0", "0x1", "0x111", "1x00", "0x0g", "a0x0", "00"].filter((text) => isHex(text)),
  ).toEqual([]);
});

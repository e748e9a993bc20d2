// Which values are hexadecimal: addresses and their checksums, hashes, bytes of any length.
import { expect, test } from "vitest";
import { hasChecksum, isAddress, isHash, isHex } from "../../src/models/hex.ts";
import { checksumAddress } from "../../src/models/keccak.ts";

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
    ...[undefined, null, 7, [`0x${digits(count)}`]],
  ];
  expect(others.filter(is)).toEqual([]);
});

test("bytes have any even number of digits", () => {
  expect(["0x", "0xaF", "0x0011"].filter((text) => isHex(text))).toHaveLength(3);
  expect(
    ["", "0", "0x1", "0x111", "1x00", "0x0g", "a0x0", "00"].filter((text) => isHex(text)),
  ).toEqual([]);
});

// The examples of EIP-55.
test.each([
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
] as const)("%s has its checksum", (address) => {
  expect(checksumAddress(address.toLowerCase() as `0x${string}`)).toBe(address);
  expect(checksumAddress(address)).toBe(address);
  expect(hasChecksum(address)).toBe(/[a-f]/.test(address) && /[A-F]/.test(address));
});

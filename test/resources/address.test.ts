// Addresses that users type: what is one, and its spelling with a checksum.
import * as fc from "fast-check";
import { checksumAddress as viemChecksum, isAddress as viemIsAddress } from "viem";
import { expect, it, test } from "vitest";
import { checksumAddress, isAddress } from "../../src/index.ts";
import { runs } from "../support/runs.ts";

const anyCase = fc.string({
  unit: fc.constantFrom(..."0123456789abcdefABCDEF"),
  minLength: 40,
  maxLength: 40,
});

it("agrees with viem on checksums, strictly or by form", () => {
  fc.assert(
    fc.property(
      fc.oneof(anyCase, fc.string()),
      fc.constantFrom("0x", "0X", ""),
      (digits, prefix) => {
        const text = `${prefix}${digits}`;
        const spelled = viemIsAddress(text, { strict: false }) ? viemChecksum(text) : text;
        for (const one of [text, text.toLowerCase(), text.toUpperCase(), spelled]) {
          expect(isAddress(one)).toBe(viemIsAddress(one));
          expect(isAddress(one, { strict: false })).toBe(viemIsAddress(one, { strict: false }));
        }
        if (isAddress(text, { strict: false })) expect(checksumAddress(text)).toBe(spelled);
      },
    ),
    { numRuns: runs(200) },
  );
});

test("a list can be checked with it", () => {
  const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
  expect([address, address.toLowerCase()].every(isAddress)).toBe(true);
  expect([address, address.replace("F6F4", "f6F4")].every(isAddress)).toBe(false);
  expect([null, 5, {}, undefined].some(isAddress)).toBe(false);
});

test.each(["0x12", "", undefined, 5])("%o has no checksum", (value) => {
  expect(() => checksumAddress(value as never)).toThrow(
    expect.objectContaining({
      code: "PARAMETER",
      issues: [expect.objectContaining({ received: value })],
    }),
  );
});

// The packed bytes of a chain: what is written is read again.
import fc from "fast-check";
import { expect, test } from "vitest";
import { PackedBuffer } from "../../../mocks/double/chain/packed-buffer.ts";
import type { Hex } from "../../../mocks/double/chain/records.ts";

/** Numbers around the powers of 2, where the packed size changes. */
const nearPowers = (bits: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: bits }), fc.constantFrom(-1n, 0n, 1n))
    .map(([power, more]) => (1n << BigInt(power)) + more);

const amounts = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), nearPowers(255));
const numbers = fc.oneof(fc.maxSafeNat(), nearPowers(52).map(Number));
/** Of any length, with the runs of zeros that ABI-encoded data has. */
const hex = fc
  .array(fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max: 255 })), {
    maxLength: 2000,
    size: "max",
  })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);

const items = fc.oneof(
  fc.record({ kind: fc.constant("amount" as const), value: amounts }),
  fc.record({ kind: fc.constant("number" as const), value: numbers }),
  fc.record({ kind: fc.constant("hex" as const), value: hex }),
);

test("a packed buffer gives back numbers, amounts and hex strings", () => {
  fc.assert(
    fc.property(fc.array(items), (written) => {
      const packed = new PackedBuffer();
      for (const { kind, value } of written) {
        if (kind === "amount") packed.writeAmount(value);
        else if (kind === "number") packed.writeNumber(value);
        else packed.writeHex(value);
      }
      const read = written.map(({ kind }) => {
        if (kind === "amount") return packed.readAmount();
        return kind === "number" ? packed.readNumber() : packed.readHex();
      });
      expect(read).toEqual(written.map(({ value }) => value));
      expect(packed.at).toBe(packed.length);
    }),
  );
});

test("a packed buffer gives back the first long hex string, and those before it", () => {
  const packed = new PackedBuffer();
  const written = [100, 300, 1000, 3000, 300, 9000].map(
    (size, nth): Hex => `0x${`${nth}a00`.repeat(size)}`,
  );
  const places = written.map((value) => {
    const at = packed.length;
    packed.writeHex(value);
    return at;
  });
  for (const [nth, at] of places.entries()) {
    packed.at = at;
    expect(packed.readHex()).toBe(written[nth]);
  }
});

test.each(["0xABCDEFabcdef0123456789", "0xABCDEFabcdef0123456789ABCDEFabcdef0123456789"] as const)(
  "a packed buffer gives back %s with small letters",
  (value) => {
    const packed = new PackedBuffer();
    packed.writeHex(value);
    expect(packed.readHex()).toBe(value.toLowerCase());
  },
);

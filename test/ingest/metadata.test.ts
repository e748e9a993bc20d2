// The metadata at the end of code, in the forms that compilers have written, and what only looks like it.
import { describe, expect, test } from "vitest";
import { lastMetadata, metadataAddress } from "../../mocks/ingest/metadata.ts";
import type { Hex } from "../../src/models/primitives.ts";

const hash = "11".repeat(32);
const key = (name: string) => (0x60 + name.length).toString(16) + Buffer.from(name).toString("hex");
const bytes = (hex: string) =>
  (hex.length < 48
    ? (0x40 + hex.length / 2).toString(16)
    : `58${(hex.length / 2).toString(16).padStart(2, "0")}`) + hex;
const map = (...entries: (readonly [string, string])[]) =>
  (0xa0 + entries.length).toString(16) + entries.map(([name, value]) => key(name) + value).join("");
const withLength = (cbor: string) => cbor + (cbor.length / 2).toString(16).padStart(4, "0");
const code = (cbor: string, before = "6000fe"): Hex => `0x${before}${withLength(cbor)}`;
const read = (hex: Hex) => lastMetadata(Buffer.from(hex.slice(2), "hex"));
const solc = ["solc", bytes("00081c")] as const;

describe("metadata", () => {
  test("names its file by the kind of its hash", () => {
    expect(metadataAddress(code(map(["bzzr0", bytes(hash)])))).toBe(`bzzr0://${hash}`);
    expect(metadataAddress(code(map(["bzzr1", bytes(hash)], solc)))).toBe(`bzzr1://${hash}`);
    expect(metadataAddress(code(map(["ipfs", bytes(`1220${hash}`)], solc)))).toBe(
      "ipfs://QmPVGjYFugq4XUyBfoTHG6c3qxfBS26jEdaFM1gdAVuMZ2",
    );
  });

  test("has the compiler as three bytes, as a text of a nightly build, or not at all", () => {
    expect(read(code(map(solc)))?.compiler).toBe("0.8.28");
    expect(read(code(map(["solc", key("0.8.29-nightly")])))?.compiler).toBe("0.8.29-nightly");
    expect(read(code(map(["bzzr0", bytes(hash)])))?.compiler).toBeNull();
    expect(read(code(map(["experimental", "f5"], solc)))?.compiler).toBe("0.8.28");
  });

  test("ends the code, and says where it starts", () => {
    const cbor = map(solc);
    expect(read(code(cbor))).toMatchObject({ start: 3, length: cbor.length / 2 + 2 });
    expect(read(code(cbor, ""))).toMatchObject({ start: 0 });
    expect(read(`${code(cbor)}00`)).toBeNull();
  });
});

describe("no metadata", () => {
  test.each<[string, Hex]>([
    ["no code", "0x"],
    ["one byte", "0x00"],
    ["a length beyond the code", "0x6000ffff"],
    ["no map", `0x${withLength("f5")}`],
    ["a map that is cut off", `0x${withLength(map(solc).slice(0, -2))}`],
    ["a map that is shorter than its length", `0x${withLength(`${map(solc)}00`)}`],
    ["a value of another kind", `0x${withLength(map(["solc", "1819"]))}`],
  ])("is in %s", (_, hex) => {
    expect(read(hex)).toBeNull();
    expect(metadataAddress(hex)).toBe("");
  });

  test("a hash of another length is none", () => {
    expect(read(code(map(["bzzr1", bytes(hash.slice(2))])))).toMatchObject({
      kind: "bzzr1",
      hash: null,
    });
    expect(metadataAddress(code(map(["bzzr1", bytes(hash.slice(2))])))).toBe("");
    expect(metadataAddress(code(map(solc)))).toBe("");
  });
});

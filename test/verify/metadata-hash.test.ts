// Hashes of metadata files are those that compilers write into code, whatever the size of the file.
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { type HashKind, lastMetadata } from "../../mocks/ingest/metadata.ts";
import { keccakOf, metadataHash } from "../../mocks/verify/metadata-hash.ts";

const requireHere = createRequire(import.meta.url);

/** A metadata file with this many characters more, and the hash of it that solc wrote. */
function compiled(version: string, more: number, kind: HashKind) {
  const solc = requireHere(`solc-${version}`);
  const input = {
    language: "Solidity",
    sources: { "a.sol": { content: `contract A {} // ${"x".repeat(more)}` } },
    settings: {
      metadata: { useLiteralContent: true, ...(kind === "bzzr1" && { bytecodeHash: "bzzr1" }) },
      outputSelection: {
        "*": { "*": ["metadata", "evm.bytecode.object", "evm.deployedBytecode.object"] },
      },
    },
  };
  const run = solc.compileStandardWrapper ?? solc.compile;
  const { metadata, evm } = JSON.parse(run(JSON.stringify(input))).contracts["a.sol"].A;
  const found = lastMetadata(Buffer.from(evm.deployedBytecode.object, "hex"));
  return { metadata: String(metadata), kind: found?.kind, hash: found?.hash };
}

/** A few bytes, more than a chunk of Swarm, and more than a chunk of the hashes of chunks. */
const sizes = [1, 20_000];

describe.each<[HashKind, string]>([
  ["bzzr0", "0.4.24"],
  ["bzzr1", "0.8.28"],
  ["ipfs", "0.8.28"],
])("%s, as %s writes it", (kind, version) => {
  test.each([...sizes, kind === "ipfs" ? 150_000 : 600_000])("of %i bytes more", (more) => {
    const own = compiled(version, more, kind);
    expect(own.kind).toBe(kind);
    expect(Buffer.from(metadataHash(own.metadata, kind) ?? [])).toEqual(
      Buffer.from(own.hash ?? []),
    );
  });
});

test("IPFS keeps up to 256 KiB less 14 bytes in one block; the hash of more is not known", () => {
  const limit = 2 ** 18 - 14;
  expect(metadataHash("x".repeat(limit), "ipfs")).toHaveLength(34);
  expect(metadataHash("x".repeat(limit + 1), "ipfs")).toBeNull();
  expect(metadataHash("x".repeat(limit + 1), "bzzr1")).toHaveLength(32);
});

test("the keccak of a text is that of its UTF-8", () => {
  expect(keccakOf("")).toBe("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  expect(keccakOf("ü")).not.toBe(keccakOf("u"));
});

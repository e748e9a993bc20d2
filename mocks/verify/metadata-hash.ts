// The hash of a metadata file, as compilers write it into code: Swarm's first and second, or IPFS'.
import * as Hash from "ox/Hash";
import type { HashKind } from "../ingest/metadata.ts";

/** A Swarm chunk, and how many hashes of chunks fit into one. */
const CHUNK = 0x1000;
const branches = CHUNK / 32;
/** IPFS keeps a file of up to this size in one block; no compiler's metadata is larger. */
const IPFS_BLOCK = 2 ** 18;

/** The hash of a file's text, as metadata names it. */
export const keccakOf = (text: string): string =>
  Hash.keccak256(new TextEncoder().encode(text), { as: "Hex" });

const keccak = (bytes: Uint8Array) => Hash.keccak256(bytes);

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** A length as 64 bits, the lowest first. */
const littleEndian = (length: number) =>
  new Uint8Array(new BigUint64Array([BigInt(length)]).buffer);

/** A number in groups of seven bits, the lowest first. */
const varint = (value: number): Uint8Array =>
  value < 128
    ? Uint8Array.of(value)
    : concat(Uint8Array.of((value % 128) | 128), varint(value >> 7));

/** The parts of a file that the chunks of the highest level stand for. */
function parts(bytes: Uint8Array): Uint8Array[] {
  let size = CHUNK;
  while (size * branches < bytes.length) size *= branches;
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

/** Swarm's first hash: a tree of chunks, each hashed as a whole. */
function bzzr0(bytes: Uint8Array): Uint8Array {
  const data = bytes.length <= CHUNK ? bytes : concat(...parts(bytes).map(bzzr0));
  return keccak(concat(littleEndian(bytes.length), data));
}

/** The root of a binary tree over a full chunk. */
function binaryRoot(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= 64) return keccak(bytes);
  const middle = bytes.length / 2;
  return keccak(concat(binaryRoot(bytes.subarray(0, middle)), binaryRoot(bytes.subarray(middle))));
}

/** Swarm's second hash: a tree of chunks, each hashed as a binary tree. */
function bzzr1(bytes: Uint8Array): Uint8Array {
  const data = bytes.length <= CHUNK ? bytes : concat(...parts(bytes).map(bzzr1));
  const full = new Uint8Array(CHUNK);
  full.set(data);
  return keccak(concat(littleEndian(bytes.length), binaryRoot(full)));
}

/** The hash of a file in one block, as IPFS stores it: protobuf around UnixFS around the bytes. */
function ipfs(bytes: Uint8Array): Uint8Array {
  const length = varint(bytes.length);
  const file = concat(Uint8Array.of(8, 2, 18), length, bytes, Uint8Array.of(24), length);
  const hash = Hash.sha256(concat(Uint8Array.of(10), varint(file.length), file));
  return concat(Uint8Array.of(0x12, 0x20), hash);
}

const hashes = { bzzr0, bzzr1, ipfs };

/** The hash that a compiler writes into code for a metadata file; null where it takes several blocks of IPFS. */
export function metadataHash(text: string, kind: HashKind): Uint8Array | null {
  const bytes = new TextEncoder().encode(text);
  return kind === "ipfs" && bytes.length > IPFS_BLOCK - 14 ? null : hashes[kind](bytes);
}

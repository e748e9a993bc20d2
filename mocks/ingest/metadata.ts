// Reads the metadata that a Solidity compiler appends to code: a CBOR map with a hash, often also
// with the compiler's version. https://docs.soliditylang.org/en/latest/metadata.html
import * as Base58 from "ox/Base58";
import * as Hex from "ox/Hex";

export type HashKind = "bzzr0" | "bzzr1" | "ipfs";

/** A range of bytes in code. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

export interface Metadata extends Span {
  readonly kind: HashKind | null;
  /** The hash in the map: 32 bytes, or 34 for an IPFS multihash. */
  readonly hash: Uint8Array | null;
  /** "0.8.20"; null for compilers before 0.5.9, which do not write it. */
  readonly compiler: string | null;
}

/** Length of each kind of hash in bytes. An IPFS multihash has two more: function and length. */
const hashLengths = { bzzr0: 32, bzzr1: 32, ipfs: 34 } as const;

type Value = Uint8Array | string | boolean;

// Reads one CBOR value (https://www.rfc-editor.org/rfc/rfc8949) of the kinds that compilers write:
// bytes, text and booleans. `next` is the position of the next value.
function readValue(code: Uint8Array, at: number): { value: Value; next: number } | null {
  const head = code[at];
  if (head === undefined) return null;
  if (head === 0xf4 || head === 0xf5) return { value: head === 0xf5, next: at + 1 };
  const [major, low] = [head >> 5, head & 0x1f];
  const [length, start] = low === 24 ? [code[at + 1] ?? 0, at + 2] : [low, at + 1];
  if (low > 24 || start + length > code.length) return null;
  const bytes = code.subarray(start, start + length);
  if (major === 2) return { value: bytes, next: start + length };
  return major === 3 ? { value: String.fromCharCode(...bytes), next: start + length } : null;
}

function readMap(code: Uint8Array, start: number): Metadata | null {
  const head = code[start] ?? 0;
  if (head >> 5 !== 5) return null;
  const entries = new Map<unknown, Value>();
  let at = start + 1;
  for (let left = head & 0x1f; left > 0; left--) {
    const key = readValue(code, at);
    const entry = key && readValue(code, key.next);
    if (!entry) return null;
    entries.set(key.value, entry.value);
    at = entry.next;
  }
  const kind = (["bzzr0", "bzzr1", "ipfs"] as const).find((name) => entries.has(name)) ?? null;
  const [hash, solc] = [entries.get(kind), entries.get("solc")];
  return {
    start,
    // Two bytes after the map hold its length.
    length: at + 2 - start,
    kind,
    // No compiler writes a hash of another length.
    hash: kind && hash instanceof Uint8Array && hash.length === hashLengths[kind] ? hash : null,
    compiler: solc instanceof Uint8Array ? solc.join(".") : typeof solc === "string" ? solc : null,
  };
}

/** The metadata at the end of runtime code; null where there is none. */
export function lastMetadata(code: Uint8Array): Metadata | null {
  const [high, low] = code.subarray(-2);
  if (high === undefined || low === undefined) return null;
  const start = code.length - 2 - (high * 256 + low);
  const metadata = start < 0 ? null : readMap(code, start);
  return metadata !== null && start + metadata.length === code.length ? metadata : null;
}

// Returns the address of the metadata file, such as `ipfs://Qm…`; empty if code has no metadata.
export function metadataAddress(code: Hex.Hex): string {
  const { kind, hash } = lastMetadata(Hex.toBytes(code)) ?? {};
  if (!kind || !hash) return "";
  return `${kind}://${kind === "ipfs" ? Base58.fromBytes(hash) : Hex.fromBytes(hash).slice(2)}`;
}

// The metadata a compiler appends to code: a small CBOR map with the hash of the metadata file, and often the compiler's version.

export type HashKind = "bzzr0" | "bzzr1" | "ipfs";

/** A piece of code, in bytes. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

export interface Metadata extends Span {
  readonly kind: HashKind | null;
  /** The hash as the map holds it: 32 bytes, or the 34 of an IPFS multihash. */
  readonly hash: Buffer | null;
  /** "0.8.20"; null before 0.5.9, which did not write it. */
  readonly compiler: string | null;
}

const hashLength = 32;
/** What stands in front of the 32 bytes of a hash: key, then the head of its value. */
const hashKeys = ["bzzr0\x58\x20", "bzzr1\x58\x20", "ipfs\x58\x22\x12\x20"].map((key) =>
  Buffer.from(key, "latin1"),
);

const isHashAt = (code: Buffer, start: number) =>
  hashKeys.some(
    (key) => start >= key.length && code.subarray(start - key.length, start).equals(key),
  );

/**
 * Where the hashes of metadata stand in code: found by comparing it with the code of the same source with another
 * metadata, as its embedded contracts have such hashes too, and as anything in code may look like metadata.
 */
export function metadataHashes(code: Buffer, sameButForMetadata: Buffer): Span[] {
  const found: Span[] = [];
  for (let at = 0; at < code.length; at++) {
    if (code[at] === sameButForMetadata[at]) continue;
    // The first bytes of two hashes may be equal by chance: look back for where this one starts.
    let start = at;
    while (start > at - hashLength && !isHashAt(code, start)) start--;
    if (!isHashAt(code, start)) continue;
    found.push({ start, length: hashLength });
    at = start + hashLength - 1;
  }
  return found;
}

/** The value at `at` of the few kinds of CBOR a compiler writes, and where the next one starts. */
function readValue(
  code: Buffer,
  at: number,
): { value: Buffer | string | boolean; next: number } | null {
  const head = code[at];
  if (head === undefined) return null;
  if (head === 0xf4 || head === 0xf5) return { value: head === 0xf5, next: at + 1 };
  const [major, low] = [head >> 5, head & 0x1f];
  const [length, start] = low === 24 ? [code[at + 1] ?? 0, at + 2] : [low, at + 1];
  if (low > 24 || start + length > code.length) return null;
  const bytes = code.subarray(start, start + length);
  if (major === 2) return { value: bytes, next: start + length };
  return major === 3 ? { value: bytes.toString("latin1"), next: start + length } : null;
}

/** The map that starts at `start`; null where there is none. */
function readMap(code: Buffer, start: number): Metadata | null {
  const head = code[start] ?? 0;
  if (head >> 5 !== 5) return null;
  const entries = new Map<unknown, Buffer | string | boolean>();
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
    // The length of the map follows it, in two bytes.
    length: at + 2 - start,
    kind,
    hash: Buffer.isBuffer(hash) ? hash : null,
    compiler: Buffer.isBuffer(solc) ? solc.join(".") : typeof solc === "string" ? solc : null,
  };
}

/** The metadata at the end of runtime code; null where there is none. */
export function lastMetadata(code: Buffer): Metadata | null {
  if (code.length < 2) return null;
  const start = code.length - 2 - code.readUInt16BE(code.length - 2);
  const metadata = start < 0 ? null : readMap(code, start);
  return metadata !== null && start + metadata.length === code.length ? metadata : null;
}

/** The metadata in which the hash at `hash` stands, read from its head; null where it cannot be read. */
export function metadataAround(code: Buffer, hash: Span): Metadata | null {
  const key = hashKeys.find((candidate) =>
    code.subarray(Math.max(0, hash.start - candidate.length), hash.start).equals(candidate),
  );
  if (key === undefined) return null;
  // In front of the key stand its own head and the map's, and in between perhaps "experimental": true.
  const heads = [2, 2 + 14].map((before) => hash.start - key.length - before);
  const maps = heads.map((start) => (start < 0 ? null : readMap(code, start)));
  return maps.find((map) => map?.hash) ?? null;
}

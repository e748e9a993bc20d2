// Compares compiled code with the code on chain byte by byte, except immutables and metadata hashes.
import { lastMetadata, metadataAround, type Span } from "../metadata.ts";

/** A named part of compiled code, which may be free to differ. */
export interface Region extends Span {
  /** For messages: "the address of library PointMath". */
  readonly name: string;
  /** What the code on chain may contain there: `any` bytes, or equal ones for all places of an immutable. */
  readonly freedom: "none" | "any" | { readonly immutable: string };
}

/** Compiled and linked code with its regions, without constructor arguments. */
export interface ExpectedCode {
  readonly bytes: Buffer;
  readonly regions: readonly Region[];
}

const inside = (at: number, { start, length }: Span) => at >= start && at < start + length;

/** The first byte that must not differ but does, or the end of the shorter code; undefined if the codes match. */
function firstDifference({ bytes, regions }: ExpectedCode, actual: Buffer): number | undefined {
  const free = regions.filter(({ freedom }) => freedom !== "none");
  const common = Math.min(bytes.length, actual.length);
  for (let at = 0; at < common; at++) {
    if (bytes[at] === actual[at]) continue;
    const region = free.find((candidate) => inside(at, candidate));
    if (region === undefined) return at;
    at = region.start + region.length - 1;
  }
  if (bytes.length !== actual.length) return common;
  return immutableDifference(free, actual);
}

/** An immutable has the same value in all its places. */
function immutableDifference(regions: readonly Region[], actual: Buffer): number | undefined {
  const values = new Map<string, Buffer>();
  for (const { start, length, freedom } of regions) {
    if (typeof freedom !== "object") continue;
    const value = actual.subarray(start, start + length);
    const seen = values.get(freedom.immutable);
    if (seen !== undefined && !seen.equals(value)) return start;
    values.set(freedom.immutable, value);
  }
  return undefined;
}

/** The compiler of the code, as its metadata names it. */
function compilerOf(code: Buffer): string {
  const metadata = lastMetadata(code);
  if (metadata === null) return "by an unnamed compiler, without metadata";
  return metadata.compiler === null
    ? `by an unnamed compiler, with ${metadata.kind} metadata`
    : `by ${metadata.compiler}`;
}

/** The name of the region of a byte. */
function regionAt({ bytes, regions }: ExpectedCode, at: number): string {
  const region = regions.find((candidate) => inside(at, candidate));
  if (region !== undefined && region.freedom !== "any") return region.name;
  const hashes = regions.filter(({ freedom }) => freedom === "any");
  const maps = [lastMetadata(bytes), ...hashes.map((hash) => metadataAround(bytes, hash))];
  return maps.some((map) => map !== null && inside(at, map))
    ? "the metadata (hash apart)"
    : "the program";
}

const hexAt = (code: Buffer, { start, length }: Span) =>
  `0x${code.subarray(start, start + length).toString("hex")}`;

/** The message of the first difference; undefined if the code on chain is the expected one. */
export function difference(
  kind: "Runtime" | "Creation",
  expected: ExpectedCode,
  actual: Buffer,
): string | undefined {
  const at = firstDifference(expected, actual);
  if (at === undefined) return undefined;
  const where = `${kind} code differs from byte ${at} on, in ${regionAt(expected, at)}`;
  const fixed = expected.regions.find(
    ({ freedom, ...span }) => freedom === "none" && inside(at, span),
  );
  if (fixed !== undefined) {
    return `${where}: ${hexAt(actual, fixed)} on chain, ${hexAt(expected.bytes, fixed)} submitted`;
  }
  const sizes = `${actual.length} bytes on chain, ${expected.bytes.length} compiled`;
  return `${where} (${sizes}): ${probableCause(expected.bytes, actual)}`;
}

function probableCause(compiled: Buffer, actual: Buffer): string {
  const [onChain, ours] = [compilerOf(actual), compilerOf(compiled)];
  return onChain === ours
    ? `both were compiled ${ours}, so the source, the optimizer, its runs or the EVM version differs`
    : `another compiler version: the code on chain was compiled ${onChain}, this source ${ours}`;
}

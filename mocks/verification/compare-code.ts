// Compares compiled code with the code on chain byte by byte, except immutables and metadata hashes.
import { lastMetadata, type Metadata, metadataAround, type Span } from "../metadata.ts";

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
  /** The regions of libraries whose address is not known. */
  readonly missing: readonly (Region & { readonly library: string })[];
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

/** The message of the first difference; undefined if the code on chain is the expected one. `cause` explains one in the program. */
export function difference(
  kind: "Runtime" | "Creation",
  expected: ExpectedCode,
  actual: Buffer,
  cause: () => string,
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
  return `${where} (${sizes}): ${cause()}`;
}

/** What probably makes runtime codes differ, by what their metadata says of their compilers. */
export function probableCause(compiled: Buffer, actual: Buffer): string {
  const [onChain, ours] = [lastMetadata(actual), lastMetadata(compiled)];
  const settings = "the source, the optimizer, its runs or the EVM version differs";
  if (onChain === null || ours === null)
    return `the code on chain has ${onChain === null ? "no" : "other"} metadata to tell its compiler by: the compiler version, or ${settings}`;
  if (onChain.compiler === null || ours.compiler === null)
    return onChain.compiler === ours.compiler && onChain.kind === ours.kind
      ? `both have ${ours.kind} metadata, which does not name the compiler: the compiler version, or ${settings}`
      : `another compiler version: the code on chain was compiled ${writer(onChain)}, this source ${writer(ours)}`;
  return onChain.compiler === ours.compiler
    ? `both were compiled by ${ours.compiler}, so ${settings}`
    : `another compiler version: the code on chain was compiled by ${onChain.compiler}, this source by ${ours.compiler}`;
}

/** The compiler, as its metadata names it. */
const writer = ({ compiler, kind }: Metadata) =>
  compiler === null ? `by an unnamed compiler, with ${kind} metadata` : `by ${compiler}`;

// Compares compiled code with the code on chain byte by byte, except immutables and metadata hashes.
import { lastMetadata, type Metadata, type Span } from "../metadata.ts";
import { digitsOf, isEqual } from "./code-form.ts";
import type { ExpectedCode, Region } from "./expected-code.ts";

const inside = (at: number, { start, length }: Span) => at >= start && at < start + length;

/** The first byte that must not differ but does, or the end of the shorter code; undefined if the codes match. */
function firstDifference({ bytes, regions }: ExpectedCode, actual: Uint8Array): number | undefined {
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
function immutableDifference(regions: readonly Region[], actual: Uint8Array): number | undefined {
  const values = new Map<string, Uint8Array>();
  for (const { start, length, freedom } of regions) {
    if (typeof freedom !== "object") continue;
    const value = actual.subarray(start, start + length);
    const seen = values.get(freedom.immutable);
    if (seen !== undefined && !isEqual(seen, value)) return start;
    values.set(freedom.immutable, value);
  }
  return undefined;
}

/** The name of the region of a byte. */
function regionAt({ regions, metadata }: ExpectedCode, at: number): string {
  const region = regions.find((candidate) => inside(at, candidate));
  if (region !== undefined && region.freedom !== "any") return region.name;
  return metadata.some((map) => inside(at, map)) ? "the metadata (hash apart)" : "the program";
}

const hexAt = (code: Uint8Array, { start, length }: Span) =>
  `0x${digitsOf(code.subarray(start, start + length))}`;

const [JUMPDEST, PUSH1, PUSH32] = [0x5b, 0x60, 0x7f];

/** Every byte that a jump may lead to. */
function jumpTargets(code: Uint8Array): Set<number> {
  const targets = new Set<number>();
  for (let at = 0; at < code.length; at++) {
    const instruction = code[at] ?? 0;
    if (instruction === JUMPDEST) targets.add(at);
    // Pushed bytes are data.
    else if (instruction >= PUSH1 && instruction <= PUSH32) at += instruction - PUSH1 + 1;
  }
  return targets;
}

/** Whether a jump may lead where the compiled code has no target: into bytes that are free to differ, or that they disarrange. */
export function hasOtherTargets({ bytes }: ExpectedCode, actual: Uint8Array): boolean {
  const compiled = jumpTargets(bytes);
  return [...jumpTargets(actual.subarray(0, bytes.length))].some((target) => !compiled.has(target));
}

/** The message of the first difference; undefined if the code on chain is the expected one. `cause` explains one in the program. */
export function difference(
  kind: "Runtime" | "Creation",
  expected: ExpectedCode,
  actual: Uint8Array,
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
export function probableCause(compiled: Uint8Array, actual: Uint8Array): string {
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

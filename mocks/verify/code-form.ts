// The forms in which a compiler may have written code (metadata and pipeline), and helpers for
// bytes of code.

import * as Hex from "ox/Hex";
import { lastMetadata } from "../ingest/metadata.ts";
import { type CompilerVersion, isSince } from "./compiler-version.ts";

/** Settings that C3 has no field for, so they are read from the code. */
export interface CodeForm {
  readonly metadata: { readonly bytecodeHash?: "none" | "bzzr1"; readonly appendCBOR?: false };
  /** Whether the code is compiled via the intermediate representation. */
  readonly viaIR: boolean;
}

function metadataOf(code: Uint8Array, version: CompilerVersion): CodeForm["metadata"] {
  const metadata = lastMetadata(code);
  if (metadata === null) return isSince(version, "0.8.18") ? { appendCBOR: false } : {};
  if (!isSince(version, "0.6.0")) return {};
  if (metadata.hash === null) return { bytecodeHash: "none" };
  return metadata.kind === "bzzr1" ? { bytecodeHash: "bzzr1" } : {};
}

/** Number of bytes at the start of code by which its pipeline is recognised. */
const BEGINNING = 48;
/**
 * Code of the older pipeline: checks the value for all functions at once, or reads the selector
 * after a jump.
 */
const OLDER_PIPELINE = /348015|57(5f|6000)3560e01c80/;
/** Checks that the call data has four bytes (CALLDATASIZE LT). */
const DISPATCHER = /3610(15|60|61)/;

/** Returns the pipelines to try as values of `viaIR`, the likely one first. */
function pipelinesOf(
  code: Uint8Array,
  version: CompilerVersion,
  submitted: boolean | undefined,
): readonly boolean[] {
  // Before 0.8.2, the newer pipeline was an experiment and returned no runtime code.
  if (!isSince(version, "0.8.2")) return [false];
  const start = digitsOf(code.subarray(0, BEGINNING));
  if (OLDER_PIPELINE.test(start)) return [false];
  return (submitted ?? DISPATCHER.test(start)) ? [true, false] : [false, true];
}

/** Returns the forms to compile in, the likely one first. `viaIR` is the submission's hint. */
export function formsOf(
  runtimeCode: Uint8Array,
  version: CompilerVersion,
  viaIR?: boolean,
): readonly CodeForm[] {
  const metadata = metadataOf(runtimeCode, version);
  return pipelinesOf(runtimeCode, version, viaIR).map((viaIR) => ({ metadata, viaIR }));
}

export const bytesOf = (digits: string): Uint8Array => Hex.toBytes(`0x${digits}`);

export const digitsOf = (bytes: Uint8Array): string => Hex.fromBytes(bytes).slice(2);

export const isEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, index) => byte === right[index]);

/** Finds every position of a part, which must not be empty, in ascending order. */
export function placesOf(part: Uint8Array, whole: Uint8Array): number[] {
  const places: number[] = [];
  const [first = 0] = part;
  for (let at = whole.indexOf(first); at >= 0; at = whole.indexOf(first, at + 1))
    if (part.every((byte, index) => byte === whole[at + index])) places.push(at);
  return places;
}

// Reads from the code on chain in which forms its compiler may have written it: metadata or none, and the pipeline.
import { lastMetadata } from "../metadata.ts";
import { type CompilerVersion, isSince } from "./compiler-version.ts";

/** Settings that the specification has no field for. */
export interface CodeForm {
  /** The compiler's `settings.metadata`. */
  readonly metadata: { readonly bytecodeHash?: "none" | "bzzr1"; readonly appendCBOR?: false };
  /** Compiled via the intermediate representation. */
  readonly viaIR: boolean;
}

function metadataOf(code: Buffer, version: CompilerVersion): CodeForm["metadata"] {
  const metadata = lastMetadata(code);
  if (metadata === null) return isSince(version, "0.8.18") ? { appendCBOR: false } : {};
  if (!isSince(version, "0.6.0")) return {};
  if (metadata.hash === null) return { bytecodeHash: "none" };
  return metadata.kind === "bzzr1" ? { bytecodeHash: "bzzr1" } : {};
}

/** How far into the code a dispatcher asks whether there is a selector. */
const beginning = 48;

/**
 * The pipelines to try, the likely one first. A dispatcher asks whether there are four bytes of call data: the older pipeline jumps if there
 * are fewer (CALLDATASIZE LT PUSH), the newer if there are not (CALLDATASIZE LT ISZERO). Code without functions shows nothing.
 */
function pipelinesOf(code: Buffer, version: CompilerVersion): readonly boolean[] {
  if (!isSince(version, "0.8.13")) return [false];
  const start = code.subarray(0, beginning).toString("hex");
  if (/361015/.test(start)) return [true, false];
  return /3610(60|61)/.test(start) ? [false] : [false, true];
}

/** The forms to compile in, the likely one first. */
export function formsOf(runtimeCode: Buffer, version: CompilerVersion): readonly CodeForm[] {
  const metadata = metadataOf(runtimeCode, version);
  return pipelinesOf(runtimeCode, version).map((viaIR) => ({ metadata, viaIR }));
}

// Turns compiled code into the code expected on chain: links libraries and marks the regions free to differ.

import { metadataHashes } from "../metadata.ts";
import type { ExpectedCode, Region } from "./compare-code.ts";
import type { CodeReference, CompiledCode } from "./compiler-worker.ts";
import { type ReadSubmission, SubmissionError } from "./submission.ts";

interface LibraryReference extends CodeReference {
  readonly name: string;
}

const libraryReferences = ({ linkReferences }: CompiledCode): LibraryReference[] =>
  Object.values(linkReferences).flatMap((libraries) =>
    Object.entries(libraries).flatMap(([name, places]) =>
      places.map((place) => ({ ...place, name })),
    ),
  );

/** Replaces the compiler's placeholders by the addresses of libraries. */
function link(
  code: CompiledCode,
  { libraries }: ReadSubmission,
  onChain: Buffer,
): { bytes: Buffer; regions: Region[] } {
  let hex = code.object;
  const regions: Region[] = [];
  for (const { name, start, length } of libraryReferences(code)) {
    const library = libraries.find((candidate) => candidate.name === name);
    if (library === undefined) {
      const actual = onChain.subarray(start, start + length).toString("hex");
      throw new SubmissionError(
        `Library ${name} has no address in the submission; the chain has 0x${actual}`,
      );
    }
    hex = hex.slice(0, 2 * start) + library.address.slice(2) + hex.slice(2 * (start + length));
    regions.push({ start, length, name: `the address of library ${name}`, freedom: "none" });
  }
  return { bytes: Buffer.from(hex, "hex"), regions };
}

const immutables = ({ immutableReferences }: CompiledCode): Region[] =>
  Object.entries(immutableReferences).flatMap(([immutable, places]) =>
    places.map((place) => ({ ...place, name: "an immutable", freedom: { immutable } })),
  );

/**
 * A library's code starts by pushing its own address, to refuse direct calls: zeros when compiled, its address on chain.
 */
function protectLibrary(bytes: Buffer, address: string): Region[] {
  const zeros = Buffer.from(`73${"00".repeat(20)}3014`, "hex");
  if (!bytes.subarray(0, zeros.length).equals(zeros)) return [];
  bytes.write(address.slice(2), 1, "hex");
  return [{ start: 1, length: 20, name: "the library's own address", freedom: "none" }];
}

/** The creation code expected on chain, constructor arguments not included. */
export const expectedCreation = (
  code: CompiledCode,
  read: ReadSubmission,
  onChain: Buffer,
): ExpectedCode => link(code, read, onChain);

/** The runtime code expected at an address. */
export function expectedRuntime(
  code: CompiledCode,
  read: ReadSubmission,
  onChain: Buffer,
  address: string,
): ExpectedCode {
  const { bytes, regions } = link(code, read, onChain);
  return { bytes, regions: [...regions, ...protectLibrary(bytes, address), ...immutables(code)] };
}

/** The same code with its metadata hashes free to differ; `other` is the code compiled with other metadata. */
export const freeMetadata = (code: ExpectedCode, other: ExpectedCode): ExpectedCode => ({
  ...code,
  regions: [
    ...code.regions,
    ...metadataHashes(code.bytes, other.bytes).map((span) => ({
      ...span,
      name: "the metadata's hash",
      freedom: "any" as const,
    })),
  ],
});

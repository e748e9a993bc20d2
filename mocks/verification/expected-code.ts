// Turns compiled code into the code expected on chain: links libraries and marks the regions free to differ.
import { lastMetadata, metadataHashes, type Span } from "../metadata.ts";
import type { ExpectedCode, Region } from "./compare-code.ts";
import type { CodeReference, CompiledCode } from "./compiler-worker.ts";
import type { ReadSubmission } from "./submission.ts";

interface LibraryReference extends CodeReference {
  readonly file: string;
  readonly name: string;
}

const libraryReferences = ({ linkReferences }: CompiledCode): LibraryReference[] =>
  Object.entries(linkReferences).flatMap(([file, libraries]) =>
    Object.entries(libraries).flatMap(([name, places]) =>
      places.map((place) => ({ ...place, file, name })),
    ),
  );

/** Replaces the compiler's placeholders by the addresses of libraries; a missing address may be any, the same in all places. */
function link(code: CompiledCode, { libraries }: Pick<ReadSubmission, "libraries">): ExpectedCode {
  let hex = code.object;
  const regions: Region[] = [];
  const missing: ExpectedCode["missing"][number][] = [];
  for (const { file, name, start, length } of libraryReferences(code)) {
    const library = libraries.find((one) => one.name === name && (one.file ?? file) === file);
    const address = library?.address.slice(2) ?? "00".repeat(length);
    hex = hex.slice(0, 2 * start) + address + hex.slice(2 * (start + length));
    const region = { start, length, name: `the address of library ${name}` };
    if (library !== undefined) regions.push({ ...region, freedom: "none" });
    else missing.push({ ...region, library: name, freedom: { immutable: `library ${name}` } });
  }
  return { bytes: Buffer.from(hex, "hex"), regions: [...regions, ...missing], missing };
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
export const expectedCreation = (code: CompiledCode, read: ReadSubmission): ExpectedCode =>
  link(code, read);

/** The runtime code expected at an address. */
export function expectedRuntime(
  code: CompiledCode,
  read: Pick<ReadSubmission, "libraries">,
  address: string,
): ExpectedCode {
  const { bytes, regions, missing } = link(code, read);
  const all = [...regions, ...protectLibrary(bytes, address), ...immutables(code)];
  return { bytes, regions: all, missing };
}

/** The same code with these regions free to differ. */
const freeing = (code: ExpectedCode, spans: readonly Span[]): ExpectedCode => ({
  ...code,
  regions: [
    ...code.regions,
    ...spans.map((span) => ({
      ...span,
      name: "the metadata's hash",
      freedom: "any" as const,
    })),
  ],
});

/** The same code with its metadata hashes free to differ; `other` is the code compiled with other metadata. */
export const freeMetadata = (code: ExpectedCode, other: ExpectedCode): ExpectedCode =>
  freeing(code, metadataHashes(code.bytes, other.bytes));

/**
 * The same with every hash that differs on chain free to differ. It takes any differing bytes behind a hash's key for a hash: good for a
 * hint, not for a proof.
 */
export const freeLikelyMetadata = (code: ExpectedCode, onChain: Buffer): ExpectedCode =>
  freeing(code, metadataHashes(code.bytes, onChain));

/** The same code with the metadata at its end cut off: no setting of the compilers before 0.8.18 leaves it out. */
export function withoutMetadata(code: ExpectedCode): ExpectedCode {
  const end = lastMetadata(code.bytes)?.start;
  return end === undefined ? code : { ...code, bytes: code.bytes.subarray(0, end) };
}

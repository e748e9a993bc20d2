// Derives the code to expect on chain from compiled code: links libraries, and marks free regions.
import { lastMetadata, type Span } from "../ingest/metadata.ts";
import { bytesOf, isEqual, placesOf } from "./code-form.ts";
import type { CodeReference, CompiledCode } from "./compiler-worker.ts";
import type { ReadSubmission } from "./submission.ts";

/** A named part of compiled code, which may be free to differ. */
export interface Region extends Span {
  /** For messages: "the address of library PointMath". */
  readonly name: string;
  /**
   * The bytes allowed on chain: the compiled bytes, any bytes, or the same bytes in all places of
   * an immutable.
   */
  readonly freedom: "none" | "any" | { readonly immutable: string };
}

/** Compiled and linked code with its regions, without constructor arguments. */
export interface ExpectedCode {
  readonly bytes: Uint8Array;
  readonly regions: readonly Region[];
  /** The regions of libraries whose addresses are not known. */
  readonly missing: readonly (Region & { readonly library: string })[];
  /** The metadata that the compiler appended to the contract and to embedded ones. */
  readonly metadata: readonly AppendedMetadata[];
}

export interface AppendedMetadata extends Span {
  readonly hash: Span | undefined;
}

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

/**
 * Finds the metadata that the compiler reports. A constant of the program may have the same bytes.
 * If there are more copies than the compiler appended, only a copy at the end is certain.
 */
function findMetadata(bytes: Uint8Array, appended: readonly string[]): AppendedMetadata[] {
  const counts = new Map<string, number>();
  for (const hex of appended) counts.set(hex, (counts.get(hex) ?? 0) + 1);
  return [...counts].flatMap(([hex, count]) => {
    const map = bytesOf(hex);
    const { hash } = lastMetadata(map) ?? {};
    const places = placesOf(map, bytes);
    const certain = places.filter(
      (at) => places.length <= count || at + map.length === bytes.length,
    );
    return certain.map((start) => ({
      start,
      length: map.length,
      // `hash` is a view of the map's bytes.
      hash: hash
        ? { start: start + hash.byteOffset - map.byteOffset, length: hash.length }
        : undefined,
    }));
  });
}

/** Replaces the placeholders of libraries by their addresses. */
function link(code: CompiledCode, { libraries }: Pick<ReadSubmission, "libraries">): ExpectedCode {
  let hex = code.object;
  const regions: Region[] = [];
  const missing: ExpectedCode["missing"][number][] = [];
  for (const { file, name, start, length } of libraryReferences(code)) {
    const library = libraries.find(
      (candidate) => candidate.name === name && (candidate.file ?? file) === file,
    );
    const address = library?.address.slice(2) ?? "00".repeat(length);
    hex = hex.slice(0, 2 * start) + address + hex.slice(2 * (start + length));
    const region = { start, length, name: `the address of library ${name}` };
    if (library !== undefined) regions.push({ ...region, freedom: "none" });
    else missing.push({ ...region, library: name, freedom: { immutable: `library ${name}` } });
  }
  const bytes = bytesOf(hex);
  const metadata = findMetadata(bytes, code.appended);
  return { bytes, regions: [...regions, ...missing], missing, metadata };
}

const immutables = ({ immutableReferences }: CompiledCode): Region[] =>
  Object.entries(immutableReferences).flatMap(([immutable, places]) =>
    places.map((place) => ({ ...place, name: "an immutable", freedom: { immutable } })),
  );

/**
 * Sets the library's own address, which the code of a library starts with. The compiler writes zeros.
 * https://docs.soliditylang.org/en/latest/contracts.html#call-protection-for-libraries
 */
function protectLibrary(bytes: Uint8Array, address: string): Region[] {
  const zeros = bytesOf(`73${"00".repeat(20)}3014`);
  if (!isEqual(bytes.subarray(0, zeros.length), zeros)) return [];
  bytes.set(bytesOf(address.slice(2)), 1);
  return [{ start: 1, length: 20, name: "the library's own address", freedom: "none" }];
}

export const expectedCreation = (code: CompiledCode, read: ReadSubmission): ExpectedCode =>
  link(code, read);

export function expectedRuntime(
  code: CompiledCode,
  read: Pick<ReadSubmission, "libraries">,
  address: string,
): ExpectedCode {
  const { bytes, regions, missing, metadata } = link(code, read);
  const allRegions = [...regions, ...protectLibrary(bytes, address), ...immutables(code)];
  return { bytes, regions: allRegions, missing, metadata };
}

/**
 * Number of bytes of a digest. In an IPFS multihash, the bytes before it name its kind, and must be
 * equal.
 */
const DIGEST_LENGTH = 32;

export const freeMetadata = (code: ExpectedCode): ExpectedCode => ({
  ...code,
  regions: [
    ...code.regions,
    ...code.metadata.flatMap(({ hash }): Region[] => {
      if (hash === undefined) return [];
      const start = hash.start + hash.length - DIGEST_LENGTH;
      return [{ start, length: DIGEST_LENGTH, name: "the metadata's hash", freedom: "any" }];
    }),
  ],
});

/** The metadata of the contract itself, which ends its code; undefined if it has none. */
export const ownMetadata = ({ bytes, metadata }: ExpectedCode): AppendedMetadata | undefined =>
  metadata.find(({ start, length }) => start + length === bytes.length);

// Reads a line of `sources` into a verified contract.
import * as z from "zod/mini";
import { orNull } from "../../src/models/primitives.ts";
import {
  type Address,
  type ContractVerification,
  type Hex,
  uncoveredRegions,
} from "../chain/records.ts";
import { metadataAddress } from "./metadata.ts";
import { address, count, data, flag, IngestError, list, read, text } from "./read.ts";

/** Maximum characters of a contract's source. */
const MAX_SOURCE = 2 ** 22;

/** Facts about a contract that a line of `sources` does not contain. */
export interface SourceContext {
  /** The code at the head by account. */
  readonly codes: Pick<ReadonlyMap<Address, Hex>, "get">;
  /** Seconds since 1970. */
  readonly verifiedAt: number;
}

/** Digits of a number below 2^256. */
const digits = z.string().check(z.regex(/^\d{1,78}$/, "at most 78 digits"));
const storageVariables = list(z.object({ label: text, slot: digits, offset: count, type: text }));

/** A compiler's storage layout, without its other fields. */
export const storageLayoutSchema = z.object({
  storage: storageVariables,
  types: orNull(
    z.record(
      z.string(),
      z.object({
        ...{ encoding: text, label: text, numberOfBytes: digits },
        ...{ key: z.optional(text), value: z.optional(text), base: z.optional(text) },
        members: z.optional(storageVariables),
      }),
    ),
  ),
});

const sourceSchema = z.object({
  address,
  compiler: text,
  libraries: orNull(z.record(z.string(), address)),
  name: text,
  runs: count,
  optimizer: flag,
  evmVersion: z.optional(orNull(text)),
  viaIR: z.optional(flag),
  abi: list(z.record(z.string(), z.unknown())),
  source: text,
  constructorArguments: text,
  // A store adds the code that the source was verified with, and the verdict.
  code: z.optional(data),
  verifiedAt: z.optional(count),
  message: z.optional(text),
  level: z.optional(z.literal(["exact", "partial"])),
  uncovered: z.optional(list(z.literal(uncoveredRegions))),
  // The files by their numbers, with the source maps and the layout of the storage.
  compiled: z.optional(
    z.object({
      files: list(z.tuple([count, z.object({ name: text, text })])),
      runtime: text,
      creation: text,
      isPlain: z._default(flag, false),
      storage: z.optional(storageLayoutSchema),
    }),
  ),
});

// Reads the contract in a line; undefined if the chain now has other code than the line.
export function readSource(
  record: unknown,
  context: SourceContext,
): ContractVerification | undefined {
  const source = read(sourceSchema, record);
  if (source.source.length > MAX_SOURCE)
    throw new IngestError(
      `expected a source of at most ${MAX_SOURCE} characters for ${source.name}, received ${source.source.length}`,
      { field: "source" },
    );
  const code = context.codes.get(source.address) ?? "0x";
  if (source.code !== undefined && source.code !== code) return undefined;
  if (code === "0x") {
    throw new IngestError(`expected a contract at ${source.address}, found no code`, {
      field: "address",
    });
  }
  const { name, optimizer, libraries, compiled, ...others } = source;
  return {
    ...others,
    verifiedAt: source.verifiedAt ?? context.verifiedAt,
    contractName: name,
    optimizationEnabled: optimizer,
    libraries: Object.entries(libraries ?? {}).map(([name, address]) => ({ name, address })),
    code,
    swarmSource: metadataAddress(code),
    ...(compiled && { compiled: { ...compiled, files: new Map(compiled.files) } }),
  };
}

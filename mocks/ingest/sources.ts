// Reads a line of `sources` into a verified contract.
import * as z from "zod/mini";
import { orNull } from "../../src/models/primitives.ts";
import type { Address, ContractVerification, Hex } from "../chain/records.ts";
import { metadataAddress } from "../metadata.ts";
import { IngestError } from "./ingest-error.ts";
import { read } from "./read.ts";
import { address, count, flag, list, text } from "./values.ts";

/** What a line of `sources` does not contain. */
export interface SourceContext {
  /** The code at the head by account. */
  readonly codes: ReadonlyMap<Address, Hex>;
  /** Seconds since 1970. */
  readonly verifiedAt: number;
}

const sourceSchema = z.object({
  address,
  compiler: text,
  libraries: orNull(z.record(z.string(), address)),
  name: text,
  runs: count,
  optimizer: flag,
  abi: list(z.record(z.string(), z.unknown())),
  source: text,
  constructorArguments: text,
});

export function readSource(of: unknown, context: SourceContext): ContractVerification {
  const source = read(sourceSchema, of);
  const code = context.codes.get(source.address) ?? "0x";
  if (code === "0x") {
    throw new IngestError(`expected a contract at ${source.address}, found no code`, {
      field: "address",
    });
  }
  return {
    address: source.address,
    compiler: source.compiler,
    libraries: Object.entries(source.libraries ?? {}).map(([name, address]) => ({ name, address })),
    verifiedAt: context.verifiedAt,
    contractName: source.name,
    runs: source.runs,
    optimizationEnabled: source.optimizer,
    code,
    abi: source.abi,
    source: source.source,
    constructorArguments: source.constructorArguments,
    swarmSource: metadataAddress(code),
  };
}

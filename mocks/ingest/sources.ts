// Reads a verifiable source into the record of a contract whose source is proven.
import { isObject } from "../../src/models/issues.ts";
import type { Address, Hex, VerifiedContract } from "../chain/records.ts";
import { IngestError } from "./fault.ts";
import { address, count, flag, list, optional, type Raw, raw, text } from "./fields.ts";
import { metadataAddress } from "./metadata.ts";

/** What a source's line does not carry. */
export interface SourceContext {
  /** The code at the head by account. */
  readonly codes: ReadonlyMap<Address, Hex>;
  /** Seconds since 1970. */
  readonly verifiedAt: number;
}

function libraries(of: Raw): VerifiedContract["libraries"] {
  const linked = optional(of, "libraries", raw) ?? {};
  return Object.keys(linked).map((name) => ({ name, address: address(linked, name) }));
}

export function readSource(of: Raw, context: SourceContext): VerifiedContract {
  const contract = address(of, "address");
  const code = context.codes.get(contract) ?? "0x";
  if (code === "0x") {
    throw new IngestError(`expected a contract at ${contract}, found no code there`, {
      field: "address",
    });
  }
  const abi = list(of, "abi");
  if (!abi.every(isObject)) throw new IngestError("expected a list of objects", { field: "abi" });
  return {
    address: contract,
    compiler: text(of, "compiler"),
    libraries: libraries(of),
    verifiedAt: context.verifiedAt,
    contractName: text(of, "name"),
    runs: count(of, "runs"),
    optimizationEnabled: flag(of, "optimizer"),
    code,
    abi,
    source: text(of, "source"),
    constructorArguments: text(of, "constructorArguments"),
    swarmSource: metadataAddress(code),
  };
}

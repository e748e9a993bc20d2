// The devnet's sources and what its blocks say of the contracts, read from the raw files: no part of the project is in between.
import type { Address, Hex } from "../../../mocks/double/chain/records.ts";
import type { OnChainContract, Submission } from "../../../mocks/double/operations/verifier.ts";
import type { VerificationSubmission } from "../../../src/index.ts";
import { DEVNET, readZipped } from "../../support/chains.ts";

/** A line of sources.ndjson.gz. */
export interface DevnetSource {
  readonly address: Address;
  readonly name: string;
  readonly compiler: string;
  readonly optimizer: boolean;
  readonly runs: number;
  readonly evmVersion: string | null;
  readonly libraries: Readonly<Record<string, Address>>;
  readonly source: string;
  readonly constructorArguments: string;
  readonly abi: readonly unknown[];
}

/** A line of sources-negative.ndjson.gz. */
export interface WrongSource extends DevnetSource {
  readonly what: string;
  readonly verdict:
    | string
    | { runtime: boolean; stripped: boolean; blanked: boolean; creation: boolean };
  /** The compiler to submit, where it is not the source's own. */
  readonly useCompiler?: string;
}

function lines<Line>(file: string): Line[] {
  const text = readZipped(DEVNET, `${file}.ndjson.gz`);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

export const sources = () => lines<DevnetSource>("sources");
export const wrongSources = () => lines<WrongSource>("sources-negative");

interface Frame {
  readonly type: string;
  readonly to?: string;
  readonly input: Hex;
  readonly calls?: readonly Frame[];
}

interface BlockLine {
  readonly traces: readonly { readonly result: Frame }[];
}

interface CallLine {
  readonly method: string;
  readonly params: readonly [string];
  readonly result: Hex;
}

/** The code and the creations of every contract. */
export function contracts(): (address: Address) => OnChainContract {
  const codes = new Map<string, Hex>();
  for (const { method, params, result } of lines<CallLine>("calls")) {
    if (method === "eth_getCode") codes.set(params[0].toLowerCase(), result);
  }
  const creations = new Map<string, Hex[]>();
  const visit = (frame: Frame) => {
    if (frame.type.startsWith("CREATE") && frame.to !== undefined) {
      creations.set(frame.to, [...(creations.get(frame.to) ?? []), frame.input]);
    }
    frame.calls?.forEach(visit);
  };
  for (const { traces } of lines<BlockLine>("blocks")) {
    for (const { result } of traces) visit(result);
  }
  return (address) => ({
    address,
    runtimeCode: codes.get(address) ?? "0x",
    creationCodes: creations.get(address) ?? [],
  });
}

export const librariesOf = ({ libraries }: DevnetSource) =>
  Object.entries(libraries).map(([name, address]) => ({ name, address }));

/** As the body of operation C3 has it. */
export const submissionOf = (source: DevnetSource & { useCompiler?: string }): Submission => ({
  contract_name: source.name,
  compiler: source.useCompiler ?? source.compiler,
  runs_optimizer: source.runs,
  optimization_enabled: source.optimizer ? 1 : 0,
  contract_source: Buffer.from(source.source).toString("base64"),
  constructor_arguments: source.constructorArguments,
  evm_version: source.evmVersion,
  libraries: librariesOf(source),
});

/** The same, as the client takes it. */
export const clientSubmissionOf = (
  source: DevnetSource & { useCompiler?: string },
): VerificationSubmission => ({
  contract_name: source.name,
  compiler: source.useCompiler ?? source.compiler,
  runs_optimizer: source.runs,
  optimization_enabled: source.optimizer,
  source: source.source,
  constructor_arguments: source.constructorArguments,
  ...(source.evmVersion === null ? {} : { evm_version: source.evmVersion }),
  libraries: librariesOf(source),
});

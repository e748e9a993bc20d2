// The devnet's sources and what its blocks say of the contracts, read from the raw files: no part of the project is in between.
import type { Address } from "../../../mocks/double/chain/records.ts";
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

export const librariesOf = ({ libraries }: DevnetSource) =>
  Object.entries(libraries).map(([name, address]) => ({ name, address }));

/** A source as the client submits it. */
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

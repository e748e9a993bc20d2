// Reads a submission: checks what can be checked without a compiler, and turns it into the compiler's input.
import type { CompilerQuestion } from "./compiler-worker.ts";
import { readArguments } from "./constructor-arguments.ts";
import type { Submission } from "./port.ts";

/** Why a submission cannot be verified; its message is for the one who submitted. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

export interface ReadSubmission {
  readonly contract: string;
  readonly source: string;
  /** Hexadecimal without 0x. */
  readonly constructorArguments: string;
  readonly optimizationEnabled: boolean;
  readonly runs: number;
  /** Null: the compiler's default. */
  readonly evmVersion: string | null;
  readonly libraries: readonly { readonly name: string; readonly address: `0x${string}` }[];
}

const largestSource = 2 ** 20;
const largestRuns = 2 ** 32 - 1;

const shown = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

function readSource(base64: string): string {
  const compact = base64.replaceAll(/\s+/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact) || compact.replaceAll("=", "").length % 4 === 1) {
    throw new Refusal("contract_source is not base64");
  }
  const bytes = Buffer.from(compact, "base64");
  if (bytes.length === 0) throw new Refusal("contract_source is empty");
  if (bytes.length > largestSource) {
    throw new Refusal(
      `contract_source has ${bytes.length} bytes; at most ${largestSource} are compiled`,
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal("contract_source is not UTF-8 text");
  }
}

function readLibrary({ name, address }: { name: string; address: string }) {
  const hex = address.toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(hex)) {
    throw new Refusal(
      `The address of library ${shown(name)} is ${shown(address)}: expected 0x and 40 digits`,
    );
  }
  // As linkers name them, a library may come with its file: "PointMath.sol:PointMath".
  return { name: name.slice(name.lastIndexOf(":") + 1), address: hex as `0x${string}` };
}

/** @throws Refusal */
export function readSubmission(submission: Submission): ReadSubmission {
  const { contract_name: contract, runs_optimizer: runs, evm_version: evmVersion } = submission;
  if (!/^[A-Za-z_$][\w$]{0,255}$/.test(contract)) {
    throw new Refusal(`contract_name is ${shown(contract)}: expected the name of a contract`);
  }
  if (!Number.isInteger(runs) || runs < 0 || runs > largestRuns) {
    throw new Refusal(`runs_optimizer is ${runs}: expected an integer from 0 to ${largestRuns}`);
  }
  const constructorArguments = readArguments(submission.constructor_arguments);
  if (constructorArguments === undefined) {
    throw new Refusal("constructor_arguments is not hexadecimal with two digits a byte");
  }
  const evm = evmVersion?.trim() ?? "";
  if (!/^\w{0,40}$/.test(evm)) {
    throw new Refusal(`evm_version is ${shown(evm)}: expected a name like "paris"`);
  }
  return {
    contract,
    source: readSource(submission.contract_source),
    constructorArguments,
    optimizationEnabled: submission.optimization_enabled === 1,
    runs,
    evmVersion: evm === "" || evm === "default" ? null : evm,
    libraries: (submission.libraries ?? []).map(readLibrary),
  };
}

const codeOutputs = [
  "abi",
  "evm.bytecode.object",
  "evm.bytecode.linkReferences",
  "evm.deployedBytecode.object",
  "evm.deployedBytecode.linkReferences",
  "evm.deployedBytecode.immutableReferences",
];

function question(
  { contract, optimizationEnabled, runs, evmVersion }: ReadSubmission,
  source: string,
  outputs: Readonly<Record<string, readonly string[]>>,
): CompilerQuestion {
  // The single-file form names no file; most are named after their contract.
  const file = `${contract}.sol`;
  const input = {
    language: "Solidity",
    sources: { [file]: { content: source } },
    settings: {
      optimizer: { enabled: optimizationEnabled, runs },
      ...(evmVersion === null ? {} : { evmVersion }),
      outputSelection: { [file]: outputs },
    },
  };
  return { input: JSON.stringify(input), file, contract };
}

/** What the compiler is asked for the code. */
export const codeQuestion = (read: ReadSubmission): CompilerQuestion =>
  question(read, read.source, { [read.contract]: codeOutputs });

/** The same program with another metadata: the hash of the source is in it, and a last empty line changes nothing else. */
export const otherMetadataQuestion = (read: ReadSubmission): CompilerQuestion =>
  question(read, `${read.source}\n`, { [read.contract]: codeOutputs });

/** Which contracts the source has. */
export const namesQuestion = (read: ReadSubmission): CompilerQuestion =>
  question(read, read.source, { "*": ["abi"] });

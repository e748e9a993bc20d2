// The verified source of a contract, with its own file first.
import { asObject, jsonIn } from "../../src/models/json.ts";
import type { Address, ContractVerification } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { proxyOn } from "../operations/contract-on.ts";
import { decimal, time } from "../operations/format.ts";
import type { Decoder } from "./decode.ts";
import type { AnswerWireOf } from "./views.ts";

interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** The files in a compiler's JSON input, which some explorers wrap in another pair of braces. */
function filesInJson(source: string): readonly SourceFile[] {
  if (!source.trimStart().startsWith("{")) return [];
  const input = asObject(jsonIn(source) ?? jsonIn(source.trim().slice(1, -1)));
  return Object.entries(asObject(input.sources ?? input)).flatMap(([name, file]) => {
    const { content } = asObject(file);
    return typeof content === "string" ? [{ name, text: content }] : [];
  });
}

/** Splits a source that `serve --artifacts` joined from several files. */
function joinedFiles(source: string): readonly SourceFile[] {
  if (!source.startsWith("// File: ")) return [];
  return source.split(/^\/\/ File: /m).flatMap((part) => {
    const [name = "", ...lines] = part.split("\n");
    return name === "" ? [] : [{ name, text: lines.join("\n").trimStart() }];
  });
}

const isLibrary = ({ name }: SourceFile): boolean =>
  /^(@|lib\/|node_modules\/)|\/node_modules\//.test(name);

/** Whether a source declares a contract. Never builds a pattern from the untrusted name. */
export const declares = (source: string, contractName: string): boolean =>
  [...source.matchAll(/\b(?:contract|library)\s+([\w$]+)/g)].some(
    ([, name]) => name === contractName,
  );

/** Returns the files of a source: the contract's own file first, those of libraries last. */
export function filesOf(source: string, contractName: string): readonly SourceFile[] {
  const [json, joined] = [filesInJson(source), joinedFiles(source)];
  const files = json.length > 0 ? json : joined;
  if (files.length === 0) return [{ name: `${contractName}.sol`, text: source }];
  const rank = (file: SourceFile) =>
    isLibrary(file) ? 2 : declares(file.text, contractName) ? 0 : 1;
  return files.toSorted((left, right) => rank(left) - rank(right));
}

/** Returns the ABI of a contract, with the entries that only its proxy's target has. */
function abiOf(chain: ChainWriter, address: Address, target: Address | undefined): string {
  const abis = [address, target].flatMap(
    (contract) => (contract && chain.verified(contract)?.abi) ?? [],
  );
  return JSON.stringify([...new Map(abis.map((entry) => [JSON.stringify(entry), entry])).values()]);
}

const recordOf = (contract: ContractVerification, decoder: Decoder) => ({
  contract_name: contract.contractName,
  compiler: contract.compiler,
  runs: contract.optimizationEnabled ? decimal(contract.runs) : null,
  verify_date: time(contract.verifiedAt),
  verify_level: contract.level ?? null,
  verify_message: contract.message ?? null,
  verify_uncovered: [...(contract.uncovered ?? [])],
  libraries: contract.libraries.map(({ name, address }) => ({ name, address })),
  metadata: contract.swarmSource,
  constructor_arguments: contract.constructorArguments,
  constructor_values: decoder.creation(contract.address, "0x")?.arguments ?? [],
  files: filesOf(contract.source, contract.contractName).map((file) => ({ ...file })),
});

export function contractAnswer(
  chain: ChainWriter,
  address: Address,
  decoder: Decoder,
): Pick<AnswerWireOf<"contract">, "abi" | "source"> {
  const contract = chain.verified(address);
  return {
    abi: abiOf(chain, address, proxyOn(chain, address)?.target),
    source: contract ? recordOf(contract, decoder) : null,
  };
}

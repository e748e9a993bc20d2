// Recognises a project's contracts by their code and verifies them, for `serve --artifacts`.
import type { Address } from "../../../src/models/primitives.ts";
import type { ContractVerification, CreatedContract } from "../../chain/records.ts";
import type { ChainWriter } from "../../chain/writer.ts";
import { metadataAddress } from "../../ingest/metadata.ts";
import { difference } from "../../verify/compare-contract.ts";
import { expectedRuntime } from "../../verify/expected-code.ts";
import type { ProjectContract } from "./build-info.ts";
import { type Identified, identify } from "./identify.ts";
import type { Project } from "./projects.ts";

/** A contract on the chain, and the input that created it, if the chain has that block. */
interface ChainContract {
  readonly address: Address;
  readonly creation: string | undefined;
}

export class KnownContracts {
  readonly #contracts: readonly ProjectContract[];
  /** The names that the project recorded for addresses. */
  readonly #names: ReadonlyMap<Address, string | undefined>;
  /** Last block that was searched for creations. */
  #lastBlock: { readonly number: number; readonly hash: string } | undefined;

  constructor(projects: readonly Pick<Project, "contracts" | "deployments">[]) {
    this.#contracts = projects.flatMap(({ contracts }) => contracts);
    this.#names = new Map(
      projects.flatMap(({ deployments }) =>
        deployments.map(({ address, name }) => [address, name] as const),
      ),
    );
  }

  /** Verifies new contracts and recorded deployments that have the code of a project's contract. */
  update(chain: ChainWriter): void {
    const verified = this.#newContracts(chain).flatMap(
      (contract) => this.#verify(chain, contract) ?? [],
    );
    if (verified.length > 0) chain.applyHeadState({ verified });
    const { number, hash } = chain.head;
    this.#lastBlock = { number, hash };
  }

  /** Identifies the contract that an input would create, even if the creation failed. */
  createdBy(input: string): CreatedContract | undefined {
    const { contract, constructorArguments } = identify(input, this.#contracts) ?? {};
    if (contract === undefined || constructorArguments === undefined) return undefined;
    const { name, abi, compiled } = contract;
    return { contractName: name, abi, constructorArguments, compiled };
  }

  #newContracts(chain: ChainWriter): ChainContract[] {
    const lastBlock = this.#lastBlock;
    const isSame =
      lastBlock !== undefined && chain.block(lastBlock.number)?.hash === lastBlock.hash;
    const first = isSame ? lastBlock.number + 1 : chain.head.number - chain.length + 1;
    const contracts = new Map<Address, ChainContract>();
    for (const address of this.#names.keys())
      contracts.set(address, { address, creation: undefined });
    for (let number = first; number <= chain.head.number; number += 1)
      for (const { transaction, frames } of chain.blockInput(number)?.executions ?? []) {
        const { created, succeeded, input } = transaction;
        if (created !== null && succeeded !== false)
          contracts.set(created, { address: created, creation: input });
        for (const frame of frames)
          if (frame.created !== null && !frame.undone)
            contracts.set(frame.created, { address: frame.created, creation: frame.input });
      }
    return [...contracts.values()];
  }

  #verify(
    chain: ChainWriter,
    { address, creation }: ChainContract,
  ): ContractVerification | undefined {
    const code = chain.code(address);
    if (code === "0x" || chain.verified(address) !== undefined) return undefined;
    const name = this.#names.get(address);
    // Tries the recorded name first, because several contracts may have the same code.
    const candidates = [
      ...this.#contracts.filter((contract) => contract.name === name),
      ...this.#contracts.filter((contract) => contract.name !== name),
    ];
    const identified =
      creation === undefined
        ? this.#byRuntime(candidates, address, code)
        : identify(creation, candidates);
    if (identified === undefined) return undefined;
    const { contract, constructorArguments, libraries } = identified;
    return {
      ...{ address, code, libraries, constructorArguments },
      compiler: contract.compiler,
      verifiedAt: chain.head.timestamp,
      contractName: contract.name,
      runs: contract.runs,
      optimizationEnabled: contract.optimizer,
      abi: contract.abi,
      source: sourceOf(contract),
      swarmSource: metadataAddress(code),
      compiled: contract.compiled,
    };
  }

  /**
   * Identifies a contract by its runtime code, ignoring immutables, because the chain does not
   * contain its creation. Its constructor arguments remain unknown.
   */
  #byRuntime(
    contracts: readonly ProjectContract[],
    address: Address,
    code: string,
  ): Identified | undefined {
    const actual = Buffer.from(code.slice(2), "hex");
    const contract = contracts.find(({ runtime, libraries }) => {
      // Skips a contract with libraries, because their addresses are unknown.
      if (runtime.object === "" || libraries.length > 0) return false;
      const compiled = {
        object: runtime.object.replace(/^0x/, ""),
        sourceMap: "",
        linkReferences: {},
        appended: [],
        immutableReferences: runtime.immutableReferences ?? {},
      };
      const expected = expectedRuntime(compiled, { libraries: [] }, address);
      return difference("Runtime", expected, actual, () => "") === undefined;
    });
    return contract && { contract, constructorArguments: "", libraries: [] };
  }
}

/** Joins a contract's dependencies and its own file into one text, with its own file last. */
function sourceOf({ file, source, needs = [], textOf }: ProjectContract): string {
  const dependencies = needs.filter((path) => path !== file && textOf(path) !== "");
  if (dependencies.length === 0) return source;
  return [...dependencies, file].map((path) => `// File: ${path}\n\n${textOf(path)}`).join("\n");
}

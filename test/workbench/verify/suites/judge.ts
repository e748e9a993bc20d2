// Judges a case: puts the contract on a chain, submits the source through client and service, and compares the verdict.

import type { Address, Hex } from "../../../../mocks/double/chain/records.ts";
import type { Verifier } from "../../../../mocks/double/operations/verifier.ts";
import { buildChain, createExplorer } from "../../../../mocks/index.ts";
import { ExplorerClient, VerificationError } from "../../../../src/index.ts";
import { type Case, deployerOn } from "./case.ts";

export interface Judgement {
  readonly verdict: "verified" | "refused";
  readonly level?: string | undefined;
  /** What was compared, or why it was refused. */
  readonly message: string;
}

/** A library's code begins with its own address, which is another one on this chain. */
const atAddress = (code: Hex, address: Address): Hex =>
  code.replace(/^0x73[0-9a-f]{40}3014/, `0x73${address.slice(2)}3014`) as Hex;

/** A chain with the contract of a case; without its creation if the case has none. */
function chainWith({ runtime, creation }: Case): {
  readonly chain: ReturnType<typeof buildChain>["chain"];
  readonly address: Address;
} {
  const deploy = (code: Hex, initCode: Hex | undefined) => {
    const builder = buildChain();
    const { address } = builder.deploy(deployerOn(builder), {
      code,
      ...(initCode && { initCode }),
    });
    builder.mine();
    return { chain: builder.chain, address };
  };
  if (creation === undefined) {
    const address: Address = `0x${"c0".repeat(20)}`;
    const { chain } = buildChain();
    chain.applyHeadState({ codes: [[address, atAddress(runtime, address)]] });
    return { chain, address };
  }
  // The address follows from deployer and nonce, not from the code.
  const { address } = deploy(runtime, creation);
  return deploy(atAddress(runtime, address), creation);
}

/** Submits a case. */
export async function judge(one: Case, verifier: Verifier): Promise<Judgement> {
  const { chain, address } = chainWith(one);
  const mock = createExplorer({ chain, verifier });
  const explorer = new ExplorerClient({
    baseUrl: mock.baseUrl,
    apiKey: "any",
    fetch: mock.fetch,
    timeout: 300_000,
  });
  try {
    const { verify_level: level } = await explorer.contracts.verify(address, {
      // The metadata holds the name of the file.
      contract_name: `${one.file}:${one.contract}`,
      compiler: one.compiler,
      runs_optimizer: one.runs,
      optimization_enabled: one.optimizer,
      constructor_arguments: one.constructorArguments,
      evm_version: one.evmVersion,
      libraries: one.libraries.map(({ name, address: library }) => ({
        name,
        address: library as Address,
      })),
      source: one.source,
    });
    const { verify_message } = await explorer.contracts.code(address);
    return { verdict: "verified", level: level ?? undefined, message: verify_message ?? "" };
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    return { verdict: "refused", message: error.reason ?? "" };
  }
}

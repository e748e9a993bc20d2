// Contracts whose state is not what their events say: compiled by solc, put on a node, and asked there what is true.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type Abi,
  type AbiFunction,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
} from "viem";
import type { Address, Hex } from "../../mocks/chain/records.ts";
import type { Anvil } from "../support/anvil.ts";

const SOURCE = readFileSync(new URL("odd-contracts.sol", import.meta.url), "utf8");

interface Compiled {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

const compiled = new Map<string, Compiled>();

/** A contract, compiled when it is first asked for. */
function contract(name: string): Compiled {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const solc = createRequire(import.meta.url)("solc-0.8.28");
  const input = {
    language: "Solidity",
    sources: { "odd.sol": { content: SOURCE } },
    settings: {
      evmVersion: "paris",
      outputSelection: { "*": { [name]: ["abi", "evm.bytecode.object"] } },
    },
  };
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)));
  const found: Compiled | undefined = contracts?.["odd.sol"]?.[name];
  if (found === undefined) throw new Error(`no contract ${name}: ${JSON.stringify(errors)}`);
  compiled.set(name, found);
  return found;
}

/** A contract on the node. `as` is the code it runs, where that is not its own. */
export class OddContract {
  readonly address: Address;
  readonly #node: Pick<Anvil, "ask">;
  readonly #abi: Abi;

  constructor(node: Pick<Anvil, "ask">, address: Address, as: string) {
    this.#node = node;
    this.address = address;
    this.#abi = contract(as).abi;
  }

  /** The same contract, run by another ABI. */
  runAs(as: string): OddContract {
    return new OddContract(this.#node, this.address, as);
  }

  /** Runs a function in a transaction. */
  async run(from: Address, functionName: string, ...args: readonly unknown[]): Promise<void> {
    await send(this.#node, { from, to: this.address, data: this.data(functionName, ...args) });
  }

  /** The data of a call. */
  data(functionName: string, ...args: readonly unknown[]): Hex {
    return encodeFunctionData({ abi: this.#abi, functionName, args });
  }

  /** What a function returns at the node's head; undefined if it fails. */
  async ask(functionName: string, ...args: readonly unknown[]): Promise<unknown> {
    const data = encodeFunctionData({ abi: this.#abi, functionName, args });
    try {
      const result = await this.#node.ask("eth_call", { to: this.address, data }, "latest");
      const abi = this.#abi as readonly AbiFunction[];
      return decodeFunctionResult({ abi, functionName, data: result as Hex });
    } catch {
      return undefined;
    }
  }
}

/** Puts a contract on the node. */
export async function deploy(
  node: Pick<Anvil, "ask">,
  from: Address,
  name: string,
  args: readonly unknown[] = [],
  as = name,
): Promise<OddContract> {
  const { abi, evm } = contract(name);
  const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args });
  const { contractAddress } = await send(node, { from, data });
  return new OddContract(node, contractAddress as Address, as);
}

/** Sends a transaction, and waits until it is mined. */
export async function send(
  node: Pick<Anvil, "ask">,
  transaction: object,
): Promise<{ contractAddress: string | null }> {
  const hash = await node.ask("eth_sendTransaction", { gas: "0x500000", ...transaction });
  for (;;) {
    // The node says that it has a transaction before it has mined it.
    const receipt = await node.ask("eth_getTransactionReceipt", hash);
    if (receipt !== null) return receipt as { contractAddress: string | null };
  }
}

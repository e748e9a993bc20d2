// Reads the state of a node by programs of our own: `eth_call` runs them as creation code, so that no method of the follower's is used.
import type { Address, Hex } from "../../../mocks/chain/records.ts";
import type { TestNode } from "../../support/test-node.ts";

type Node = Pick<TestNode, "ask">;

const RETURN_WORD = "60005260206000f3";
const run = async (node: Node, data: string): Promise<Hex> =>
  (await node.ask("eth_call", { data: `0x${data}`, gas: "0x1000000" }, "latest")) as Hex;

/** The coins of an account, by BALANCE. */
export const coinsOf = async (node: Node, account: Address): Promise<bigint> =>
  BigInt(await run(node, `73${account.slice(2)}31${RETURN_WORD}`));

/** The length of an account's code, by EXTCODESIZE. */
export const codeSizeOf = async (node: Node, account: Address): Promise<number> =>
  Number(await run(node, `73${account.slice(2)}3b${RETURN_WORD}`));

const byte = (value: number) => value.toString(16).padStart(2, "0");
const two = (value: number) => value.toString(16).padStart(4, "0");

/** What a contract returns to another contract; undefined if it fails. */
export async function returned(node: Node, to: Address, data: Hex): Promise<Hex | undefined> {
  const length = (data.length - 2) / 2;
  const program = (offset: number, failed: number) =>
    [
      ...[`61${two(length)}`, `61${two(offset)}`, "6000", "39"],
      ...["6000", "6000", `61${two(length)}`, "6000", `73${to.slice(2)}`, "5a", "fa"],
      ...["3d", "6000", "6000", "3e", "15", `60${byte(failed)}`, "57"],
      ...["3d", "6000", "f3", "5b", "3d", "6000", "fd"],
    ].join("");
  const size = program(0, 0).length / 2;
  try {
    return await run(node, program(size, size - 5) + data.slice(2));
  } catch {
    return undefined;
  }
}

// Reads the steps of a transaction from the text of its trace, which is too long for JSON.parse.
import { quantityOf } from "../chain/hex.ts";
import type { Steps } from "../chain/live-chain.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Hash } from "../chain/records.ts";
import { pauseIfBusy } from "../message/event-loop.ts";
import type { RpcNode } from "./rpc/node.ts";

/** The fields of a step that are read, in any order. Texts in a trace have only escaped quotes. */
const FIELD = /"(pc|depth|returnValue)":\s*"?(\w*)/g;

const PIECE = 5000;

// Returns the steps in a response of `debug_traceTransaction`, and the return data of the
// transaction.
export async function readTrace(text: string): Promise<Steps & { readonly returned: string }> {
  const [positions, depths]: [number[], number[]] = [[], []];
  let returned = "";
  let fields = 0;
  for (const [, name, value = ""] of text.matchAll(FIELD)) {
    if (name === "pc") positions.push(Number(value));
    else if (name === "depth") depths.push(Number(value));
    else returned = value;
    fields += 1;
    if (fields % PIECE === 0) await pauseIfBusy();
  }
  return { positions, depths, returned };
}

const OPTIONS = {
  ...{ disableStack: true, disableMemory: true, disableStorage: true },
  ...{ enableMemory: false },
};

export async function transactionSteps(
  node: RpcNode,
  chain: ChainReader,
  hash: Hash,
): Promise<Steps | undefined> {
  const trace = async (method: string, ...params: unknown[]) =>
    readTrace(await node.callForText(method, [...params, OPTIONS]));
  const steps = await trace("debug_traceTransaction", hash);
  const transaction = chain.transaction(hash);
  if (steps.positions.length > 0 || transaction === undefined) return steps;
  // anvil keeps no steps without --steps-tracing. Traces the same call instead: if it returns the
  // same data, it has the same steps.
  const { from, to, value, input, gasLimit, block, output = "0x" } = transaction;
  const call = {
    ...{ from, data: input, ...(to !== null && { to }) },
    ...{ value: quantityOf(value), ...(gasLimit !== null && { gas: quantityOf(gasLimit) }) },
  };
  const again = await trace("debug_traceCall", call, quantityOf(block.number - 1));
  return `0x${again.returned.replace(/^0x/, "")}` === output ? again : undefined;
}

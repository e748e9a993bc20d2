// Asks for what the steps of a block's transactions leave open, and builds their frames: for nodes without callTracer.
import { IngestError } from "../ingest/ingest-error.ts";
import { read } from "../ingest/read.ts";
import { StateBefore } from "../ingest/state-before.ts";
import { type BlockFrames, framesOfSteps } from "../ingest/step-traces.ts";
import { quantity } from "../ingest/values.ts";
import { type RpcNode, resultOf } from "../rpc/node.ts";
import type { RpcRequest } from "../rpc/post.ts";

/** A trace with memory is many times as large: one of more steps is not asked for. */
const MAX_STEPS_WITH_MEMORY = 50_000;

/** A trace as steps, without memory or with it. */
export const stepsRequest = (hash: string, withMemory: boolean): RpcRequest => ({
  method: "debug_traceTransaction",
  params: [hash, { disableStorage: true, disableMemory: !withMemory, enableMemory: withMemory }],
});

/** A block whose transactions were traced as steps, without memory. */
export interface SteppedRpcBlock {
  readonly number: number;
  readonly hashes: readonly string[];
  readonly block: unknown;
  readonly receipts: unknown;
  readonly traces: readonly unknown[];
}

/** The frames of a block's transactions; `onIncomplete` is called for each whose inputs stay unknown. */
export async function framesOf(
  node: RpcNode,
  { number, hashes, block, receipts, traces }: SteppedRpcBlock,
  onIncomplete: (hash: string) => void,
): Promise<BlockFrames["traces"]> {
  const before = new StateBefore();
  const steps = traces.map((trace) => ({ trace, hasMemory: false }));
  let built = framesOfSteps({ block, receipts, steps }, before);
  const isLarge = (index: number) => stepCount(traces[index]) > MAX_STEPS_WITH_MEMORY;
  const open = built.needMemory.filter((index) => !isLarge(index));
  for (const index of built.needMemory.filter(isLarge)) onIncomplete(hashes[index] ?? "");
  if (open.length > 0) {
    const requests = open.map((index) => stepsRequest(hashes[index] ?? "", true));
    const responses = await node.callAll(requests);
    for (const [at, index] of open.entries())
      steps[index] = { trace: resultOf("debug_traceTransaction", responses[at]), hasMemory: true };
    built = framesOfSteps({ block, receipts, steps }, before);
  }
  // What is learnt may raise the next question: an address that follows from a nonce, and then its balance.
  for (let round = 0; before.missing.length > 0; round += 1) {
    if (round > hashes.length + 10)
      throw new IngestError("cannot determine the state before the block", { block: number });
    const facts = before.missing;
    const at = `0x${(number - 1).toString(16)}`;
    const responses = await node.callAll(
      facts.map(({ method, address }) => ({ method, params: [address, at] })),
    );
    for (const [index, fact] of facts.entries())
      before.learn(fact, read(quantity, resultOf(fact.method, responses[index]), [fact.method]));
    built = framesOfSteps({ block, receipts, steps }, before);
  }
  return built.traces;
}

const stepCount = (trace: unknown): number => {
  const { structLogs } = trace as { readonly structLogs?: readonly unknown[] };
  return structLogs?.length ?? 0;
};

// Turns the steps of a block's transactions into the frames that callTracer would return for them.
import { fromCreate } from "ox/ContractAddress";
import * as z from "zod/mini";
import { orNull } from "../../src/models/primitives.ts";
import { read } from "./read.ts";
import { RunningState, type StateBefore } from "./state-before.ts";
import { buildTrace, type CallFrame } from "./step-frames.ts";
import { addressOf, readSteps, type StepTrace } from "./struct-logs.ts";
import { address, count, data, list, quantity } from "./values.ts";

/** A block whose transactions are traced as steps. */
export interface SteppedBlock {
  readonly block: unknown;
  readonly receipts: unknown;
  /** By position in the block. */
  readonly steps: readonly StepTrace[];
}

const blockSchema = z.object({
  block: z.object({
    miner: address,
    baseFeePerGas: orNull(quantity),
    transactions: list(
      z.object({
        from: address,
        to: orNull(address),
        value: quantity,
        input: data,
        gas: count,
        nonce: quantity,
        gasPrice: orNull(quantity),
      }),
    ),
  }),
  receipts: list(
    z.object({
      status: orNull(quantity),
      gasUsed: count,
      effectiveGasPrice: orNull(quantity),
    }),
  ),
});

/** The frames of a block's transactions. */
export interface BlockFrames {
  readonly traces: readonly CallFrame[];
  /** The transactions, by position, whose traces lack the memory that inputs are in. */
  readonly needMemory: readonly number[];
}

/** The frames of a block whose traces are steps. If `before` then lacks facts, they have to be learnt, and the frames be built again. */
export function framesOfSteps(given: SteppedBlock, before: StateBefore): BlockFrames {
  const { block: header, receipts } = read(blockSchema, given);
  const state = new RunningState(before);
  const needMemory: number[] = [];
  const traces = header.transactions.map((transaction, index) => {
    const { from, to, nonce, gas, gasPrice } = transaction;
    const receipt = receipts[index];
    const gasUsed = receipt?.gasUsed ?? gas;
    const price = receipt?.effectiveGasPrice ?? gasPrice ?? 0n;
    // Gas is paid ahead, and what is left of it given back.
    state.add(from, -price * BigInt(gas));
    state.countNonce(from);
    const { root, needsMemory } = buildTrace(
      {
        ...{ ...transaction, gasUsed },
        // Not from the receipt: some nodes leave it out where the creation failed.
        account: to ?? addressOf(BigInt(fromCreate({ from, nonce }))),
        succeeded: receipt?.status !== 0n,
      },
      readSteps(given.steps[index] ?? { trace: undefined, hasMemory: false }, ["traces", index]),
      state,
    );
    state.add(from, price * BigInt(gas - gasUsed));
    state.add(header.miner, (price - (header.baseFeePerGas ?? 0n)) * BigInt(gasUsed));
    if (needsMemory) needMemory.push(index);
    return root;
  });
  return { traces, needMemory };
}

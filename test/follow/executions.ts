// What happened in a block of a chain, without the wording of errors, in which nodes differ.
import type { ChainWriter } from "../../mocks/chain/writer.ts";

/** The transactions of a block with their frames and logs. */
export const executionsOf = (chain: ChainWriter, number: number) =>
  (chain.blockInput(number)?.executions ?? []).map(({ transaction, frames, logs }) => ({
    transaction,
    frames: frames.map(({ transaction: _, error, ...frame }) => ({
      ...frame,
      error: error?.split(":")[0],
    })),
    logs: logs.map(({ index, address, topics, data }) => ({ index, address, topics, data })),
  }));

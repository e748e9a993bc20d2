// `blocks get latest`: finds the newest block that the explorer knows.
import { operations } from "../contract/index.ts";
import { isExplorerError } from "../errors/index.ts";
import type { Call } from "../http/call.ts";
import { findNewestBlock } from "../lists/newest-block.ts";

/** What stands for the number of the newest block. */
export const LATEST = "latest";

/**
 * The number of the newest block: no operation returns it, so blocks are asked for at growing distances, then by halves; some 50 requests
 * for 20 million blocks. Block 0 may be missing. @throws NotFoundError if block 1 is, too
 */
export async function latestBlock(call: Call, signal: AbortSignal): Promise<bigint> {
  const get = async (block_number: bigint) =>
    (await call(operations.B1, { block_number }, { signal })).data.data;
  const read = async (block_number: bigint) => {
    try {
      return [{ ...(await get(block_number)) }];
    } catch (error) {
      if (isExplorerError(error, "NOT_FOUND")) return [];
      throw error;
    }
  };
  const newest = (await findNewestBlock(read, 0n)) ?? (await findNewestBlock(read, 1n));
  return newest ?? (await get(1n)).block_number;
}

// The method on blocks: B1.
import { operations } from "../contract/index.ts";
import type { Call, RequestOptions, ResultPromise } from "../http/call.ts";
import type { BlockReward } from "../models/block.ts";
import { callOperation } from "./call-operation.ts";

/** Blocks: reward data (B1). */
export class Blocks {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns the miner, time and reward of a block (B1): `reward` is the sum of `fees` and `mining_reward` (newly issued coins), in the native
   * coin's smallest unit; the two parts may be null. Rejects with a {@link NotFoundError} if there is no such block.
   *
   * @example
   * const { miner, timestamp, reward } = await explorer.blocks.get(90n);
   * console.log(timestamp.toISOString(), miner, formatEther(reward));
   */
  get(number: bigint | number, options?: RequestOptions): ResultPromise<BlockReward> {
    return callOperation(
      this.#call,
      operations.B1,
      { block_number: number },
      options,
      ({ data }) => data,
    );
  }
}

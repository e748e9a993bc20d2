// The question about blocks: B1.
import { operations } from "../contract/index.ts";
import type { AnswerPromise, Call, RequestOptions } from "../http/call.ts";
import type { BlockReward } from "../models/block.ts";
import { callOperation } from "./call-operation.ts";

/** Questions about blocks (B1). */
export class Blocks {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Who mined a block, when, and what for (B1): `reward` is `fees` and `mining_reward` (issuance) together, all in the native coin's
   * smallest unit; the two parts may be null. A {@link NotFoundError} if there is no such block.
   *
   * @example
   * const { miner, timestamp, reward } = await explorer.blocks.get(90n);
   * console.log(timestamp.toISOString(), miner, formatEther(reward));
   */
  get(number: bigint | number, options?: RequestOptions): AnswerPromise<BlockReward> {
    return callOperation(
      this.#call,
      operations.B1,
      { block_number: number },
      options,
      ({ data }) => data,
    );
  }
}

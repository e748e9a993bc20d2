// The question about blocks: B1.
import { operations } from "../contract/index.ts";
import type { BlockReward } from "../models/block.ts";
import type { AnswerPromise, Call, RequestOptions } from "../transport/call.ts";
import { ask } from "./ask.ts";

/** Questions about blocks (B1). */
export class Blocks {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Who mined a block and what for (B1): `reward` is fees and issuance together, all in the smallest unit.
   *
   * @example
   * const { miner, reward, fees } = await explorer.blocks.get(17_000_000n);
   */
  get(number: bigint | number, options?: RequestOptions): AnswerPromise<BlockReward> {
    return ask(this.#call, operations.B1, { block_number: number }, options, ({ data }) => data);
  }
}

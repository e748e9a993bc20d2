// The methods on blocks: by number, the newest, and the last block at a time.

import { operations } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import { ParameterError } from "../errors/index.ts";
import type { Call, RequestOptions, ResultPromise } from "../http/call.ts";
import { checkOptions } from "../http/request.ts";
import { cachedResponse, pickResult, toResultPromise } from "../http/result-promise.ts";
import type { BlockReward } from "../models/block.ts";

/** Blocks: reward data (B1), and searches by time. */
export class Blocks {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns the miner, time and reward of a block (B1). `reward` is the sum of `fees` and
   * `mining_reward` (newly issued coins), in the native coin's smallest unit; these two may be
   * null. Rejects with a {@link NotFoundError} if there is no such block.
   *
   * @example
   * const { miner, timestamp, reward } = await explorer.blocks.get(90n);
   * console.log(timestamp.toISOString(), miner, formatEther(reward));
   */
  get(number: bigint | number, options?: RequestOptions): ResultPromise<BlockReward> {
    const results = this.#call(operations.B1, { block_number: number }, options);
    return pickResult(results, ({ data }) => data);
  }

  /**
   * Returns the newest block. No operation returns it, so the client searches for it (B1). With n
   * blocks, the first call sends about 2·log2(n) requests: 50 for 20,000,000. Later calls continue
   * from the last result, and send 3 requests if few blocks have arrived.
   *
   * @example
   * const { block_number, timestamp } = await explorer.blocks.latest();
   */
  latest(options?: RequestOptions): ResultPromise<BlockReward> {
    return this.#search(options, (search) => search.latest(options));
  }

  /**
   * Returns the last block at or before a time: a `Date`, or an ISO text, which is UTC unless it
   * has an offset. For a time after the newest block, returns the newest block. The client
   * interpolates between blocks that it has read (B1). If blocks come evenly, that takes about 4
   * requests after the newest block is known (see {@link latest}). It requests the newest 100 blocks
   * again each time, because a reorganisation may have replaced them. Rejects with a {@link
   * ParameterError} if the time is before the first block.
   *
   * @example
   * const { block_number } = await explorer.blocks.at("2026-10-01");
   */
  at(time: Date | string, options?: RequestOptions): ResultPromise<BlockReward> {
    return this.#search(options, async (search, { requiredTime }) => {
      const date = requiredTime("Invalid parameters for blocks.at", "time", time);
      const block = await search.at(date.getTime(), options);
      if (block) return block;
      const { timestamp } = (await search.first(options)).data;
      const expected = `a time at or after that of the first block, ${timestamp.toISOString()}`;
      throw new ParameterError("Invalid parameters for blocks.at", [
        { path: ["time"], expected, received: time },
      ]);
    });
  }

  #search(
    options: RequestOptions | undefined,
    find: (
      search: ReturnType<Period["searchOf"]>,
      code: Period,
    ) => ReturnType<ReturnType<Period["searchOf"]>["latest"]>,
  ): ResultPromise<BlockReward> {
    const search = async () => {
      if (options !== undefined) checkOptions(operations.B1, options);
      // Loaded on first use, because few programs search for blocks.
      const code = await loadCode(() => import("../lists/period.ts"));
      const { data, response } = await find(code.searchOf(this.#call), code);
      return { data, response: response ?? cachedResponse() };
    };
    return toResultPromise(search());
  }
}

type Period = typeof import("../lists/period.ts");

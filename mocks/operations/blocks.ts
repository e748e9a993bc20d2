// Blocks: the rewards of one block (B1), in the form that A10 shares (S14).
import type { BlockRewardWire } from "../../src/models/block.ts";
import type { Block } from "../chain/records.ts";
import { ServiceError } from "../message/api.ts";
import { decimal, time } from "./format.ts";
import type { OperationHandler } from "./handler.ts";

/** Fees, issuance and their sum. */
export const blockReward = (block: Block): BlockRewardWire => ({
  timestamp: time(block.timestamp),
  miner: block.miner,
  reward: decimal(block.fees + block.miningReward),
  fees: decimal(block.fees),
  block_number: decimal(block.number),
  mining_reward: decimal(block.miningReward),
});

export const B1: OperationHandler<"B1"> = (chain, { block_number }) => {
  const block = chain.block(Number(block_number));
  if (block === undefined)
    throw new ServiceError(
      404,
      `block_number: no block ${block_number}, the newest is ${chain.head.number}`,
    );
  return { data: blockReward(block) };
};

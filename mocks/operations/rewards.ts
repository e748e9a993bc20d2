// How the rewards of a block are shown (S14): shared by A10 and B1.
import type { BlockRewardWire } from "../../src/models/block.ts";
import type { Block } from "../chain/records.ts";
import { decimal, time } from "./format.ts";

/** Fees, issuance and their sum. */
export const blockReward = (block: Block): BlockRewardWire => ({
  timestamp: time(block.timestamp),
  miner: block.miner,
  reward: decimal(block.fees + block.miningReward),
  fees: decimal(block.fees),
  block_number: decimal(block.number),
  mining_reward: decimal(block.miningReward),
});

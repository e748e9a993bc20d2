// Rewards of a block, and the blocks a miner made (specification 2.9).
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, integer, orNull, timestamp } from "./primitives.ts";

const reward = {
  timestamp,
  miner: address,
  /** Fees and mining reward together, in the smallest unit. */
  reward: amount,
  /** What the miner receives in fees, in the smallest unit. */
  fees: orNull(amount),
  block_number: amount,
  /** Issuance with uncle rewards, in the smallest unit; 0 on chains without. */
  mining_reward: orNull(amount),
};

/** The reward data of a block (specification 2.9). */
export const BlockReward = /*#__PURE__*/ model(reward);
export type BlockReward = Decoded<typeof BlockReward>;
export type BlockRewardWire = Encoded<typeof BlockReward>;

/** A block in the list of a miner's blocks (specification 2.9). */
export const MinedBlock = /*#__PURE__*/ model({
  ...reward,
  gas_used: orNull(amount),
  gas_limit: orNull(amount),
  transaction_count: orNull(integer),
});
export type MinedBlock = Decoded<typeof MinedBlock>;
export type MinedBlockWire = Encoded<typeof MinedBlock>;

// Block rewards, and the blocks of a miner (specification 2.9).
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, integer, orNull, timestamp } from "./primitives.ts";

const reward = {
  /** The time of the block, in UTC. */
  timestamp,
  /** The account that the block rewards. */
  miner: address,
  /** The sum of fees and mining reward, in the smallest unit. */
  reward: amount,
  /** The fees that the miner receives, in the smallest unit. */
  fees: orNull(amount),
  /** The number of the block. */
  block_number: amount,
  /** Issuance including uncle rewards, in the smallest unit; 0 on chains without issuance. */
  mining_reward: orNull(amount),
};

/** The reward data of a block. */
export const BlockReward = model(reward);
export interface BlockReward extends Decoded<typeof BlockReward> {}
export type BlockRewardWire = Encoded<typeof BlockReward>;

/** A block of a miner. */
export const MinedBlock = model({
  ...reward,
  /** The gas that all transactions of the block used. */
  gas_used: orNull(amount),
  /** The gas limit of the block. */
  gas_limit: orNull(amount),
  /** The number of transactions in the block. */
  transaction_count: orNull(integer),
});
export interface MinedBlock extends Decoded<typeof MinedBlock> {}
export type MinedBlockWire = Encoded<typeof MinedBlock>;

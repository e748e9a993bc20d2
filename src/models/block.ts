// Rewards of a block, and the blocks a miner made (specification 2.9).
import { recordKind } from "./compose.ts";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, integer, nullable, timestamp } from "./primitives.ts";

const reward = {
  timestamp,
  miner: address,
  /** Fees and mining reward together, in the smallest unit. */
  reward: amount,
  /** What the miner receives in fees, in the smallest unit. */
  fees: nullable(amount),
  block_number: amount,
  /** Issuance with uncle rewards, in the smallest unit; 0 on chains without. */
  mining_reward: nullable(amount),
};

export const blockRewardKind = /*#__PURE__*/ recordKind(reward, "BlockReward");
/** The reward data of a block (specification 2.9). */
export const BlockReward = /*#__PURE__*/ model(blockRewardKind);
export type BlockReward = Decoded<typeof BlockReward>;
export type BlockRewardWire = Encoded<typeof BlockReward>;

export const minedBlockKind = /*#__PURE__*/ recordKind(
  {
    ...reward,
    gas_used: nullable(amount),
    gas_limit: nullable(amount),
    transaction_count: nullable(integer),
  },
  "MinedBlock",
);
/** A block in the list of a miner's blocks (specification 2.9). */
export const MinedBlock = /*#__PURE__*/ model(minedBlockKind);
export type MinedBlock = Decoded<typeof MinedBlock>;
export type MinedBlockWire = Encoded<typeof MinedBlock>;

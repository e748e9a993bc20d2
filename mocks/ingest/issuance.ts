// The issuance of a block: its new coins, if the traces do not contain them.
import { coins } from "../chain/units.ts";
import { IngestError } from "./ingest-error.ts";

const MAINNET = 1;

/** Mainnet's static block rewards under proof of work: first block, reward. */
const STATIC_REWARDS = [
  [7_280_000, coins(2)],
  [4_370_000, coins(3)],
  [0, coins(5)],
] as const;

export interface IssuanceInput {
  /** Undefined if it is not known. */
  readonly chainId: number | undefined;
  readonly number: number;
  /** 0 without proof of work. */
  readonly difficulty: bigint;
  readonly uncles: number;
}

/**
 * The miner's own issuance: the static reward, and a 32nd of it per uncle it includes. The rewards of uncles' miners depend on the uncles'
 * heights, which only trace_block has. On other chains than mainnet a difficulty does not imply a reward (proof of authority has one too), so
 * it is 0 there.
 */
export function minerIssuance({ chainId, number, difficulty, uncles }: IssuanceInput): bigint {
  if (difficulty === 0n) return 0n;
  if (chainId === undefined) {
    throw new IngestError(
      "cannot compute the reward of a mined block: the chain's id is unknown; set chainId in the options",
    );
  }
  if (chainId !== MAINNET) return 0n;
  const reward = STATIC_REWARDS.find(([from]) => number >= from)?.[1] ?? 0n;
  return reward + (reward / 32n) * BigInt(uncles);
}

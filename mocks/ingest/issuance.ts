// What new coins a block made: its issuance, where the traces do not tell it.
import { IngestError } from "./ingest-error.ts";

const ETHER = 10n ** 18n;
const MAINNET = 1;

/** Mainnet's static reward while its blocks were mined: from block, coins. */
const STATIC_REWARDS = [
  [7_280_000, 2n * ETHER],
  [4_370_000, 3n * ETHER],
  [0, 5n * ETHER],
] as const;

export interface Mined {
  /** Undefined where it is not known (yet). */
  readonly chainId: number | undefined;
  readonly number: number;
  /** 0 where blocks are not mined by work. */
  readonly difficulty: bigint;
  readonly uncles: number;
}

/**
 * The miner's own issuance: the static reward and a 32nd of it for each uncle it includes. What the uncles' miners
 * receive depends on the uncles' heights, which only trace_block's reward entries tell. Elsewhere than on mainnet a
 * difficulty says nothing of a reward (proof of authority has one as well), so there it is 0.
 */
export function minerIssuance({ chainId, number, difficulty, uncles }: Mined): bigint {
  if (difficulty === 0n) return 0n;
  if (chainId === undefined) {
    throw new IngestError(
      "a mined block, whose reward depends on the chain, and the chain's id is not known: " +
        "say it in the options as chainId",
    );
  }
  if (chainId !== MAINNET) return 0n;
  const reward = STATIC_REWARDS.find(([from]) => number >= from)?.[1] ?? 0n;
  return reward + (reward / 32n) * BigInt(uncles);
}

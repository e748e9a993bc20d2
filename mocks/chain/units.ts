// Converts amounts of the native coin and gas prices from and to readable units.
import { formatTokenAmount } from "../../src/resources/display.ts";

const COIN_DECIMALS = 18;
const GWEI_DECIMALS = 9;

/** Converts an amount to its smallest unit. Throws for more decimals than the unit has. */
function units(amount: number | bigint | string, decimals: number): bigint {
  const text = String(amount);
  const [, whole = "", fraction = ""] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === "" || fraction.length > decimals) {
    throw new RangeError(
      `Invalid amount ${text}: expected at most ${decimals} decimals, such as "12.5", 12.5 or 12n`,
    );
  }
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/**
 * An amount of the native coin in its smallest unit: `coins(1)` is 10^18.
 *
 * @example
 * ```ts
 * import { coins } from "mrc-explorer/mocks";
 *
 * coins(1.5); // 1500000000000000000n
 * coins("0.000000000000000001"); // 1n
 * ```
 */
export const coins = (amount: number | bigint | string): bigint => units(amount, COIN_DECIMALS);

/** A gas price: `gwei(1)` is 10^9 of the smallest unit. */
export const gwei = (amount: number | bigint | string): bigint => units(amount, GWEI_DECIMALS);

/** Formats an amount in coins: `1.5`. */
export const inCoins = (amount: bigint): string => formatTokenAmount(amount, COIN_DECIMALS);

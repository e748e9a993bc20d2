// Amounts of the native coin and gas prices in readable units.
import * as Value from "ox/Value";

const { ether: coinDecimals, gwei: gweiDecimals } = Value.exponents;

/** `amount` in the smallest unit. A fraction is fine as long as it is exact. */
function units(amount: number | bigint | string, decimals: number): bigint {
  const text = String(amount);
  const match = /^-?\d+(?:\.(\d+))?$/.exec(text);
  if (match === null || (match[1] ?? "").length > decimals) {
    throw new RangeError(
      `Invalid amount ${text}: expected at most ${decimals} decimals, such as "12.5", 12.5 or 12n`,
    );
  }
  return Value.from(text, decimals);
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
export const coins = (amount: number | bigint | string): bigint => units(amount, coinDecimals);

/** A gas price: `gwei(1)` is 10^9 of the smallest unit. */
export const gwei = (amount: number | bigint | string): bigint => units(amount, gweiDecimals);

/** Formats an amount in coins: `1.5`. */
export const inCoins = (amount: bigint): string => Value.format(amount, coinDecimals);

// Amounts of the native coin, written the way people say them.

const coinDecimals = 18;
const gweiDecimals = 9;

/** The smallest units of `amount`, which may have a fraction as long as it is exact. */
function units(amount: number | bigint | string, decimals: number): bigint {
  const text = String(amount);
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[3] ?? "";
  if (match === null || fraction.length > decimals) {
    throw new RangeError(
      `${text} is not an amount with at most ${decimals} decimals; write it as "12.5", 12.5 or 12n`,
    );
  }
  const size = BigInt(`${match[2]}${fraction.padEnd(decimals, "0")}`);
  return match[1] === "-" ? -size : size;
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

/** An amount as a person reads it: `1.5`. */
export function inCoins(amount: bigint): string {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(coinDecimals + 1, "0");
  const whole = digits.slice(0, -coinDecimals);
  const fraction = digits.slice(-coinDecimals).replace(/0+$/, "");
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

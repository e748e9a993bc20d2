// Numbers for people: grouped digits, amounts cut to what fits, sizes and durations.
import { formatTokenAmount } from "../../../src/resources/display.ts";

/** 1234567 as "1,234,567", for any size. */
export const grouped = (value: bigint | number | string): string =>
  String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** The exact amount with grouped digits: "1,234.000000000000000001". */
export function exactAmount(value: bigint, decimals: number | null): string {
  const [whole = "0", fraction] = formatTokenAmount(value, decimals).split(".");
  return grouped(whole) + (fraction === undefined ? "" : `.${fraction}`);
}

/** The amount with at most `places` decimals, cut, never rounded up; "<0.0001" for less than it can show. */
export function shortAmount(value: bigint, decimals: number | null, places = 5): string {
  const exact = exactAmount(value, decimals);
  const [whole = "0", fraction = ""] = exact.split(".");
  const shown = fraction.slice(0, places).replace(/0+$/, "");
  if (value !== 0n && whole === "0" && shown === "") return `<0.${"0".repeat(places - 1)}1`;
  // 2^256 of a token without decimals has 78 digits.
  if (whole.length > 27) return `${whole.slice(0, 5)}…e${whole.replaceAll(",", "").length - 1}`;
  return shown === "" ? whole : `${whole}.${shown}`;
}

export const bytes = (count: number): string =>
  count < 1024 ? `${count} bytes` : `${grouped((count / 1024).toFixed(1))} kB`;

export const milliseconds = (ms: number): string =>
  ms < 10
    ? `${ms.toFixed(1)} ms`
    : ms < 1000
      ? `${Math.round(ms)} ms`
      : `${(ms / 1000).toFixed(1)} s`;

/** `0x1234…abcd` */
export const shortHex = (hex: string, ends = 6): string =>
  hex.length <= 2 * ends + 4 ? hex : `${hex.slice(0, ends + 2)}…${hex.slice(-ends)}`;

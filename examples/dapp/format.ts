// Formats amounts, hashes and dates.

/** Formats an amount with `decimals` decimals, showing at most `places` of them. */
export function amount(value: bigint, decimals = 18, places = 4): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = BigInt(digits.slice(0, digits.length - decimals));
  const fraction = decimals === 0 ? "" : digits.slice(-decimals);
  const shown = fraction.slice(0, places).replace(/0+$/, "");
  if (value !== 0n && whole === 0n && shown === "") {
    return `< 0.${"0".repeat(places - 1)}1`;
  }
  return `${value < 0n ? "−" : ""}${whole.toLocaleString("en")}${shown === "" ? "" : `.${shown}`}`;
}

/** Shortens an address or a hash to its start and end. */
export const short = (hex: string): string => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
const hour = new Intl.DateTimeFormat("en", { timeStyle: "short", hour12: false, timeZone: "UTC" });

export const date = (time: Date): string => day.format(time);
export const time = (time: Date): string => hour.format(time);

/** A colour gradient derived from an address. */
export function colours(address: string): string {
  const hue = Number.parseInt(address.slice(2, 8), 16) % 360;
  return `linear-gradient(135deg, hsl(${hue} 70% 55%), hsl(${(hue + 70) % 360} 75% 45%))`;
}

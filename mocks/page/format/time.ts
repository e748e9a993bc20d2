// Times for people: how long ago, and the exact time in UTC.

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "narrow" });

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Seconds between the steps of the page's clock, and some more for clocks that differ. */
const clockStep = 15;

/** "5 min. ago"; a time ahead of the clock is "in 5 min.". */
export function ago(time: Date, now: number): string {
  const seconds = Math.round((time.getTime() - now) / 1000);
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  // The page's clock moves in steps.
  return seconds > -5 && seconds <= clockStep ? "now" : relative.format(seconds, "second");
}

/** "2026-03-01 12:00:05 UTC" */
export const exactTime = (time: Date): string =>
  `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;

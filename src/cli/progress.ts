// Shows the progress of an export: a line on the terminal with the rate and the time left.
import { CLEAR_LINE, type ProcessIO } from "./process-io.ts";

const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Formats a duration for people: "5 s", "2 min 5 s", "1 h 10 min". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export interface Counts {
  readonly records: number;
  /**
   * The number of records in the list. If the explorer does not count the list, the number is less
   * than `records`, and the line does not show it.
   */
  readonly total: number;
  /** Records that an earlier run wrote. */
  readonly before: number;
}

/** Returns a line such as "12,000 of 20,000 records, 1,530/s, 6 s left". */
export function progressLine({ records, total, before }: Counts, seconds: number): string {
  const rate = seconds > 0 ? (records - before) / seconds : 0;
  const isCounted = total >= records;
  return [
    isCounted
      ? `${number.format(records)} of ${number.format(total)} records`
      : `${number.format(records)} records`,
    ...(rate > 0 ? [`${number.format(rate)}/s`] : []),
    ...(rate > 0 && isCounted ? [`${duration((total - records) / rate)} left`] : []),
  ].join(", ");
}

export interface ProgressLine {
  show(counts: Counts): void;
  /** Removes the line. */
  clear(): void;
}

/** Milliseconds between two changes of the line. */
const REFRESH = 100;

/** Creates a progress line. Without a terminal, it shows nothing. */
export function createProgress({ stderr }: ProcessIO, isWanted: boolean): ProgressLine {
  if (stderr.isTTY !== true || !isWanted) return { show() {}, clear() {} };
  const started = performance.now();
  let shown = Number.NEGATIVE_INFINITY;
  return {
    show(counts) {
      const now = performance.now();
      if (now - shown < REFRESH) return;
      shown = now;
      stderr.write(`${CLEAR_LINE}${progressLine(counts, (now - started) / 1000)}`);
    },
    clear: () => void stderr.write(CLEAR_LINE),
  };
}

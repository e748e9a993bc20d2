// How long an answer is held back: a time, or one out of a distribution.
import type { Latency } from "./fault.ts";

/** How many standard deviations the 99th percentile is away. */
const z99 = 2.3263478740408408;

/** Milliseconds out of a distribution; `median` and `p99` fix a log-normal one. */
export function latencyMs(latency: Latency, draw: () => number): number {
  if (typeof latency === "number") return latency;
  if ("from" in latency) return latency.from + (latency.to - latency.from) * draw();
  const { median, p99 } = latency;
  if (median === 0) return 0;
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  return median * Math.exp((Math.log(p99 / median) / z99) * normal);
}

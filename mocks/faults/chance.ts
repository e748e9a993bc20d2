// Chance that repeats: numbers that depend on nothing but a seed and how many were drawn before.
import type { Latency } from "./language.ts";

/** The n-th number of a seed, from 0 to below 1 (mulberry32's mixing). */
export function drawn(seed: number, nth: number): number {
  let mixed = (Math.imul(seed, 0x9e3779b1) + Math.imul(nth + 1, 0x6d2b79f5)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

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

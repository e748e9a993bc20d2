// How property tests draw: how often, and from which seed. vitest.config.ts sets both for each command.
import fc from "fast-check";

function positive(name: string): number {
  const value = Number(process.env[name] ?? 1);
  if (!(value > 0))
    throw new Error(`${name}: expected a positive number, received "${process.env[name]}"`);
  return value;
}

const factor = positive("PROPERTY_RUNS");

/** What everything random is drawn from: the same in every run, but for `npm run laws` and `npm run fuzz`. */
export const seed = positive("PROPERTY_SEED");

/** The number of cases of a property test that has `count` in `npm run test:all`. */
export const runs = (count: number): number => Math.ceil(count * factor);

/** The same, where `npm run laws` runs `inLaws`, more than ten times as many. */
export const runsUpTo = (count: number, inLaws: number): number =>
  factor < 10 ? runs(count) : Math.ceil((inLaws * factor) / 10);

/** The time limit of a test that takes `ms` at most in `npm run test:all`; a quarter of an hour or more, for a busy machine. In `npm test`: a minute. */
export const limit = (ms: number): number =>
  factor < 1 ? 60_000 : Math.ceil(Math.max(ms, 900_000) * factor);

// This file is also a setup file of the tests: what is set here holds for every property.
fc.configureGlobal({ seed, numRuns: runs(100) });

// Property tests: how many cases they try and from which seed. vitest.config.ts sets both for each project.
import fc from "fast-check";

function positiveNumber(name: string): number {
  const value = Number(process.env[name] ?? 1);
  if (!(value > 0))
    throw new Error(`${name}: expected a positive number, received "${process.env[name]}"`);
  return value;
}

const factor = positiveNumber("PROPERTY_RUNS");

/** Seed of everything random: the same in every run, except for `npm run laws`. */
export const seed = positiveNumber("PROPERTY_SEED");

/** Returns the number of cases for a property that tries `count` cases each night. */
export const runs = (count: number): number => Math.ceil(count * factor);

/** Like `runs`, except that `npm run laws` tries `inLaws` cases instead of ten times `count`. */
export const runsUpTo = (count: number, inLaws: number): number =>
  factor < 10 ? runs(count) : Math.ceil((inLaws * factor) / 10);

// This is also a setup file, so that every property test draws from the same seed.
fc.configureGlobal({ seed, numRuns: runs(100) });

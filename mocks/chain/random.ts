// Reproducible random numbers: each depends only on a seed and its position.

/**
 * Returns the n-th number of a seed, from 0 to below 1. Mixes bits as mulberry32 does:
 * https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32
 */
export function randomNumbers(seed: number, nth: number): number {
  let mixed = (Math.imul(seed, 0x9e3779b1) + Math.imul(nth + 1, 0x6d2b79f5)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

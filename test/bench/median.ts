// The value in the middle: what a measurement comes to when the machine has other things to do.

/** The middle one of some values, the higher of two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

// The number of runs of a property test. PROPERTY_RUNS multiplies it: `npm run laws` runs ten times as many.
const factor = Number(process.env.PROPERTY_RUNS ?? 1);
if (!(factor > 0))
  throw new Error(
    `PROPERTY_RUNS: expected a positive number, received "${process.env.PROPERTY_RUNS}"`,
  );

export const runs = (count: number): number => Math.ceil(count * factor);

/** The same, where `npm run laws` runs `inLaws`, more than ten times as many. */
export const runsUpTo = (count: number, inLaws: number): number =>
  factor < 10 ? runs(count) : Math.ceil((inLaws * factor) / 10);

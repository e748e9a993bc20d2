// The number of runs of a property test. PROPERTY_RUNS multiplies it: `npm run laws` runs ten times as many.
const factor = Number(process.env.PROPERTY_RUNS ?? 1);
if (!(factor > 0))
  throw new Error(
    `PROPERTY_RUNS: expected a positive number, received "${process.env.PROPERTY_RUNS}"`,
  );

export const runs = (count: number): number => Math.ceil(count * factor);

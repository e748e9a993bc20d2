// How much more CPU work costs than other work, in the same run: a slow machine, or a busy one, slows both.

/** The least of so many tries: what others do on the machine only adds. */
const TRIES = 7;

async function least(work: () => unknown): Promise<number> {
  const costs: number[] = [];
  for (let turn = 0; turn < TRIES; turn++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return Math.min(...costs);
}

/** How many times the CPU of the other. */
export const timesAs = async (work: () => unknown, other: () => unknown): Promise<number> =>
  (await least(work)) / Math.max(1, await least(other));

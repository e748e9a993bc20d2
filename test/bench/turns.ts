// The CPU time of jobs that take turns in one process, so that what else the machine does slows all of them alike.
import { median } from "./median.ts";

/** Milliseconds of CPU that a job takes, garbage collection in other threads included. */
export function cpuMs(job: () => void): number {
  const before = process.cpuUsage();
  job();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The median milliseconds of each job; `times` runs of each make one turn. */
export function cpuInTurns(
  jobs: Readonly<Record<string, () => void>>,
  times: number,
  turns = 7,
): ReadonlyMap<string, number> {
  const measured = new Map(Object.keys(jobs).map((name): [string, number[]] => [name, []]));
  // The first turn warms up.
  for (let turn = 0; turn <= turns; turn++)
    for (const [name, job] of Object.entries(jobs)) {
      const ms = cpuMs(() => {
        for (let time = 0; time < times; time++) job();
      });
      if (turn > 0) measured.get(name)?.push(ms / times);
    }
  return new Map(Array.from(measured, ([name, values]) => [name, median(values)]));
}

/** Prints the medians, each also as a multiple of the first. */
export function printTurns(title: string, medians: ReadonlyMap<string, number>): void {
  const [first = Number.NaN] = medians.values();
  const rows = Array.from(medians, ([name, ms]) => {
    const time = ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : `${ms.toFixed(1)} ms`;
    return `  ${name}: ${time}, ${(ms / first).toFixed(2)} times the first`;
  });
  console.info([title, ...rows].join("\n"));
}
